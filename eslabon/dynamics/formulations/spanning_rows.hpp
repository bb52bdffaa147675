#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

namespace eslabon::dynamics {

/// Rows of N (n × f) that span most, one after the other, each measured in its weight (n): coordinates that tell f motions best. Ascending.
inline std::vector<int> spanning_rows(Eigen::MatrixXd N, const Eigen::VectorXd& weights) {
  std::vector<int> chosen;
  N = (weights.asDiagonal() * N).eval();
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    Eigen::Index row = 0, column = 0;
    N.rightCols(N.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    N.col(k).swap(N.col(k + column));
    chosen.push_back(static_cast<int>(row));
    for (Eigen::Index c = k + 1; c < N.cols(); ++c) N.col(c) -= N(row, c) / N(row, k) * N.col(k);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace eslabon::dynamics
