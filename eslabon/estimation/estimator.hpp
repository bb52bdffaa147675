#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/estimation/grid/grid_options.hpp"
#include "eslabon/estimation/many_states.hpp"
#include "eslabon/estimation/particle/particle_options.hpp"
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
  bool unknown_start = false;    ///< has many_states(), and so can start where nothing is known
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
  /// On by h > 0 seconds. False when the system has no state there: the estimate stays, and so does t.
  [[nodiscard]] virtual bool predict(double h) = 0;
  /// Takes a reading (m) of the present time. `gate`: largest NIS that is believed; infinite: every one.
  [[nodiscard]] virtual UpdateReport update(int sensor, ConstStateRef y, double gate) = 0;
  /// Believes less: deviations grow by `factor` ≥ 1, none beyond StateInfo::unknown_scale. For recovering after readings have been refused for long.
  virtual void inflate(double factor) = 0;

  virtual double t() const = 0;                     ///< [s]
  virtual const Eigen::VectorXd& mean() const = 0;  ///< (n)
  virtual const Eigen::MatrixXd& covariance() = 0;  ///< (n × n)

  // What only some filters have; nullptr: this one has not.
  virtual const Linearisation* linearisation() const { return nullptr; }
  virtual ManyStates* many_states() { return nullptr; }
  virtual Particles* particles() { return nullptr; }

 private:
  friend std::unique_ptr<Estimator> make_estimator(std::string_view name, std::shared_ptr<System> system,
                                                   const EstimatorOptions& options);
  std::shared_ptr<System> kept_;  ///< its system, where nobody else keeps it
};

/// A filter by its name, which keeps its system; "dekf" and "error-ekf" are one filter. Throws core::ModelError that lists the names for unknown ones,
/// and for options that are out of range or that this filter does not have.
std::unique_ptr<Estimator> make_estimator(std::string_view name, std::shared_ptr<System> system,
                                          const EstimatorOptions& options = {});
/// The same of a system that the caller keeps.
std::unique_ptr<Estimator> make_estimator(std::string_view name, System& system,
                                          const EstimatorOptions& options = {});
std::vector<std::string> estimator_names();
/// Throws as make_estimator does.
EstimatorCapabilities estimator_capabilities(std::string_view name);

}  // namespace eslabon::estimation
