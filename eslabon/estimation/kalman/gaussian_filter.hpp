#pragma once

#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/estimator_checks.hpp"
#include "eslabon/estimation/kalman/covariance_root.hpp"

namespace eslabon::estimation {

/// What all filters have that describe the state by a mean and a covariance: the estimate, its start, and the two ways in which it changes,
/// each whole or not at all.
class GaussianFilter : public Estimator {
 public:
  explicit GaussianFilter(System& system);

  [[nodiscard]] bool start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) override;
  void inflate(double factor) override;
  double t() const override { return t_; }
  const Eigen::VectorXd& mean() const override { return x_; }
  const Eigen::MatrixXd& covariance() override;
  const Linearisation* linearisation() const override { return &linear_; }

 protected:
  Eigen::Index num_states() const { return x_.size(); }
  bool check_reading(int sensor, ConstStateRef y) const {
    return estimation::check_reading(system_, sensor, y);
  }

  /// difference (m) of two readings: angles come to (−π, π].
  void wrap(int sensor, StateRef difference) const;
  /// The mean becomes x_next at t + h and the covariance the candidate of the root. False, and nothing has changed, when x_next is no state.
  bool commit_prediction(double h);
  /// Judges the reading that the root has weighed by its innovation (m) and the gate: nothing changes. kAccepted: the correction is in dx_.
  UpdateReport judge(ConstStateRef innovation, double gate);
  /// The mean becomes x + dx, of factors θ exp(dx/θ), and the covariance the candidate of the root. False, and nothing has changed, when
  /// that is no state.
  bool commit_correction();

  System& system_;
  CovarianceRoot root_;
  double t_ = 0.0;
  Eigen::VectorXd x_;       // (n) mean
  Eigen::VectorXd x_next_;  // (n) set before commit_prediction
  Eigen::VectorXd dx_;      // (n) set by judge
  Linearisation linear_;

 private:
  /// Whether every state of x is one that means something (StateInfo::least, most).
  bool is_within_bounds(const Eigen::VectorXd& x) const;
  /// x_next_ = x_ + dx_, of factors as is said above, T_ = ∂x_next/∂(x + dx).
  void correct_factors();

  bool has_factors_ = false;
  Eigen::VectorXd unknown_, overflow_;  // (n) deviations that are not exceeded: by inflate; ever
  Eigen::MatrixXd P_;                   // (n × n) set by covariance
  Eigen::MatrixXd T_, product_;         // Scratch.
};

/// The largest m.
Eigen::Index most_channels(const System& system);
/// out (n): unknown_scale of the states as they are now. Throws core::ContractError for one that is not positive.
void read_unknown_scales(const System& system, Eigen::VectorXd& out);
/// Deviations that are so many times "nothing known" are cut: without readings those of a chaotic mechanism grow until they are no numbers.
inline constexpr double kOverflow = 1e8;

}  // namespace eslabon::estimation
