#pragma once

#include <array>
#include <string>
#include <vector>

#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/kalman/covariance_root.hpp"

namespace eslabon::estimation {

struct ObservabilityOptions {
  double window = 0.15;  ///< W [s]: readings of so long ago still count
  double limit = 0.05;   ///< a state is observed when its ratio (2) is below: an angle that is known to 9°
};

/// Says what the readings of the last W seconds tell about each state, whatever was known before: a filter's own covariance cannot,
/// because it lives on what it was told long ago, and stays small when its model is surer than it should be.
///
///   P(0) = diag(unknown_scale²),   then  P ← F P Fᵀ + Q_w  with every step and the update by H, R_n of every accepted reading    (1)
///   ratio of state k = √P_kk / unknown_scale_k                                                                                    (2)
///
/// with F, Q_w, H, R_n of the filter. (1) is the information of the window, with plant noise: for Q_w = 0, P(0) → ∞ it is
/// the inverse of the Gramian of observability [Jazwinski1970, ch. 7]. Two copies of (1) begin anew in turn, every W/2; the elder, of age
/// W/2 … W, answers. So a state that readings have ceased to tell is reported after W at the latest.
/// Cost: two predictions and updates of covariances (O(n³)) in a step. Nothing allocates after construction.
class ObservabilityMonitor {
 public:
  /// Throws core::ModelError for options that are not positive.
  explicit ObservabilityMonitor(const System& system, const ObservabilityOptions& options = {});

  /// Forgets all readings.
  void restart();
  /// After a step of h [s].
  void predict(double h, const Eigen::Ref<const Eigen::MatrixXd>& F,
               const Eigen::Ref<const Eigen::MatrixXd>& Q_w);
  /// After an accepted reading.
  void update(const Eigen::Ref<const Eigen::MatrixXd>& H, const Eigen::Ref<const Eigen::MatrixXd>& R_n);
  // The same with what the filter has used. Nothing for filters that do not linearise: they are not judged.
  void follow_predict(double h, const Estimator& filter);
  void follow_update(int sensor, const Estimator& filter);

  /// Whether half a window has passed since the start: before that ratios are high for want of time.
  bool is_ready() const { return is_ready_; }
  double ratio(Eigen::Index state) const { return elder().deviation(state) / unknown_(state); }  ///< (2)
  bool is_observed(Eigen::Index state) const { return ratio(state) < options_.limit; }
  /// The same for a number that depends on the states by c (n): |Lᵀ c| / |diag(unknown_scale) c|; 0 where it depends on none.
  double ratio_of(const Eigen::Ref<const Eigen::VectorXd>& c) const;
  bool is_observed(const Eigen::Ref<const Eigen::VectorXd>& c) const { return ratio_of(c) < options_.limit; }
  bool all_observed() const;
  /// Names of the states that are not. Allocates: for people.
  std::vector<std::string> unobserved() const;

 private:
  const CovarianceRoot& elder() const { return copies_[static_cast<std::size_t>(elder_)]; }

  const System& system_;
  ObservabilityOptions options_;
  Eigen::VectorXd unknown_, overflow_;  // (n)
  Eigen::Index most_channels_;
  std::array<CovarianceRoot, 2> copies_;
  int elder_ = 0;
  double age_ = 0.0;  // of the younger [s]
  bool is_ready_ = false;
  // Scratch: roots that both copies share.
  Eigen::MatrixXd noise_root_;    // (n × n) of Q_w
  Eigen::MatrixXd reading_root_;  // (most_channels²) of R_n
};

}  // namespace eslabon::estimation
