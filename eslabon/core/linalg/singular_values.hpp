#pragma once

#include <Eigen/Core>

namespace eslabon::core {

/// A = U diag(values) Vᵀ by one-sided Jacobi rotations, values descending.
struct SingularValues {
  Eigen::MatrixXd U;
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
/// All columns of U (m × m) and V (n × n).
SingularValues full_singular_values(const Eigen::MatrixXd& A);
/// The values alone.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

}  // namespace eslabon::core
