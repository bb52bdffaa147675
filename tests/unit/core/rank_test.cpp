#include "eslabon/core/linalg/rank.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

using Eigen::MatrixXd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MatrixXd random_matrix(Eigen::Index m, Eigen::Index n, Rng& rng) {
  return MatrixXd::NullaryExpr(m, n, [&] { return rng.normal(); });
}

/// m × n of rank r with probability 1, as a product of two random factors.
MatrixXd random_of_rank(int m, int n, int r, Rng& rng) {
  return random_matrix(m, r, rng) * random_matrix(r, n, rng);
}

void expect_null_space(const MatrixXd& A, const RankReport& report) {
  const MatrixXd& N = report.null_space;
  ASSERT_EQ(N.rows(), A.cols());
  ASSERT_EQ(N.cols(), A.cols() - report.rank);
  const auto size = static_cast<double>(A.rows() + A.cols());
  EXPECT_LE((N.transpose() * N - MatrixXd::Identity(N.cols(), N.cols())).norm(), test::roundoff(8 * size, 1));
  EXPECT_LE((A * N).norm(), test::roundoff(8 * size, A.norm()));
}

struct Shape {
  int m, n, r;
};
const std::vector<Shape> kShapes{{1, 1, 1}, {5, 5, 5},  {5, 5, 3},  {4, 9, 4},
                                 {4, 9, 2}, {12, 7, 7}, {12, 7, 1}, {30, 40, 25}};

TEST(AnalyseRank, FindsTheRankOfProductsOfKnownRank) {
  Rng rng(1);
  for (const Shape& s : kShapes) {
    const MatrixXd A = random_of_rank(s.m, s.n, s.r, rng);
    const RankReport report = analyse_rank(A);
    EXPECT_EQ(report.rank, s.r) << s.m << " x " << s.n;
    EXPECT_GT(report.pivot_gap, 1e6) << s.m << " x "
                                     << s.n;  // between roundoff 1e-16 and pivots of order 1e-2
    expect_null_space(A, report);
  }
}

// crosscheck, sharing no code: singular values, by which rank is defined.
TEST(AnalyseRank, AgreesWithTheSingularValues) {
  Rng rng(2);
  for (const Shape& s : kShapes) {
    const MatrixXd A = random_of_rank(s.m, s.n, s.r, rng);
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullV);
    const RankReport report = analyse_rank(A);
    EXPECT_EQ(report.rank, svd.rank());
    // Two orthonormal bases of one space have one projector N Nᵀ.
    const MatrixXd N = svd.matrixV().rightCols(s.n - s.r);
    const double condition = svd.singularValues()(0) / svd.singularValues()(s.r - 1);
    EXPECT_LE((N * N.transpose() - report.null_space * report.null_space.transpose()).norm(),
              test::roundoff(8.0 * (s.m + s.n), condition));
  }
}

TEST(AnalyseRank, IndependentColumnsSpanTheMatrix) {
  Rng rng(3);
  const MatrixXd A = random_of_rank(8, 10, 4, rng);
  const RankReport report = analyse_rank(A);
  ASSERT_EQ(report.independent_columns.size(), 4u);
  EXPECT_TRUE(std::is_sorted(report.independent_columns.begin(), report.independent_columns.end()));
  const MatrixXd basis = A(Eigen::all, report.independent_columns);
  EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(basis).rank(), 4);
  const MatrixXd left = A - basis * basis.householderQr().solve(A);
  EXPECT_LE(left.norm(), test::roundoff(1000, A.norm()));
}

// analytic: columns 1, 2, and 1 + 2; the null space is (1, 1, −1)/√3.
TEST(AnalyseRank, OfASumOfColumns_HasTheNullVectorOfTheSum) {
  MatrixXd A(3, 3);
  A << 1, 2, 3, 4, 1, 5, -2, 7, 5;
  const RankReport report = analyse_rank(A);
  EXPECT_EQ(report.rank, 2);
  const Eigen::Vector3d expected = Eigen::Vector3d(1, 1, -1) / std::sqrt(3.0);
  EXPECT_LE(1.0 - std::abs(expected.dot(report.null_space.col(0))), test::roundoff(16, 1));
}

TEST(AnalyseRank, DefaultToleranceIsEpsilonTimesSizeTimesTheFirstPivot) {
  const MatrixXd A = Eigen::Vector3d(4.0, 2.0, 1.0).asDiagonal() * MatrixXd::Identity(3, 5);
  EXPECT_LE(std::abs(analyse_rank(A).tolerance - 5 * test::kEpsilon * 4.0),
            test::roundoff(2, 20 * test::kEpsilon));
}

TEST(AnalyseRank, OfADiagonal_CountsWhatIsAboveTheTolerance) {
  const MatrixXd A = Eigen::Vector4d(1.0, 1e-3, 1e-9, 0.0).asDiagonal();
  EXPECT_EQ(analyse_rank(A).rank, 3);
  EXPECT_EQ(analyse_rank(A).pivot_gap, kInfinity);
  const RankReport coarse = analyse_rank(A, 1e-6);
  EXPECT_EQ(coarse.rank, 2);
  EXPECT_EQ(coarse.tolerance, 1e-6);
  EXPECT_LE(std::abs(coarse.pivot_gap - 1e6), test::roundoff(8, 1e6));
  EXPECT_THAT(coarse.independent_columns, ElementsAre(0, 1));
  EXPECT_EQ(analyse_rank(A, 2.0).rank, 0);
  EXPECT_EQ(analyse_rank(A, 2.0).pivot_gap, 2.0);
}

