#pragma once

#include <Eigen/Core>

#include "eslabon/core/linalg/cholesky.hpp"

namespace eslabon::dynamics {

/// Solves  M x = f  for the mass matrix of the degrees of freedom, scaled to a unit diagonal so that bodies of any mass may stand in one:
///   (S M S) (S⁻¹ x) = S f,   S = diag(M_kk^−½)                                                               (1)
/// Does not allocate after the first time.
class MassFactors {
 public:
  /// `M` is spoilt. False when a degree of freedom has no mass: a pivot of (1) is roundoff.
  [[nodiscard]] bool factor(Eigen::MatrixXd& M) {
    constexpr double kRoundoff = 1e-14;
    if (!(M.diagonal().array() > 0.0).all()) return false;
    scale_ = M.diagonal().cwiseSqrt().cwiseInverse();
    for (Eigen::Index c = 0; c < M.cols(); ++c)
      for (Eigen::Index r = 0; r < M.rows(); ++r) M(r, c) *= scale_[r] * scale_[c];
    return factors_.compute(M) && factors_.smallest_pivot() > kRoundoff;
  }
  /// f becomes x.
  void solve(Eigen::VectorXd& f) const {
    f.array() *= scale_.array();
    factors_.solve_in_place(f);
    f.array() *= scale_.array();
  }

 private:
  Eigen::VectorXd scale_;  ///< (n) of S
  core::Ldlt factors_;
};

}  // namespace eslabon::dynamics
