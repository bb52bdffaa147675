#include "eslabon/dynamics/statics/scaled_newton.hpp"

#include <cmath>

#include "eslabon/core/linalg/singular_values.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Scales scales_of(const MatrixXd& A) {
  constexpr int kScalings = 20;
  Scales out{VectorXd::Ones(A.rows()), VectorXd::Ones(A.cols())};
  for (int i = 0; i < kScalings; ++i) {
    const MatrixXd B = (out.rows.asDiagonal() * A * out.columns.asDiagonal()).cwiseAbs();
    for (Index r = 0; r < B.rows(); ++r)
      if (const double most = B.row(r).maxCoeff(); most > 0.0) out.rows[r] /= std::sqrt(most);
    for (Index c = 0; c < B.cols(); ++c)
      if (const double most = B.col(c).maxCoeff(); most > 0.0) out.columns[c] /= std::sqrt(most);
  }
  return out;
}

NewtonStep newton_step(const MatrixXd& J, const VectorXd& residual) {
  NewtonStep out;
  out.by = scales_of(J);
  out.residual = out.by.rows.cwiseProduct(residual);
  const core::SingularValues svd =
      core::full_singular_values(out.by.rows.asDiagonal() * J * out.by.columns.asDiagonal());
  VectorXd part = svd.U.transpose() * out.residual, in_step = VectorXd::Zero(J.cols());
  out.left = VectorXd::Zero(residual.size());
  for (Index i = 0; i < part.size(); ++i) {
    if (i < svd.values.size() && svd.values[i] > kRegularPivot)
      in_step -= part[i] / svd.values[i] * svd.V.col(i);
    else
      out.left += part[i] * svd.U.col(i);
  }
  out.dx = out.by.columns.cwiseProduct(in_step);  // (1)
  return out;
}

}  // namespace eslabon::dynamics