TEST(AnalyseRank, DoesNotChangeWithTheUnitOfTheMatrix) {
  Rng rng(4);
  const MatrixXd A = random_of_rank(6, 6, 4, rng);
  for (double unit : {1e-200, 1e-30, 1e30, 1e200}) {
    const RankReport report = analyse_rank(unit * A);
    EXPECT_EQ(report.rank, 4) << unit;
    EXPECT_LE(std::abs(report.tolerance / unit - analyse_rank(A).tolerance), test::roundoff(64, 1e-13));
  }
}

TEST(AnalyseRank, OfNoRowsOrNoColumnsOrZeros) {
  const RankReport no_rows = analyse_rank(MatrixXd(0, 3));
  EXPECT_EQ(no_rows.rank, 0);
  EXPECT_EQ(no_rows.pivot_gap, kInfinity);
  EXPECT_EQ(no_rows.null_space, MatrixXd::Identity(3, 3));
  const RankReport no_columns = analyse_rank(MatrixXd(3, 0));
  EXPECT_EQ(no_columns.rank, 0);
  EXPECT_EQ(no_columns.null_space.rows(), 0);
  EXPECT_EQ(no_columns.null_space.cols(), 0);
  const RankReport zero = analyse_rank(MatrixXd::Zero(2, 3));
  EXPECT_EQ(zero.rank, 0);
  EXPECT_EQ(zero.null_space, MatrixXd::Identity(3, 3));
  EXPECT_THAT(zero.independent_columns, IsEmpty());
  EXPECT_EQ(analyse_rank(MatrixXd(0, 0)).rank, 0);
}

// Every dependent row must be rebuilt by the coefficients that the report gives.
TEST(AnalyseRows, RebuildEachDependentRowFromTheIndependentOnes) {
  Rng rng(5);
  for (const Shape& s : kShapes) {
    const MatrixXd A = random_of_rank(s.m, s.n, s.r, rng);
    const RowReport report = analyse_rows(A);
    EXPECT_EQ(report.rank, s.r);
    ASSERT_EQ(report.independent_rows.size() + report.dependent_rows.size(), static_cast<std::size_t>(s.m));
    for (const DependentRow& dependent : report.dependent_rows) {
      Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(s.n);
      for (std::size_t k = 0; k < dependent.rows.size(); ++k)
        sum += dependent.coefficients[k] * A.row(dependent.rows[k]);
      // 1e3: the pivots of these matrices spread by no more
      EXPECT_LE((sum - A.row(dependent.row)).norm(), test::roundoff(8.0 * (s.m + s.n), 1e3 * A.norm()));
    }
  }
}

// analytic: which rows repeat which is known by construction, and nothing else may be named.
TEST(AnalyseRows, NameOnlyTheRowsThatAreRepeated) {
  MatrixXd A(5, 4);
  A.row(0) << 3.0, -1.2, 0.7, 2.9;
  A.row(1) << 0.4, 5.1, -2.2, 1.3;
  A.row(2) << -1.7, 0.6, 4.8, -3.3;
  A.row(3) = 0.01 * A.row(0) - 0.02 * A.row(2);
  A.row(4).setZero();
  const RowReport report = analyse_rows(A);
  EXPECT_THAT(report.independent_rows, ElementsAre(0, 1, 2));
  ASSERT_EQ(report.dependent_rows.size(), 2u);
  EXPECT_EQ(report.dependent_rows[0].row, 3);
  EXPECT_THAT(report.dependent_rows[0].rows, ElementsAre(0, 2));
  EXPECT_LE(std::abs(report.dependent_rows[0].coefficients[0] - 0.01), test::roundoff(16, 1));
  EXPECT_LE(std::abs(report.dependent_rows[0].coefficients[1] + 0.02), test::roundoff(16, 1));
  EXPECT_EQ(report.dependent_rows[1].row, 4);
  EXPECT_THAT(report.dependent_rows[1].rows, IsEmpty());
}

TEST(AnalyseRows, OfNoRowsOrNoColumnsOrZeros) {
  EXPECT_EQ(analyse_rows(MatrixXd(0, 3)).rank, 0);
  EXPECT_THAT(analyse_rows(MatrixXd(0, 3)).dependent_rows, IsEmpty());
  EXPECT_EQ(analyse_rows(MatrixXd(2, 0)).dependent_rows.size(), 2u);
  const RowReport zero = analyse_rows(MatrixXd::Zero(2, 3));
  ASSERT_EQ(zero.dependent_rows.size(), 2u);
  EXPECT_EQ(zero.dependent_rows[0].row, 0);
  EXPECT_EQ(zero.dependent_rows[1].row, 1);
}

TEST(AnalyseRank, RefusesEntriesThatAreNotFinite) {
  MatrixXd A = MatrixXd::Identity(3, 3);
  A(1, 2) = std::nan("");
  EXPECT_EQ(test::sentence_of<ContractError>([&] { static_cast<void>(analyse_rank(A)); }),
            "a matrix has no rank [analyse_rank, row 1, column 2, counted from 0]: expected finite entries, "
            "got nan. "
            "Check the positions that the matrix was evaluated at.");
  A(1, 2) = kInfinity;
  EXPECT_THAT(test::sentence_of<ContractError>([&] { static_cast<void>(analyse_rows(A)); }),
              HasSubstr("[analyse_rows, row 1, column 2"));
}

TEST(AnalyseRank, RefusesAToleranceThatIsNegativeOrNoNumber) {
  const MatrixXd A = MatrixXd::Identity(2, 2);
  EXPECT_EQ(test::sentence_of<ContractError>([&] { static_cast<void>(analyse_rank(A, -1.0)); }),
            "a tolerance for the rank cannot be used [analyse_rank]: expected 0 <= tolerance < inf, got -1. "
            "Leave it out for the default.");
  EXPECT_THROW(static_cast<void>(analyse_rank(A, std::nan(""))), ContractError);
}

}  // namespace
}  // namespace eslabon::core
