#include "eslabon/estimation/kalman/covariance_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/filter_names.hpp"
#include "tests/linear_system.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "eslabon/estimation/estimator.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Least eigenvalue of the matrix in units of its diagonal: of the correlations.
double least_direction(const MatrixXd& P) {
  const VectorXd scale = P.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
  const MatrixXd correlation = scale.asDiagonal() * P * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(correlation, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

// analytic: any rank, any scale.
TEST(FindRoot, IsARootOfTheMatrix) {
  core::Rng rng(1);
  for (int example = 0; example < 200; ++example) {
    const auto n = static_cast<Eigen::Index>(1 + rng.uniform_index(6));
    const auto rank = static_cast<Eigen::Index>(rng.uniform_index(static_cast<std::uint64_t>(n) + 1));
    VectorXd scale(n);
    for (Eigen::Index k = 0; k < n; ++k) scale(k) = std::pow(10.0, 12.0 * rng.uniform() - 6.0);
    const MatrixXd A = scale.asDiagonal() * test::normal_matrix(rng, n, rank);
    MatrixXd S = A * A.transpose(), L(n, n);
    ASSERT_TRUE(find_root(S, L)) << example;
    EXPECT_TRUE(L.isLowerTriangular(0.0));
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        EXPECT_LE(std::abs((L * L.transpose() - S)(i, j)),
                  test::roundoff(100.0, std::sqrt(S(i, i) * S(j, j))))
            << example;
  }
}

TEST(FindRoot, RefusesWhatIsNoCovariance) {
  MatrixXd L(2, 2), S(2, 2);
  S << 1.0, 2.0, 2.0, 1.0;
  EXPECT_FALSE(find_root(S, L));
  S << 1.0, 0.5, 0.4, 1.0;
  EXPECT_FALSE(find_root(S, L));
  S << -1.0, 0.0, 0.0, 1.0;
  EXPECT_FALSE(find_root(S, L));
  S << 0.0, 1e-3, 1e-3, 1.0;
  EXPECT_FALSE(find_root(S, L));
  S << 1.0, 0.0, 0.0, std::nan("");
  EXPECT_FALSE(find_root(S, L));
}

// invariant: Uᵀ U = Aᵀ A, also for columns that are zero.
TEST(Triangularise, KeepsTheProducts) {
  core::Rng rng(2);
  for (int example = 0; example < 50; ++example) {
    MatrixXd A = test::normal_matrix(rng, 9, 4);
    if (example % 5 == 0) A.col(2).setZero();
    if (example % 7 == 0) A.col(3) = A.col(0);
    const MatrixXd products = A.transpose() * A;
    triangularise(A);
    const MatrixXd U = A.topRows(4).triangularView<Eigen::Upper>();
    EXPECT_LE((A.topRows(4) - U).cwiseAbs().triangularView<Eigen::StrictlyUpper>().toDenseMatrix().norm(),
              0.0);
    EXPECT_LE((U.transpose() * U - products).norm(), test::roundoff(100.0, products.norm()));
    EXPECT_GE(U.diagonal().minCoeff(), 0.0);
  }
}

// analytic: two independent states of variance p, of which the sum is read with variance r ≪ p. Afterwards the sum has the variance
// 2 p r/(2 p + r). A root of deviations √p knows it to ε √(p/r); (I − K H) P to ε p/r, which is to no digit.
TEST(CovarianceRoot, KeepsWhatAReadingTold_BesideWhatItDidNot) {
  const double p = 1e6, r = 1e-12, exact = 2.0 * p * r / (2.0 * p + r);
  CovarianceRoot root(2, 1);
  root.set_deviations(VectorXd::Constant(2, std::sqrt(p)));
  ASSERT_TRUE(root.weigh(Eigen::RowVector2d(1.0, 1.0), MatrixXd::Constant(1, 1, r)));
  root.commit();
  const double of_root = (root.root().transpose() * Eigen::Vector2d(1.0, 1.0)).squaredNorm();
  EXPECT_NEAR(of_root / exact, 1.0, 1e-6);
  MatrixXd P(2, 2);
  root.read(P);
  EXPECT_NEAR(P(0, 0) / (p * (p + r) / (2.0 * p + r)), 1.0, 1e-14);
  EXPECT_NEAR(P(0, 1) / (-p * p / (2.0 * p + r)), 1.0, 1e-14);
  // A single state: to roundoff.
  CovarianceRoot one(1, 1);
  one.set_deviations(VectorXd::Constant(1, 1e6));
  ASSERT_TRUE(one.weigh(MatrixXd::Constant(1, 1, 3.0), MatrixXd::Constant(1, 1, r)));
  one.commit();
  EXPECT_NEAR(one.deviation(0) / (1e-6 / 3.0), 1.0, 1e-14);
}

// analytic: a reading without noise leaves no variance in its direction; one of what is known exactly cannot be weighed.
TEST(CovarianceRoot, TakesReadingsWithoutNoise) {
  CovarianceRoot root(2, 2);
  root.set_deviations(Eigen::Vector2d(2.0, 3.0));
  const MatrixXd H = MatrixXd::Identity(2, 2), zero = MatrixXd::Zero(2, 2);
  ASSERT_TRUE(root.weigh(H, zero));
  EXPECT_NEAR(root.normalised_square(Eigen::Vector2d(2.0, 6.0)), 5.0, 1e-14);
  root.commit();
  EXPECT_EQ(root.root().norm(), 0.0);
  EXPECT_FALSE(root.weigh(H, zero));
}

TEST(CovarianceRoot, GrowsAndShrinksWithItsCorrelations) {
  core::Rng rng(3);
  const MatrixXd P0 = test::random_covariance(rng, 3, 1.0);
  CovarianceRoot root(3, 1);
  ASSERT_TRUE(root.propose(P0));
  root.commit();
  VectorXd most = VectorXd::Constant(3, 1e3);
  most(1) = 2.0 * root.deviation(1);
  root.inflate(3.0, most);
  MatrixXd P(3, 3);
  root.read(P);
  const Eigen::DiagonalMatrix<double, 3> D(3.0, 2.0, 3.0);
  EXPECT_LE((P - D * P0 * D).norm(), 1e-13 * P.norm());
  root.inflate(3.0, most);  // State 1 is at its most.
  EXPECT_NEAR(root.deviation(1), most(1), 1e-14 * most(1));
  root.limit(VectorXd::Constant(3, 1.0));
  EXPECT_LE(root.deviation(0), 1.0 + 1e-15);
}

class AnyFilter : public testing::TestWithParam<std::string> {};

// invariant: whatever is read with whatever noise, for long, covariances stay finite, symmetric to the bit and without negative directions.
// The textbook form loses them in the same runs, so that these are no easy ones.
TEST_P(AnyFilter, KeepsItsCovariancePositive_InLongRunsOfAnyScale) {
  double least = 1.0, least_of_textbook = 1.0;
  for (int example = 0; example < 12; ++example) {
    core::Rng rng(17, static_cast<std::uint64_t>(example));
    const auto n = static_cast<Eigen::Index>(1 + rng.uniform_index(6)),
               m = static_cast<Eigen::Index>(1 + rng.uniform_index(3));
    MatrixXd F = MatrixXd::Identity(n, n) + 0.1 * test::normal_matrix(rng, n, n);
    F *= 0.999 / std::max(0.999, F.eigenvalues().cwiseAbs().maxCoeff());
    const MatrixXd G = test::normal_matrix(rng, n, 1),
                   Q_w = (example % 3 == 0 ? 0.0 : 1e-8) * G * G.transpose();
    std::vector<test::LinearSystem::Sensor> sensors;
    for (double exponent : {-12.0, -9.0, -6.0, -3.0, 0.0, 3.0, 6.0})
      sensors.push_back({.H = test::normal_matrix(rng, m, n),
                         .R_n = test::random_covariance(rng, m, std::pow(10.0, exponent))});
    test::LinearSystem system(F, Q_w, sensors);
    const auto filter = make_estimator(GetParam(), system);
    MatrixXd textbook = test::random_covariance(rng, n, std::pow(10.0, 10.0 * rng.uniform() - 4.0));
    ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(n), textbook));
    for (int k = 0; k < 2000; ++k) {
      ASSERT_TRUE(filter->predict(0.001));
      textbook = (F * textbook * F.transpose() + Q_w).eval();
      const auto s = rng.uniform_index(sensors.size());
      const VectorXd y = std::pow(10.0, 6.0 * rng.uniform() - 3.0) * test::normal_matrix(rng, m, 1);
      const UpdateReport report =
          filter->update(static_cast<int>(s), y, std::numeric_limits<double>::infinity());
      ASSERT_EQ(report.status, UpdateReport::Status::kAccepted);
      ASSERT_TRUE(std::isfinite(report.nis) && report.nis >= 0.0);
      const MatrixXd S = sensors[s].H * textbook * sensors[s].H.transpose() + sensors[s].R_n;
      textbook -= (textbook * sensors[s].H.transpose() * S.inverse() * sensors[s].H * textbook).eval();
      if (k % 500 == 499) filter->inflate(10.0);
      const MatrixXd P = filter->covariance();
      ASSERT_TRUE(P.allFinite() && filter->mean().allFinite());
      ASSERT_EQ((P - P.transpose()).norm(), 0.0);
      ASSERT_GT(P.diagonal().minCoeff(), 0.0);
      if (k % 10 == 0) {
        least = std::min(least, least_direction(P));
        if (textbook.allFinite())
          least_of_textbook =
              std::min(least_of_textbook, least_direction(0.5 * (textbook + textbook.transpose())));
      }
    }
  }
  EXPECT_GE(least, -test::roundoff(20.0, 1.0));
  EXPECT_LE(least_of_textbook, -1e-6);
}

INSTANTIATE_TEST_SUITE_P(Filters, AnyFilter, testing::ValuesIn(test::kalman_names()),
                         [](const auto& name) { return test::test_name(name.param); });

}  // namespace
}  // namespace eslabon::estimation
