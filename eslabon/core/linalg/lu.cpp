#include "eslabon/core/linalg/lu.hpp"

#include <cmath>

#include <Eigen/LU>

namespace eslabon::core {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

int sign_of_product(const Eigen::Ref<const VectorXd, 0, Eigen::InnerStride<>>& factors, Eigen::Index sign) {
  for (const double factor : factors) {
    if (factor == 0.0) return 0;
    if (factor < 0.0) sign = -sign;
  }
  return sign < 0 ? -1 : 1;
}

}  // namespace

struct Lu::Factors : Eigen::PartialPivLU<MatrixXd> {
  using PartialPivLU::PartialPivLU;
  int sign_of_permutation() const { return m_det_p; }  // permutationP() would allocate
};

Lu::Lu() : Lu(MatrixXd()) {}
Lu::Lu(Eigen::Index size) : Lu(MatrixXd(MatrixXd::Identity(size, size))) {}
Lu::Lu(const MatrixXd& A) : factors_(Hidden<Factors>::make(A)) {}

void Lu::compute(const MatrixXd& A) { factors_->compute(A); }

void Lu::solve(const VectorXd& b, VectorXd& x) const { x.noalias() = factors_->solve(b); }
VectorXd Lu::solve(const VectorXd& b) const { return factors_->solve(b); }
MatrixXd Lu::solve(const MatrixXd& B) const { return factors_->solve(B); }

double Lu::smallest_pivot() const { return factors_->matrixLU().diagonal().cwiseAbs().minCoeff(); }
double Lu::largest_pivot() const { return factors_->matrixLU().diagonal().cwiseAbs().maxCoeff(); }
int Lu::sign_of_determinant() const {
  return sign_of_product(factors_->matrixLU().diagonal(), factors_->sign_of_permutation());
}

FullPivots full_pivots(const MatrixXd& A) {
  const Eigen::FullPivLU<MatrixXd> lu(A);
  const auto pivots = lu.matrixLU().diagonal();
  return {.smallest = pivots.cwiseAbs().minCoeff(),
          .largest = std::abs(pivots[0]),
          .sign_of_determinant =
              sign_of_product(pivots, lu.permutationP().determinant() * lu.permutationQ().determinant())};
}

}  // namespace eslabon::core
