#pragma once

#include <Eigen/Core>

#include "eslabon/core/linalg/hidden.hpp"

namespace eslabon::core {

/// P A = L U with partial pivoting, dense [GolubVanLoan2013, ch. 3]. Neither computing nor solving allocates once it had a matrix of
/// that size or room for it.
class Lu {
 public:
  Lu();
  /// Room for a matrix of this size.
  explicit Lu(Eigen::Index size);
  explicit Lu(const Eigen::MatrixXd& A);

  void compute(const Eigen::MatrixXd& A);
  /// x = A⁻¹ b; x is resized.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

  /// Least and largest |u_kk|. Of a matrix with rows.
  double smallest_pivot() const;
  double largest_pivot() const;
  /// +1, −1, or 0: that of the determinant, however large or small it is.
  int sign_of_determinant() const;

 private:
  struct Factors;
  Hidden<Factors> factors_;
};

/// What full pivoting P A Q = L U tells of a square matrix: more reliable pivots than those of Lu, at a higher cost.
struct FullPivots {
  double smallest = 0.0, largest = 0.0;  ///< of |u_kk|
  int sign_of_determinant = 0;
};
FullPivots full_pivots(const Eigen::MatrixXd& A);

}  // namespace eslabon::core
