// Independent rows and free columns of random sparse matrices against Eigen's dense decomposition.
#include "eslabon/kinematics/global/sparse_elimination.hpp"

#include <numeric>

#include <Eigen/LU>
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::kinematics {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Rows with three entries each, every fourth a combination of two before it.
MatrixXd sparse_rows(core::Rng& rng, Index rows, Index columns) {
  MatrixXd A = MatrixXd::Zero(rows, columns);
  for (Index r = 0; r < rows; ++r)
    if (r % 4 == 3)
      A.row(r) = rng.normal() * A.row(r - 1) + rng.normal() * A.row(r - 3);
    else
      for (int k = 0; k < 3; ++k)
        A(r, static_cast<Index>(rng.uniform() * static_cast<double>(columns))) = rng.normal();
  return A;
}

coordinates::SparsePattern pattern_of(const MatrixXd& A, std::vector<double>& values) {
  coordinates::SparsePattern pattern{static_cast<int>(A.rows()), static_cast<int>(A.cols()), {0}, {}};
  for (Index c = 0; c < A.cols(); ++c) {
    for (Index r = 0; r < A.rows(); ++r)
      if (A(r, c) != 0.0) {
        pattern.row_of_entry.push_back(static_cast<int>(r));
        values.push_back(A(r, c));
      }
    pattern.column_start.push_back(pattern.num_entries());
  }
  return pattern;
}

Index rank(const MatrixXd& A) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(1e-8);
  return qr.rank();
}

TEST(SparseElimination, FindsRankRowsAndFreeColumns) {
  core::Rng rng(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Index m = 4 + trial % 20, n = m + 2 + trial % 7;
    const MatrixXd A = sparse_rows(rng, m, n);
    std::vector<double> values;
    const coordinates::SparsePattern pattern = pattern_of(A, values);
    std::vector<int> all(static_cast<std::size_t>(m));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<double> scales(static_cast<std::size_t>(n), 1.0);
    const Elimination found = eliminate_rows(pattern, values, scales, all);
    // The rows are independent, as many as the rank, and each that is left out depends on rows before it.
    const MatrixXd kept = A(found.independent_rows, Eigen::all);
    ASSERT_EQ(rank(kept), static_cast<Index>(found.independent_rows.size()));
    ASSERT_EQ(static_cast<Index>(found.independent_rows.size()), rank(A));
    for (const int r : all)
      if (std::ranges::find(found.independent_rows, r) == found.independent_rows.end()) {
        ASSERT_EQ(rank(A.topRows(r + 1)), rank(A.topRows(r))) << r;
      }
    // The columns with pivots decide a square matrix that is not singular.
    std::vector<int> pivots;
    for (int c = 0; c < n; ++c)
      if (std::ranges::find(found.free_columns, c) == found.free_columns.end()) pivots.push_back(c);
    ASSERT_EQ(pivots.size(), found.independent_rows.size());
    EXPECT_EQ(rank(kept(Eigen::all, pivots)), static_cast<Index>(pivots.size()));
  }
}

TEST(SparseElimination, LooksAtTheChosenRowsOnly_InTheirScales) {
  MatrixXd A(3, 3);
  A << 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 1.0;
  std::vector<double> values;
  const coordinates::SparsePattern pattern = pattern_of(A, values);
  const std::vector<double> ones(3, 1.0), scales{10.0, 1.0, 1.0};
  EXPECT_EQ(eliminate_rows(pattern, values, ones, std::vector<int>{0, 1, 2}).independent_rows,
            (std::vector<int>{0, 2}));
  EXPECT_EQ(eliminate_rows(pattern, values, ones, std::vector<int>{1, 2}).independent_rows,
            (std::vector<int>{1, 2}));
  EXPECT_EQ(eliminate_rows(pattern, values, ones, std::vector<int>{0}).free_columns,
            (std::vector<int>{0, 2}));
  EXPECT_EQ(eliminate_rows(pattern, values, scales, std::vector<int>{0}).free_columns,
            (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace eslabon::kinematics
