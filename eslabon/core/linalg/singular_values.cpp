#include "eslabon/core/linalg/singular_values.hpp"

#include <Eigen/SVD>

namespace eslabon::core {

using Eigen::MatrixXd;

SingularValues full_singular_values(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

Eigen::VectorXd singular_values(const MatrixXd& A) { return Eigen::JacobiSVD<MatrixXd>(A).singularValues(); }

}  // namespace eslabon::core
