#include "eslabon/core/linalg/singular_values.hpp"

#include <algorithm>

#include <Eigen/SVD>

namespace eslabon::core {

using Eigen::MatrixXd;

namespace {
/// From here on bidiagonalisation takes a tenth of the time of rotations, and is right to roundoff of the largest value.
constexpr Eigen::Index kLarge = 32;
}  // namespace

SingularValues full_singular_values(const MatrixXd& A) {
  if (std::min(A.rows(), A.cols()) > kLarge) {
    const Eigen::BDCSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
  }
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

Eigen::VectorXd singular_values(const MatrixXd& A) { return Eigen::JacobiSVD<MatrixXd>(A).singularValues(); }

}  // namespace eslabon::core
