#pragma once

#include <Eigen/Core>

namespace eslabon::core {

/// A = U diag(values) Vᵀ, values descending: by Jacobi rotations, of more than 32 rows and columns by bidiagonalisation.
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
