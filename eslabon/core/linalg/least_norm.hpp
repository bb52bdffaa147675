#pragma once

#include <Eigen/Core>

#include "eslabon/core/linalg/hidden.hpp"

namespace eslabon::core {

/// A x = b for any A, by one complete orthogonal decomposition [GolubVanLoan2013, ch. 5]: of all x that minimise |A x − b|
/// the shortest, and what A knows nothing of. A may have no rows or no columns. Dense.
class LeastNorm {
 public:
  LeastNorm();
  /// Pivots up to `tolerance` count as none.
  void compute(const Eigen::MatrixXd& A, double tolerance);

  Eigen::Index rank() const { return rank_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// (columns × (columns − rank)) orthonormal: x that give A x = 0.
  Eigen::MatrixXd null_space() const;
  /// (rows × (rows − rank)) orthonormal: y that give yᵀ A = 0.
  Eigen::MatrixXd left_null_space() const;

 private:
  Eigen::Index rows_ = 0, columns_ = 0, rank_ = 0;
  struct Decomposition;
  Hidden<Decomposition> decomposition_;  ///< only where the rank is not 0
};

/// Length of the longest column; 0 where there is none.
double longest_column(const Eigen::MatrixXd& A);

}  // namespace eslabon::core
