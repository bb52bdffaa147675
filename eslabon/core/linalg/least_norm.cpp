#include "eslabon/core/linalg/least_norm.hpp"

#include <Eigen/QR>

namespace eslabon::core {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct LeastNorm::Decomposition : Eigen::CompleteOrthogonalDecomposition<MatrixXd> {
  using CompleteOrthogonalDecomposition::CompleteOrthogonalDecomposition;
};

LeastNorm::LeastNorm() : decomposition_(Hidden<Decomposition>::make(MatrixXd(MatrixXd::Zero(1, 1)))) {}

double longest_column(const MatrixXd& A) { return A.size() == 0 ? 0.0 : A.colwise().norm().maxCoeff(); }

void LeastNorm::compute(const MatrixXd& A, double tolerance) {
  rows_ = A.rows();
  columns_ = A.cols();
  rank_ = 0;
  const double longest = longest_column(A);
  if (!(longest > tolerance)) return;
  decomposition_->setThreshold(tolerance / longest);  // Eigen's is relative to the first pivot
  decomposition_->compute(A);
  rank_ = decomposition_->rank();
}

VectorXd LeastNorm::solve(const VectorXd& b) const {
  if (rank_ == 0) return VectorXd::Zero(columns_);
  return decomposition_->solve(b);
}

MatrixXd LeastNorm::null_space() const {
  if (rank_ == 0) return MatrixXd::Identity(columns_, columns_);
  if (rank_ == columns_) return MatrixXd(columns_, 0);
  const MatrixXd Z = decomposition_->matrixZ();  // A = Q [T 0; 0 0] Z Pᵀ
  return decomposition_->colsPermutation() * MatrixXd(Z.bottomRows(columns_ - rank_).transpose());
}

MatrixXd LeastNorm::left_null_space() const {
  if (rank_ == 0) return MatrixXd::Identity(rows_, rows_);
  MatrixXd last = MatrixXd::Identity(rows_, rows_).rightCols(rows_ - rank_);
  last.applyOnTheLeft(decomposition_->householderQ());
  return last;
}

}  // namespace eslabon::core
