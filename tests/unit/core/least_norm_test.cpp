// Shortest solutions and null spaces against a singular value decomposition.
#include "eslabon/core/linalg/least_norm.hpp"

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

TEST(LeastNorm, IsTheSolutionOfThePseudoinverse) {
  Rng rng(1);
  for (const Index rank : {1, 3, 5})
    for (const auto& [rows, columns] : {std::pair<Index, Index>{5, 9}, {9, 5}, {7, 7}}) {
      const MatrixXd A = random_matrix(rng, rows, rank) * random_matrix(rng, rank, columns);
      const VectorXd b = random_matrix(rng, rows, 1);
      LeastNorm solver;
      solver.compute(A, 1e-8 * longest_column(A));
      Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(1e-8);
      const double condition = svd.singularValues()[0] / svd.singularValues()[rank - 1];
      const double eps = test::tolerance_scale() * 100.0 * test::kEpsilon * condition;
      EXPECT_EQ(solver.rank(), rank);
      const VectorXd expected = svd.solve(b);
      EXPECT_LE((solver.solve(b) - expected).norm(), eps * condition * expected.norm());
      const MatrixXd right = solver.null_space(), left = solver.left_null_space();
      EXPECT_EQ(right.cols(), columns - rank);
      EXPECT_EQ(left.cols(), rows - rank);
      EXPECT_LE((A * right).norm(), eps * A.norm());
      EXPECT_LE((A.transpose() * left).norm(), eps * A.norm());
      EXPECT_LE((right.transpose() * right - MatrixXd::Identity(right.cols(), right.cols())).norm(), eps);
      EXPECT_LE((left.transpose() * left - MatrixXd::Identity(left.cols(), left.cols())).norm(), eps);
    }
}

// The tolerance is absolute: a small matrix may be none at all.
TEST(LeastNorm, KnowsNothingOfWhatIsBelowItsTolerance) {
  LeastNorm solver;
  const MatrixXd A = 1e-9 * MatrixXd::Identity(3, 2);
  solver.compute(A, 1e-8);
  EXPECT_EQ(solver.rank(), 0);
  EXPECT_EQ(solver.solve(VectorXd::Ones(3)), VectorXd::Zero(2));
  EXPECT_EQ(solver.null_space(), MatrixXd::Identity(2, 2));
  EXPECT_EQ(solver.left_null_space(), MatrixXd::Identity(3, 3));
  solver.compute(A, 1e-10);
  EXPECT_EQ(solver.rank(), 2);
}

TEST(LeastNorm, MayHaveNoRowsOrNoColumns) {
  LeastNorm solver;
  solver.compute(MatrixXd(0, 3), 0.0);
  EXPECT_EQ(solver.solve(VectorXd(0)), VectorXd::Zero(3));
  EXPECT_EQ(solver.null_space().cols(), 3);
  EXPECT_EQ(solver.left_null_space().cols(), 0);
  solver.compute(MatrixXd(3, 0), 0.0);
  EXPECT_EQ(solver.solve(VectorXd::Ones(3)).size(), 0);
  EXPECT_EQ(solver.null_space().cols(), 0);
  EXPECT_EQ(solver.left_null_space().cols(), 3);
  EXPECT_EQ(longest_column(MatrixXd(3, 0)), 0.0);
}

}  // namespace
}  // namespace eslabon::core
