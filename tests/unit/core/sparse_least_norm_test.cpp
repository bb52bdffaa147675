// Shortest solutions of sparse systems against dense ones, which share no code with them.
#include "eslabon/core/linalg/sparse_least_norm.hpp"

#include <vector>

#include "tests/random_matrix.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::core {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::random_matrix;

constexpr double kTolerance = 1e-8;

std::vector<SparseEntry> entries_of(const MatrixXd& A) {
  std::vector<SparseEntry> entries;
  for (Index row = A.rows(); row-- > 0;)
    for (Index column = 0; column < A.cols(); ++column)
      if (A(row, column) != 0.0)
        entries.push_back({static_cast<int>(row), static_cast<int>(column), A(row, column)});
  return entries;
}

/// Rows of unit length in which about one entry in four is not 0.
MatrixXd random_rows(Rng& rng, Index rows, Index columns) {
  MatrixXd A = random_matrix(rng, rows, columns);
  for (double& entry : A.reshaped())
    if (rng.uniform() > 0.25) entry = 0.0;
  for (Index row = 0; row < rows; ++row) {
    A(row, row % columns) += 1.0;
    A.row(row).normalize();
  }
  return A;
}

void expect_shortest(const MatrixXd& A, const VectorXd& b) {
  Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kTolerance);
  const double condition = svd.singularValues()[0] / svd.singularValues()[svd.rank() - 1];
  const VectorXd expected = svd.solve(b);
  const VectorXd actual = shortest_solution(entries_of(A), A.cols(), b, kTolerance);
  const double eps =
      test::tolerance_scale() * 100.0 * test::kEpsilon * static_cast<double>(A.cols()) * condition;
  EXPECT_LE((actual - expected).norm(), eps * expected.norm());
}

TEST(SparseLeastNorm, IsTheSolutionOfThePseudoinverse) {
  Rng rng(7);
  for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {1, 6}, {5, 9}, {20, 21}, {60, 80}})
    for (int k = 0; k < 10; ++k)
      expect_shortest(random_rows(rng, rows, columns), random_matrix(rng, rows, 1));
}

TEST(SparseLeastNorm, LeavesOutRowsThatRepeatOthers) {
  Rng rng(8);
  for (int k = 0; k < 20; ++k) {
    MatrixXd A(18, 24);
    A.topRows(12) = random_rows(rng, 12, 24);
    A.middleRows(12, 4) = random_matrix(rng, 4, 12) * A.topRows(12);
    A.row(16) = A.row(3);
    A.row(17).setZero();
    expect_shortest(A, A * random_matrix(rng, 24, 1));
  }
}

TEST(SparseLeastNorm, NullSpaceIsOrthonormalAndComplete) {
  Rng rng(9);
  MatrixXd A(7, 12);
  A.topRows(6) = random_rows(rng, 6, 12);
  A.row(6) = 0.5 * A.row(2) - 0.5 * A.row(4);
  const MatrixXd N = sparse_null_space(entries_of(A), 7, 12, kTolerance);
  ASSERT_EQ(N.cols(), 12 - 6);
  EXPECT_LE((A * N).norm(), 1e-14);
  EXPECT_LE((N.transpose() * N - MatrixXd::Identity(6, 6)).norm(), 1e-14);
  EXPECT_EQ(sparse_null_space({}, 0, 3, kTolerance), MatrixXd::Identity(3, 3));
}

TEST(SparseLeastNorm, ShowsContradictionsInTheResidual) {
  MatrixXd A(3, 4);
  A << 1, 0, 0, 0, 0, 0.6, 0.8, 0, 1, 0, 0, 0;
  const VectorXd b = Eigen::Vector3d(1, 2, 3);
  const VectorXd residual = A * shortest_solution(entries_of(A), 4, b, kTolerance) - b;
  EXPECT_NEAR(residual.cwiseAbs().maxCoeff(), 2.0, 1e-15);
  EXPECT_NEAR(residual[1], 0.0, 1e-15);
}

TEST(SparseLeastNorm, MayHaveNoRowsNoColumnsAndNoEntries) {
  EXPECT_EQ(shortest_solution({}, 3, VectorXd(0), kTolerance), VectorXd::Zero(3));
  EXPECT_EQ(shortest_solution({}, 0, VectorXd::Ones(2), kTolerance), VectorXd(0));
  EXPECT_EQ(shortest_solution({}, 3, VectorXd::Ones(2), kTolerance), VectorXd::Zero(3));
}

// x₁ = 1, x_k = x_(k+1): with dense columns this would be some 10¹³ operations.
TEST(SparseLeastNorm, CostsWhatIsFilled_InLongChains) {
  constexpr int kLinks = 20'000;
  std::vector<SparseEntry> A{{0, 0, 1.0}};
  for (int k = 1; k < kLinks; ++k) A.insert(A.end(), {{k, k - 1, -0.5}, {k, k, 0.5}});
  VectorXd b = VectorXd::Zero(kLinks);
  b[0] = 1.0;
  const VectorXd x = shortest_solution(A, kLinks, b, kTolerance);
  EXPECT_LE((x - VectorXd::Ones(kLinks)).cwiseAbs().maxCoeff(), kLinks * 100.0 * test::kEpsilon);
}

}  // namespace
}  // namespace eslabon::core
