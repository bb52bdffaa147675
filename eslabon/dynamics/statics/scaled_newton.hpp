#pragma once

#include <Eigen/Core>

namespace eslabon::dynamics {

/// diag(rows) A diag(columns) has rows and columns whose largest entry is about 1 [Ruiz2001]; those that are 0 stay.
struct Scales {
  Eigen::VectorXd rows, columns;
};
Scales scales_of(const Eigen::MatrixXd& A);

/// What is smaller counts as 0 in a matrix whose rows and columns are about 1.
inline constexpr double kRegularPivot = 1e-9;

/// The step of Newton's method for residual(x) = 0 with J = ∂residual/∂x of any rank, in scaled rows and columns
///   dx = −J⁺ residual                                                                                          (1)
struct NewtonStep {
  Scales by;
  Eigen::VectorXd dx;
  Eigen::VectorXd residual;  ///< scaled by rows
  Eigen::VectorXd left;      ///< what no step changes of it
};
NewtonStep newton_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& residual);

}  // namespace eslabon::dynamics
