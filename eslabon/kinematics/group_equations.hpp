#pragma once

#include <vector>

#include <Eigen/Core>

namespace eslabon::kinematics {

/// The linear equations of one group, A x = b with at least as many rows as unknowns; rows beyond those repeat others, so that
/// the equations can be solved exactly. By Householder reflections,
///   Q A = [U; 0],   Q = H_n … H_1,   H_k = I − τ_k h_k h_kᵀ                                               (1)
/// [GolubVanLoan2013, ch. 5]: a few unknowns, one way for square and for taller ones. Scratch; after the first call with the
/// same size nothing allocates.
class GroupEquations {
 public:
  Eigen::MatrixXd A;  ///< (m × n) becomes its factors
  Eigen::VectorXd b;  ///< (m) becomes the solution, in its first n

  void resize(Eigen::Index rows, Eigen::Index unknowns);
  /// False when A is singular to roundoff.
  bool factor();
  /// Solves for b; after factor().
  void solve();
  /// Of the determinant of A, after factor(); 0 when A is not square or singular.
  int sign() const { return sign_; }

 private:
  Eigen::VectorXd tau_, diagonal_;  ///< (n) τ_k and the diagonal of U; A keeps h_k from the diagonal down
  int sign_ = 0;
};

}  // namespace eslabon::kinematics
