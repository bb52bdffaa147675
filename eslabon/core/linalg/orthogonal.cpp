#include "eslabon/core/linalg/orthogonal.hpp"

#include <algorithm>

#include <Eigen/QR>

namespace eslabon::core {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

PivotedQr pivoted_qr(const MatrixXd& A) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  return {qr.matrixQR().topRows(std::min(A.rows(), A.cols())).triangularView<Eigen::Upper>(),
          qr.colsPermutation().indices()};
}

VectorXd solve_least_squares(const MatrixXd& A, const VectorXd& b) {
  return A.colPivHouseholderQr().solve(b);
}

VectorXd solve_least_norm(const MatrixXd& A, const VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

MatrixXd orthogonal_complement(const MatrixXd& B) {
  const Index n = B.rows(), k = B.cols();
  MatrixXd last = MatrixXd::Zero(n, n - k);
  last.bottomRows(n - k).setIdentity();
  if (k > 0 && k < n) last.applyOnTheLeft(Eigen::HouseholderQR<MatrixXd>(B).householderQ());
  return last;
}

}  // namespace eslabon::core
