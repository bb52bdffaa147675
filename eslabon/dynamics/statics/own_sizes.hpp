#pragma once

#include <Eigen/Core>

#include "eslabon/dynamics/statics/modes.hpp"

namespace eslabon::dynamics {

inline constexpr double kNoStiffness = 1e-9;  ///< of the degree of freedom's own size: below it there is none
inline constexpr double kLeastScale =
    1e-12;  ///< of what acts in the one that is pushed most: below it nothing acts

/// K and f with each degree of freedom measured by its own size: K is diag(s) K diag(s), f is diag(s) f, dy is diag(s) times theirs.
struct OwnSizes {
  OwnSizes(const Eigen::MatrixXd& K_, const Eigen::VectorXd& f_, const Eigen::VectorXd& acting)
      : s(equilibrating_scales(K_, acting)), K(s.asDiagonal() * K_ * s.asDiagonal()), f(s.cwiseProduct(f_)) {}
  Eigen::VectorXd s;
  Eigen::MatrixXd K;
  Eigen::VectorXd f;
};

}  // namespace eslabon::dynamics
