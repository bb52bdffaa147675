#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include <Eigen/Core>

namespace eslabon::dynamics {

/// Columns that Gaussian elimination of A with complete pivoting leaves over, ascending: those of independent coordinates.
inline std::vector<int> left_columns(Eigen::MatrixXd A) {
  const Eigen::Index m = A.rows(), n = A.cols();
  std::vector<int> columns(static_cast<std::size_t>(n));
  std::iota(columns.begin(), columns.end(), 0);
  for (Eigen::Index k = 0; k < m; ++k) {
    Eigen::Index row = 0, column = 0;
    A.bottomRightCorner(m - k, n - k).cwiseAbs().maxCoeff(&row, &column);
    A.row(k).swap(A.row(k + row));
    A.col(k).swap(A.col(k + column));
    std::swap(columns[static_cast<std::size_t>(k)], columns[static_cast<std::size_t>(k + column)]);
    for (Eigen::Index i = k + 1; i < m; ++i)
      if (A(i, k) != 0.0) A.row(i).tail(n - k - 1) -= A(i, k) / A(k, k) * A.row(k).tail(n - k - 1);
  }
  std::vector<int> left(columns.begin() + m, columns.end());
  std::ranges::sort(left);
  return left;
}

}  // namespace eslabon::dynamics
