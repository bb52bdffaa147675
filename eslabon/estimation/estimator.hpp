#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/estimation/grid_options.hpp"
#include "eslabon/estimation/hypotheses.hpp"
#include "eslabon/estimation/particle_options.hpp"
#include "eslabon/estimation/swarm.hpp"
#include "eslabon/estimation/system.hpp"

namespace eslabon::estimation {

/// What became of a reading.
struct UpdateReport {
  enum class Status {
    kAccepted,
    kOutlier,  ///< farther from the prediction than the gate allows; nothing has changed
    kFailed,   ///< no state follows from it; nothing has changed
  };
  Status status = Status::kAccepted;
  double nis =
      0.0;  ///< innovation squared, normalised by its covariance: chi-square with as many degrees as channels
};

/// Choices that filters have; each looks at its own.
struct EstimatorOptions {
  bool exact_jacobian =
      true;  ///< of dekf and error-ekf: ∂f/∂x by dual numbers; otherwise System::simple_transition
  // Of ukf: spread and weights of the sigma points [WanMerwe2000].
  double alpha = 1e-3, beta = 2.0, kappa = 0.0;
  ParticleOptions particle = {};
  GridOptions grid = {};
};

/// What a filter can do. Callers test this instead of guessing.
struct EstimatorCapabilities {
  bool simple_jacobian = false;  ///< can work by System::simple_transition
  bool euler_steps = false;      ///< the published filter steps by explicit Euler; others by a better rule
  bool unknown_start = false;    ///< has start_unknown()
  int num_states = 0;            ///< that its systems must have; 0: any
};

/// What a filter has taken its system for, for those who judge what readings tell (observability.hpp).
struct Linearisation {
  long num_choices = 0;                 ///< how often the system took other coordinates
  Eigen::MatrixXd F, Q_w;               ///< (n × n) of the last predict, in the coordinates after it
  std::vector<Eigen::MatrixXd> H, R_n;  ///< of each sensor: (m × n), (m × m) of its last update
};

/// A filter: the seam that estimation runs stand on. Keeps scratch and the estimate: one per run. After start() nothing allocates.
/// A step that fails leaves the estimate as it was; no estimate is ever not finite.
class Estimator {
 public:
  virtual ~Estimator() = default;

  virtual std::string_view name() const = 0;

  /// Begins at time t with this mean (n) and covariance (n × n). False when x is no state of the system.
  [[nodiscard]] virtual bool start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) = 0;
  /// Begins where nothing is known of the position, nor of the branch. False: this filter needs a start (EstimatorCapabilities), or no
  /// position was found.
  [[nodiscard]] virtual bool start_unknown(double /*t*/, const UnknownStart& /*start*/) { return false; }
  /// On by h > 0 seconds. False when the system has no state there: the estimate stays, and so does t.
  [[nodiscard]] virtual bool predict(double h) = 0;
  /// Takes a reading (m) of the present time. `gate`: largest NIS that is believed; infinite: every one.
  [[nodiscard]] virtual UpdateReport update(int sensor, ConstStateRef y, double gate) = 0;
  /// Believes less: deviations grow by `factor` ≥ 1, none beyond StateInfo::unknown_scale. For recovering after readings have been refused for long.
  virtual void inflate(double factor) = 0;

  virtual double t() const = 0;                     ///< [s]
  virtual const Eigen::VectorXd& mean() const = 0;  ///< (n)
  virtual const Eigen::MatrixXd& covariance() = 0;  ///< (n × n)
  /// What read_output() tells from now on. False: this filter has a mean and a covariance only, from which outputs follow.
  [[nodiscard]] virtual bool set_outputs(
      const std::vector<std::shared_ptr<const sensing::Instrument>>& /*outputs*/) {
    return false;
  }
  /// Mean and deviation (channels) of output k at the present time.
  virtual void read_output(int /*output*/, StateRef /*mean*/, StateRef /*deviation*/) {}
  /// What the sensor is expected to read (m) now, of filters whose mean is no state. False: System::measure of the mean tells it.
  [[nodiscard]] virtual bool expect_reading(int /*sensor*/, StateRef /*y*/) { return false; }
  /// (bodies of the system) Where bodies are by the estimate, of filters whose mean is no state: those of a particle near it. False:
  /// those of the mean. May allocate.
  [[nodiscard]] virtual bool find_poses(std::span<core::Pose<double>> /*X_WB*/) { return false; }
  /// All particles of the present time, or `most` ≥ 1 of them by choose_by_weight. False: this filter has none, or they have no bodies.
  /// May allocate.
  [[nodiscard]] virtual bool find_hypotheses(std::size_t /*most*/, Hypotheses& /*out*/) { return false; }
  virtual long num_resamplings() const { return 0; }  ///< of particles since the start
  virtual long num_recoveries() const {
    return 0;
  }  ///< since the start: particles were spread because nobody expected what came
  /// log p(y_1 … y_k) of the readings so far, of filters that know it.
  virtual std::optional<double> log_evidence() const { return std::nullopt; }
  /// Nothing for filters that do not linearise.
  virtual const Linearisation* linearisation() const { return nullptr; }
};

/// A filter by its name; "dekf" and "error-ekf" are one filter. `system` must outlive it. Throws core::ModelError that lists the names for unknown ones,
/// and for options that are out of range or that this filter does not have.
std::unique_ptr<Estimator> make_estimator(std::string_view name, System& system,
                                          const EstimatorOptions& options = {});
std::vector<std::string> estimator_names();
/// Throws as make_estimator does.
EstimatorCapabilities estimator_capabilities(std::string_view name);

}  // namespace eslabon::estimation
