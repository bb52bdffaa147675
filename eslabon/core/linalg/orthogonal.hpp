#pragma once

#include <Eigen/Core>

namespace eslabon::core {

/// A P = Q R with columns pivoted by length [GolubVanLoan2013, ch. 5].
struct PivotedQr {
  Eigen::MatrixXd R;        ///< (min(m, n) × n) upper triangular, |r_kk| descending
  Eigen::VectorXi columns;  ///< (n) column k of A P is column columns[k] of A
};
PivotedQr pivoted_qr(const Eigen::MatrixXd& A);

/// The x of minimum |A x − b|, by A P = Q R; free components are 0.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Of all x of minimum |A x − b| the shortest, by a complete orthogonal decomposition. LeastNorm keeps the decomposition.
Eigen::VectorXd solve_least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// (n × (n − k)) orthonormal basis of what is orthogonal to the k ≤ n independent columns of B (n × k).
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& B);

}  // namespace eslabon::core
