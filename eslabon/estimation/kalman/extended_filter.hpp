#pragma once

#include "eslabon/estimation/kalman/gaussian_filter.hpp"

namespace eslabon::estimation {

/// What extended Kalman filters share: both models are replaced by their tangents at the estimate.
class ExtendedFilter : public GaussianFilter {
 public:
  /// `exact_jacobian`: F of System::step, otherwise of System::simple_transition.
  ExtendedFilter(System& system, bool exact_jacobian);

 protected:
  /// x⁻ = f(x⁺), P⁻ = F P⁺ Fᵀ + Q_w [Seed003, eq. (16)]. False, and nothing has changed, when there is no such state.
  bool propagate(double h);
  /// Innovation, H and R_n of a reading (m) at the estimate [Seed003, eq. (20a)]. False when there are none.
  bool linearise(int sensor, ConstStateRef y);
  /// A reading is weighed, judged, and corrects the mean [Seed003, eq. (20)]: what update() is for filters that take readings one by one.
  UpdateReport correct(int sensor, ConstStateRef y, double gate);
  /// Of the last linearise() (m).
  Eigen::Ref<Eigen::VectorXd> innovation(int sensor) {
    return innovation_.head(system_.num_channels(sensor));
  }

 private:
  bool exact_jacobian_;
  Eigen::VectorXd innovation_;  // (most channels) set by linearise
};

}  // namespace eslabon::estimation
