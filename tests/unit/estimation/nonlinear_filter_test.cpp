// What filters do where models are curved, and whether they know their own errors.
#include <cmath>
#include <limits>
#include <string>

#include "tests/filter_names.hpp"
#include "tests/linear_system.hpp"
#include "tests/pendulum_system.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/consistency.hpp"
#include "eslabon/estimation/estimator.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = UpdateReport::Status;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

/// x ← x², y = x².
class Square final : public test::LinearSystem {
 public:
  Square(double q, double r)
      : LinearSystem(MatrixXd::Identity(1, 1), MatrixXd::Constant(1, 1, q),
                     {{.H = MatrixXd::Identity(1, 1), .R_n = MatrixXd::Constant(1, 1, r)}}) {}
  bool step(double, double, StateRef x) override {
    x(0) *= x(0);
    return true;
  }
  bool step(double t, double h, StateRef x, MatrixRef F) override {
    F(0, 0) = 2.0 * x(0);
    return step(t, h, x);
  }
  bool measure(double, ConstStateRef x, int, StateRef y) override {
    y(0) = x(0) * x(0);
    return true;
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override {
    H(0, 0) = 2.0 * x(0);
    return measure(t, x, sensor, y);
  }
};

// analytic: for x ~ N(μ, σ²) the square has mean μ² + σ², variance 4 μ² σ² + 2 σ⁴ and covariance 2 μ σ² with x. A single state has these
// exactly when α² κ + β = 2.
TEST(Ukf, HasTheMomentsOfASquare) {
  const double mu = 0.7, sigma = 0.6, q = 0.05, r = 0.3, y = 1.9;
  const double mean = mu * mu + sigma * sigma,
               variance = 4 * mu * mu * sigma * sigma + 2 * std::pow(sigma, 4),
               cross = 2.0 * mu * sigma * sigma;
  for (const EstimatorOptions& options :
       {EstimatorOptions{.alpha = 1e-2}, EstimatorOptions{.alpha = 0.5},
        EstimatorOptions{.alpha = 1.3, .beta = 2.0 - 0.5 * 1.69, .kappa = 0.5},
        EstimatorOptions{.alpha = 1.0, .beta = 0.0, .kappa = 2.0}}) {
    const double tolerance = 1e-15 / (options.alpha * options.alpha) * 10.0;
    Square system(q, r);
    const auto filter = make_estimator("ukf", system, options);
    ASSERT_TRUE(filter->start(0.0, VectorXd::Constant(1, mu), MatrixXd::Constant(1, 1, sigma * sigma)));
    ASSERT_TRUE(filter->predict(0.1));
    EXPECT_NEAR(filter->mean()(0), mean, tolerance);
    EXPECT_NEAR(filter->covariance()(0, 0), variance + q, tolerance);
    ASSERT_TRUE(filter->start(0.0, VectorXd::Constant(1, mu), MatrixXd::Constant(1, 1, sigma * sigma)));
    const UpdateReport report = filter->update(0, VectorXd::Constant(1, y), kNoGate);
    ASSERT_EQ(report.status, Status::kAccepted);
    // The best linear estimate of these moments.
    EXPECT_NEAR(report.nis, std::pow(y - mean, 2) / (variance + r), tolerance);
    EXPECT_NEAR(filter->mean()(0), mu + cross / (variance + r) * (y - mean), tolerance);
    EXPECT_NEAR(filter->covariance()(0, 0), sigma * sigma - cross * cross / (variance + r), tolerance);
    EXPECT_NEAR(filter->linearisation()->H[0](0, 0), 2.0 * mu, tolerance);  // cross/σ²
  }
}

// crosscheck: the formulas of [WanMerwe2000] with their weights, written here without roots, on a pendulum far from its rest.
TEST(Ukf, IsTheFilterOfItsInventors) {
  const double alpha = 0.7, beta = 1.5, kappa = 0.5, n = 2.0, h = 0.05;
  const double lambda = alpha * alpha * (n + kappa) - n;
  test::PendulumSystem system(20.0, h, 0.1, 0.02);
  const auto filter = make_estimator("ukf", system, {.alpha = alpha, .beta = beta, .kappa = kappa});
  VectorXd x = Eigen::Vector2d(1.0, -2.0);
  MatrixXd P(2, 2), Q_w(2, 2), R_n(1, 1);
  P << 0.09, 0.05, 0.05, 0.5;
  system.sensor_noise(0, R_n);
  ASSERT_TRUE(filter->start(0.0, x, P));
  VectorXd wm = VectorXd::Constant(5, 0.5 / (n + lambda)), wc = wm;
  wm(0) = lambda / (n + lambda);
  wc(0) = wm(0) + 1.0 - alpha * alpha + beta;
  const auto points_of = [&] {
    const MatrixXd L = P.llt().matrixL();
    MatrixXd points(2, 5);
    points << x, (std::sqrt(n + lambda) * L).colwise() + x, (-std::sqrt(n + lambda) * L).colwise() + x;
    return points;
  };
  for (int k = 0; k < 20; ++k) {
    MatrixXd points = points_of();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(system.step(0.0, h, points.col(i)));
    system.plant_noise(0.0, h, x, Q_w);
    x = points * wm;
    MatrixXd d = points.colwise() - x;
    P = d * wc.asDiagonal() * d.transpose() + Q_w;
    ASSERT_TRUE(filter->predict(h));
    ASSERT_LE((filter->mean() - x).norm(), 1e-11) << k;
    ASSERT_LE((filter->covariance() - P).norm(), 1e-11) << k;

    points = points_of();
    const MatrixXd readings = points.topRows(1);
    const VectorXd mean = readings * wm, y = VectorXd::Constant(1, std::cos(0.3 * k));
    d = points.colwise() - x;
    const MatrixXd e = readings.colwise() - mean;
    const MatrixXd S = e * wc.asDiagonal() * e.transpose() + R_n,
                   K = d * wc.asDiagonal() * e.transpose() / S(0, 0);
    x += K * (y - mean);
    P -= (K * S * K.transpose()).eval();
    ASSERT_EQ(filter->update(0, y, kNoGate).status, Status::kAccepted);
    ASSERT_LE((filter->mean() - x).norm(), 1e-11) << k;
    ASSERT_LE((filter->covariance() - P).norm(), 1e-11) << k;
  }
}

// crosscheck: [Seed003, eqs. (16)…(20)] written as they stand, with the exact and with the simple F of (18).
TEST(Dekf, IsTheFilterOfTheSeed_WithBothJacobians) {
  for (const std::string name : {"dekf", "error-ekf"})
    for (bool is_exact : {true, false}) {
      const double h = 0.02, k = 15.0;
      test::PendulumSystem system(k, h, 0.1, 0.02);
      const auto filter = make_estimator(name, system, {.exact_jacobian = is_exact});
      Eigen::Vector2d x(0.5, 1.0);
      Eigen::Matrix2d P = Eigen::Vector2d(0.1, 0.4).asDiagonal();
      MatrixXd Q_w(2, 2), R_n(1, 1);
      system.sensor_noise(0, R_n);
      ASSERT_TRUE(filter->start(0.0, x, P));
      for (int step = 0; step < 100; ++step) {
        Eigen::Matrix2d F;
        F << 1.0, h, is_exact ? -h * k * std::cos(x(0)) : 0.0, 1.0;
        system.plant_noise(0.0, h, x, Q_w);
        x = Eigen::Vector2d(x(0) + h * x(1), x(1) - h * k * std::sin(x(0)));
        P = (F * P * F.transpose() + Q_w).eval();
        const double y = 0.4 * std::cos(0.1 * step), S = P(0, 0) + R_n(0, 0);
        const Eigen::Vector2d K = P.col(0) / S;
        x += K * (y - x(0));
        P = ((Eigen::Matrix2d::Identity() - K * Eigen::RowVector2d(1.0, 0.0)) * P).eval();
        ASSERT_TRUE(filter->predict(h));
        ASSERT_EQ(filter->update(0, VectorXd::Constant(1, y), kNoGate).status, Status::kAccepted);
        ASSERT_LE((filter->mean() - x).norm(), 1e-11) << name << is_exact << step;
        ASSERT_LE((filter->covariance() - P).norm(), 1e-11) << name << is_exact << step;
      }
    }
}

class ConsistentFilter : public testing::TestWithParam<std::string> {};

/// NEES of 200 runs of 100 steps with a right model, and the mean of the NIS.
template <class MakeSystem>
void expect_consistent(const std::string& name, const MakeSystem& make_system, const VectorXd& x0,
                       const MatrixXd& P0, double h) {
  constexpr int kRuns = 200, kSteps = 100;
  MonteCarloNees nees(2, kSteps);
  RunningMean nis;
  ErrorSquare square(2);
  for (int run = 0; run < kRuns; ++run) {
    core::Rng rng(99, static_cast<std::uint64_t>(run));
    auto system = make_system();
    const auto filter = make_estimator(name, system);
    MatrixXd Q_w(2, 2), R_n(1, 1);
    system.plant_noise(0.0, h, x0, Q_w);
    system.sensor_noise(0, R_n);
    const MatrixXd L0 = P0.llt().matrixL();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> directions(Q_w);
    const MatrixXd L_w =
        directions.eigenvectors() * directions.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
    VectorXd truth = x0 + L0 * test::normal_matrix(rng, 2, 1);
    ASSERT_TRUE(filter->start(0.0, x0, P0));
    for (int k = 0; k < kSteps; ++k) {
      ASSERT_TRUE(system.step(0.0, h, truth));
      truth += L_w * test::normal_matrix(rng, 2, 1);
      const VectorXd y = VectorXd::Constant(1, truth(0) + std::sqrt(R_n(0, 0)) * rng.normal());
      ASSERT_TRUE(filter->predict(h));
      const UpdateReport report = filter->update(0, y, kNoGate);
      ASSERT_EQ(report.status, Status::kAccepted);
      nis.add(report.nis);
      const auto value = square.evaluate(filter->mean() - truth, filter->covariance());
      ASSERT_TRUE(value.has_value());
      nees.add(k, *value);
    }
  }
  EXPECT_GE(nees.fraction_inside(), 0.9) << name;
  // Innovations are independent: mean 1, variance 2; five sigmas of 20 000.
  EXPECT_NEAR(nis.mean(), 1.0, test::mean_tolerance(5.0, 2.0, static_cast<double>(nis.count())));
}

// statistical: the mean of 200 runs is outside its 95 % band at 5 % of the steps; the bound of 10 % allows for steps that depend on each other.
// The seeds are fixed.
TEST_P(ConsistentFilter, KnowsItsError_OnALinearSystem) {
  expect_consistent(
      GetParam(), [] { return test::constant_speed(10.0, 0.005); }, Eigen::Vector2d(0.3, 1.0),
      Eigen::Vector2d(0.01, 0.25).asDiagonal(), 0.005);
}

// statistical: likewise; a pendulum that swings by more than a radian, read with 3°.
TEST_P(ConsistentFilter, KnowsItsError_OnAPendulum) {
  expect_consistent(
      GetParam(), [] { return test::PendulumSystem(20.0, 0.01, 0.05, 0.05); }, Eigen::Vector2d(1.2, 0.0),
      Eigen::Vector2d(0.01, 0.04).asDiagonal(), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Filters, ConsistentFilter, testing::ValuesIn(test::kalman_names()),
                         [](const auto& name) { return test::test_name(name.param); });

}  // namespace
}  // namespace eslabon::estimation
