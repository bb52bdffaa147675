#pragma once

#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/estimation/consistency.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/lost_time.hpp"
#include "eslabon/estimation/observability.hpp"
#include "eslabon/sensing/front_end.hpp"

namespace eslabon::estimation {

struct RunOptions {
  core::Duration step = core::Duration::from_nanoseconds(1'000'000);  ///< of the filter
  /// How often a good reading may be taken for an outlier; 0: no reading is.
  double false_alarms = 1e-6;
  double reopening = 3.0;  ///< by which deviations grow when most readings are refused for long
  /// When that comes again within this time they grow by its square, then by its cube…: the first reading that a lost filter believes
  /// makes it as sure as it was before.
  core::Duration relapse = core::Duration::from_nanoseconds(1'000'000'000);
  /// A filter counts as lost until so long after it has begun anew or deviations have grown.
  core::Duration recovery = core::Duration::from_nanoseconds(500'000'000);
  ObservabilityOptions observability = {};
};

/// A filter that is led through time by a stream of readings: predicts from step to step, takes each reading at its own time, and never
/// stops. What does not work has an outcome that is counted: a refused reading, or a step without a state, after which the filter begins
/// anew: where it was when it believed a reading last, at rest, with less faith, and with the parameters that it began with. The first
/// reading of each sensor after that is taken at the state that fits it, not at the one that was left. Nothing allocates after
/// construction, but where the system takes other coordinates.
class EstimationRun {
 public:
  /// The caller keeps all three; the estimator has been started, at t = 0, which is `origin` for the readings. The sensors of the front end are
  /// those of the system.
  EstimationRun(System& system, Estimator& estimator, sensing::FrontEnd& front_end, const RunOptions& options,
                core::Instant origin = {});

  /// One step: to the next multiple of it, through all readings until then that the front end hands out.
  void step();
  /// Present time.
  core::Instant now() const { return now_; }
  core::Duration step_size() const { return options_.step; }

  /// What the readings of late tell about each state without belief in how forces move it from step to step: F is
  /// System::simple_transition, not the filter's. Where a linkage stands still, a model that knows no friction takes rest for equilibrium,
  /// and would be sure of a wrong position.
  const ObservabilityMonitor& observability() const { return monitor_; }
  /// Normalised innovations squared of accepted readings, by sensor.
  const RunningMean& nis(int sensor) const { return nis_[static_cast<std::size_t>(sensor)]; }
  long num_restarts() const { return restarts_; }  ///< steps without a state
  long num_reopenings() const { return reopenings_; }
  const LostTime& lost_time() const { return lost_; }
  double constraint_error() const { return constraint_error_; }              ///< of the present state [m]
  double worst_constraint_error() const { return worst_constraint_error_; }  ///< [m]

 private:
  void predict_to(core::Instant t);
  void take(const sensing::Reading& reading);
  void restart(core::Instant t);
  void reopen();
  /// By how much deviations grow now that the filter is to believe itself less.
  double growth(core::Instant t);
  /// State k (of x_, P_) becomes `value`, known to `deviation`.
  void forget(Eigen::Index k, double value, double deviation);
  UpdateReport update(std::size_t sensor);
  void remember();
  /// How often the filter's coordinates were exchanged.
  long num_choices() const;

  System& system_;
  Estimator& estimator_;
  sensing::FrontEnd& front_end_;
  RunOptions options_;
  ObservabilityMonitor monitor_;
  core::Instant origin_, now_;
  std::vector<double> gates_;               ///< (sensors) largest NIS that is believed
  std::vector<Eigen::VectorXd> y_;          ///< (sensors) scratch: a reading
  std::vector<Eigen::VectorXd> predicted_;  ///< (sensors) scratch
  std::vector<RunningMean> nis_;            ///< (sensors)
  Eigen::VectorXd x_;                       ///< scratch of restart and update
  Eigen::MatrixXd P_;                       ///< the same
  Eigen::VectorXd start_;                   ///< (n) mean at the start of the run
  Eigen::VectorXd start_deviations_;        ///< (n)
  Eigen::VectorXd good_;                    ///< (n) when a reading was believed last
  long good_choices_ = -1;                  ///< num_choices() then; −1: none was
  long start_choices_ = 0;                  ///< num_choices() at the start of the run
  std::vector<char> is_anew_;               ///< (sensors) no reading since the last restart
  std::vector<double> strange_;             ///< (sensors) NIS beyond which a reading is strange
  long choices_ = 0;                        ///< of coordinates that the monitor knows
  Eigen::MatrixXd F_;                       ///< scratch of predict_to
  long restarts_ = 0, reopenings_ = 0;
  double growth_ = 1.0;  ///< of the last restart or reopening
  core::Instant grown_;  ///< when that was
  int in_vain_ = 0;      ///< reopenings since a reading was believed
  LostTime lost_;
  double constraint_error_ = 0.0, worst_constraint_error_ = 0.0;
};

}  // namespace eslabon::estimation
