#pragma once

#include <Eigen/Core>

namespace eslabon::core {

/// A = V diag(values) Vᵀ of a symmetric A (its lower half is read); values ascending, columns of V orthonormal.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);
/// The values alone, ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// A v = λ B v of symmetric A and symmetric positive B; values ascending, Vᵀ B V = I.
SymmetricEigen generalized_symmetric_eigen(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A v = λ v of any square A, in no order.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const Eigen::MatrixXd& A);

}  // namespace eslabon::core
