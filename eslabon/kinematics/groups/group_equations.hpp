#pragma once

#include <span>
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
  /// As many rows of A as it has unknowns, the most independent ones, in the order in which they were found.
  std::vector<int> choose_rows() const;
  /// False when A is singular to roundoff. `rows`: those whose determinant has the sign, where A is taller than wide.
  bool factor(std::span<const int> rows);
  /// Solves for b; after factor().
  void solve();
  /// Of the determinant of A, or, where A is taller, of the rows that choose_rows() found; after factor(). 0 when it is
  /// singular.
  int sign() const { return sign_; }

 private:
  Eigen::VectorXd tau_, diagonal_;  ///< (n) τ_k and the diagonal of U; A keeps h_k from the diagonal down
  int sign_ = 0;
  Eigen::MatrixXd chosen_;  ///< (n × n) scratch: the rows that have the sign
};

}  // namespace eslabon::kinematics
