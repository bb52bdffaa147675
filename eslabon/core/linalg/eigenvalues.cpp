#include "eslabon/core/linalg/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace eslabon::core {

using Eigen::MatrixXd;

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen generalized_symmetric_eigen(const MatrixXd& A, const MatrixXd& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigen general_eigen(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace eslabon::core
