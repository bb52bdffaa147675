#pragma once

#include <Eigen/Core>

#include "eslabon/core/linalg/hidden.hpp"

namespace eslabon::core {

/// A = L Lᵀ of a symmetric positive A. Allocates only for a larger matrix than before.
class Cholesky {
 public:
  Cholesky();
  /// Room for a matrix of this size.
  explicit Cholesky(Eigen::Index size);
  /// False when A is not positive.
  [[nodiscard]] bool compute(const Eigen::MatrixXd& A);
  /// b becomes L⁻¹ b.
  void whiten(Eigen::VectorXd& b) const;
  /// ln det L
  double log_of_root() const;

 private:
  struct Factors;
  Hidden<Factors> factors_;
};

/// Pᵀ L D Lᵀ P = A of a symmetric A without negative directions, with pivoting. Allocates only for a larger matrix than before.
class Ldlt {
 public:
  Ldlt();
  /// Room for a matrix of this size.
  explicit Ldlt(Eigen::Index size);
  /// False when the decomposition fails.
  bool compute(const Eigen::MatrixXd& A);
  double smallest_pivot() const;  ///< of D
  /// b becomes A⁻¹ b.
  void solve_in_place(Eigen::VectorXd& b) const;

 private:
  struct Factors;
  Hidden<Factors> factors_;
};

}  // namespace eslabon::core
