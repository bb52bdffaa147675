// On linear systems every filter is the Kalman filter: published gains, and a textbook filter that shares no code with them.
#include <array>
#include <limits>
#include <string>

#include "tests/double_double.hpp"
#include "tests/filter_names.hpp"
#include "tests/linear_system.hpp"
#include "tests/test_name.hpp"
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/estimator.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = UpdateReport::Status;
using test::DoubleDouble;
using LongMatrix = Eigen::Matrix<DoubleDouble, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<DoubleDouble, Eigen::Dynamic, 1>;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

/// The filter of the textbooks, by the inverse of S and P (I − K H), with twice the digits.
struct Textbook {
  LongVector x;
  LongMatrix P;
  LongMatrix K;
  double nis = 0.0;

  void predict(const MatrixXd& F, const MatrixXd& Q_w) {
    const LongMatrix A = F.cast<DoubleDouble>();
    x = (A * x).eval();
    P = (A * P * A.transpose()).eval() + Q_w.cast<DoubleDouble>();
  }
  void update(const MatrixXd& H, const MatrixXd& R_n, const VectorXd& y) {
    const LongMatrix A = H.cast<DoubleDouble>();
    const LongMatrix S = A * P * A.transpose() + R_n.cast<DoubleDouble>();
    const LongMatrix S_inverse = S.fullPivLu().inverse();
    const LongVector innovation = y.cast<DoubleDouble>() - A * x;
    K = P * A.transpose() * S_inverse;
    x += K * innovation;
    P -= (K * A * P).eval();
    nis = static_cast<double>(innovation.dot(S_inverse * innovation));
  }
};

class LinearFilter : public testing::TestWithParam<std::string> {};

/// Reads 1 where 0 is predicted: what the mean changes by is the gain.
VectorXd gain_of(Estimator& filter) {
  const VectorXd before = filter.mean();
  const double predicted = before(0);
  EXPECT_EQ(filter.update(0, VectorXd::Constant(1, predicted + 1.0), kNoGate).status, Status::kAccepted);
  return filter.mean() - before;
}

void expect_relative(double actual, double expected, double tolerance, const std::string& what) {
  EXPECT_NEAR(actual / expected, 1.0, tolerance) << what;
}

// reference: shared/benchmarks.md, Linear Kalman filter.
TEST_P(LinearFilter, ReachesThePublishedGains) {
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  const double p0 = 25.0 * kDegree * kDegree;
  {
    test::LinearSystem system = test::constant_speed(1.0);
    const auto filter = make_estimator(GetParam(), system);
    ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(2), p0 * MatrixXd::Identity(2, 2)));
    VectorXd gain;
    for (int k = 1; k <= 4000; ++k) {
      ASSERT_TRUE(filter->predict(0.005));
      gain = gain_of(*filter);
      if (k == 1) {
        expect_relative(gain(0), 0.9615393868312, 1e-10, "first");
        expect_relative(gain(1), 0.00481546781767, 1e-10, "first, rate");
      } else if (k == 5) {
        expect_relative(gain(0), 0.20097984002922, 1e-10, "fifth");
        expect_relative(gain(1), 0.25421007076268, 1e-10, "fifth, rate");
      }
      // Back to zero, so that the sum of all these readings does not cost digits of the differences.
      const MatrixXd P = filter->covariance();
      ASSERT_TRUE(filter->start(filter->t(), VectorXd::Zero(2), P));
    }
    expect_relative(gain(0), 0.05211503249339, 1e-10, "steady");
    expect_relative(gain(1), 0.27891409028639, 1e-10, "steady, rate");
    const MatrixXd P = filter->covariance();
    expect_relative(P(0, 0), 1.587514673024e-05, 1e-10, "P(0, 0)");
    expect_relative(P(0, 1), 8.496209052520e-05, 1e-10, "P(0, 1)");
    expect_relative(P(1, 1), 9.217488298078e-04, 1e-10, "P(1, 1)");
  }
  test::LinearSystem system = test::constant_speed(10.0);
  const auto filter = make_estimator(GetParam(), system);
  ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(2), p0 * MatrixXd::Identity(2, 2)));
  for (int k = 1; k <= 2000; ++k) {
    ASSERT_TRUE(filter->predict(0.005));
    ASSERT_EQ(filter->update(0, VectorXd::Zero(1), kNoGate).status, Status::kAccepted);
  }
  ASSERT_TRUE(filter->predict(0.005));
  const VectorXd gain = gain_of(*filter);
  expect_relative(gain(0), 0.15566539103885, 1e-10, "steady, 10");
  expect_relative(gain(1), 2.63238818178122, 1e-10, "steady, 10, rate");
}

// crosscheck: 60 random systems, 40 steps each, of 1 to 6 states and one or two sensors of 1 to 3 channels that come and go.
TEST_P(LinearFilter, IsTheTextbookFilter_OnRandomSystems) {
  double worst_mean = 0.0, worst_P = 0.0, worst_nis = 0.0;
  for (int example = 0; example < 60; ++example) {
    core::Rng rng(7, static_cast<std::uint64_t>(example));
    const auto n = static_cast<Eigen::Index>(1 + rng.uniform_index(6));
    const double h = 0.01;
    MatrixXd F = MatrixXd::Identity(n, n) + 0.3 * test::normal_matrix(rng, n, n);
    F *= 0.98 / std::max(0.98, F.eigenvalues().cwiseAbs().maxCoeff());
    std::vector<test::LinearSystem::Sensor> sensors;
    for (int s = 0; s < 2; ++s) {
      const auto m = static_cast<Eigen::Index>(1 + rng.uniform_index(3));
      sensors.push_back(
          {.H = test::normal_matrix(rng, m, n), .R_n = test::random_covariance(rng, m, 0.1), .period = h});
    }
    const MatrixXd G = test::normal_matrix(rng, n, 1), Q_w = 0.01 * G * G.transpose();  // of rank 1
    test::LinearSystem system(F, Q_w, sensors);
    const auto filter = make_estimator(GetParam(), system, {.alpha = 0.5});
    const MatrixXd P0 = test::random_covariance(rng, n, 1.0);
    const VectorXd x0 = test::normal_matrix(rng, n, 1);
    ASSERT_TRUE(filter->start(0.0, x0, P0));
    Textbook textbook{.x = x0.cast<DoubleDouble>(), .P = P0.cast<DoubleDouble>(), .K = {}};
    for (int k = 0; k < 40; ++k) {
      ASSERT_TRUE(filter->predict(h));
      textbook.predict(F, Q_w);
      for (int s = 0; s < 2; ++s) {
        if (rng.uniform() < 0.3) continue;
        const auto& sensor = sensors[static_cast<std::size_t>(s)];
        const VectorXd y = test::normal_matrix(rng, sensor.H.rows(), 1);
        const UpdateReport report = filter->update(s, y, kNoGate);
        ASSERT_EQ(report.status, Status::kAccepted);
        textbook.update(sensor.H, sensor.R_n, y);
        worst_nis = std::max(worst_nis, std::abs(report.nis / textbook.nis - 1.0));
      }
      const MatrixXd P = textbook.P.cast<double>();
      worst_P = std::max(worst_P, (filter->covariance() - P).norm() / P.norm());
      worst_mean = std::max(worst_mean, (filter->mean() - textbook.x.cast<double>()).cwiseAbs().maxCoeff());
    }
  }
  RecordProperty("worst_mean", std::to_string(worst_mean * 1e12) + "e-12");
  EXPECT_LE(worst_mean, 1e-10);
  EXPECT_LE(worst_P, 1e-10);
  EXPECT_LE(worst_nis, 1e-9);
}

// crosscheck: with sigma points as near as they are by default only the differences of 1e-3 cost digits.
TEST(Ukf, IsTheTextbookFilter_WithItsDefaultPoints) {
  test::LinearSystem system = test::constant_speed(10.0);
  const auto filter = make_estimator("ukf", system);
  const VectorXd x0 = VectorXd::Ones(2);
  const MatrixXd P0 = 0.01 * MatrixXd::Identity(2, 2);
  ASSERT_TRUE(filter->start(0.0, x0, P0));
  Textbook textbook{.x = x0.cast<DoubleDouble>(), .P = P0.cast<DoubleDouble>(), .K = {}};
  MatrixXd F = MatrixXd::Identity(2, 2), Q_w(2, 2), R_n(1, 1);
  F(0, 1) = 0.005;
  system.plant_noise(0.0, 0.005, x0, Q_w);
  system.sensor_noise(0, R_n);
  core::Rng rng(3);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(filter->predict(0.005));
    textbook.predict(F, Q_w);
    const VectorXd y = VectorXd::Constant(1, std::sin(0.005 * k) + 0.017 * rng.normal());
    ASSERT_EQ(filter->update(0, y, kNoGate).status, Status::kAccepted);
    textbook.update(Eigen::RowVector2d(1.0, 0.0), R_n, y);
    ASSERT_LE((filter->covariance() - textbook.P.cast<double>()).norm(), 1e-10 * filter->covariance().norm())
        << k;
    ASSERT_LE((filter->mean() - textbook.x.cast<double>()).norm(), 1e-8) << k;
  }
}

// invariant: the estimate does not depend on the coordinates that it is written in.
TEST_P(LinearFilter, FollowsNewCoordinates) {
  core::Rng rng(11);
  const MatrixXd T = test::normal_matrix(rng, 2, 2);
  test::LinearSystem plain = test::constant_speed(3.0), turned = test::constant_speed(3.0);
  const auto filter = make_estimator(GetParam(), plain), other = make_estimator(GetParam(), turned);
  const MatrixXd P0 = test::random_covariance(rng, 2, 0.01);
  ASSERT_TRUE(filter->start(0.0, VectorXd::Ones(2), P0));
  ASSERT_TRUE(other->start(0.0, VectorXd::Ones(2), P0));
  turned.next_coordinates = T;
  ASSERT_TRUE(filter->predict(0.005));
  ASSERT_TRUE(other->predict(0.005));
  EXPECT_LE((other->mean() - T * filter->mean()).norm(), 1e-9);
  EXPECT_LE((other->covariance() - T * filter->covariance() * T.transpose()).norm(),
            1e-12 * other->covariance().norm());
  // Tangents lead to the new coordinates too.
  EXPECT_LE((other->linearisation()->F - T * filter->linearisation()->F).norm(), 1e-9);
  EXPECT_LE((other->linearisation()->Q_w - T * filter->linearisation()->Q_w * T.transpose()).norm(), 1e-12);
}

// analytic: tangents are the matrices of the system.
TEST_P(LinearFilter, TellsTheTangentsThatItUsed) {
  test::LinearSystem system = test::constant_speed(3.0);
  const auto filter = make_estimator(GetParam(), system, {.alpha = 1.0});
  ASSERT_TRUE(filter->start(0.0, VectorXd::Ones(2), MatrixXd::Identity(2, 2)));
  ASSERT_TRUE(filter->predict(0.005));
  ASSERT_EQ(filter->update(0, VectorXd::Ones(1), kNoGate).status, Status::kAccepted);
  MatrixXd F = MatrixXd::Identity(2, 2), Q_w(2, 2);
  F(0, 1) = 0.005;
  system.plant_noise(0.0, 0.005, VectorXd::Ones(2), Q_w);
  ASSERT_NE(filter->linearisation(), nullptr);
  EXPECT_LE((filter->linearisation()->F - F).norm(), 1e-14);
  EXPECT_EQ((filter->linearisation()->Q_w - Q_w).norm(), 0.0);
  EXPECT_LE((filter->linearisation()->H[0] - Eigen::RowVector2d(1.0, 0.0)).norm(), 1e-14);
  EXPECT_GT(filter->linearisation()->R_n[0](0, 0), 0.0);
  // States that are known exactly have no sigma points of their own: the system's tangents stand in.
  ASSERT_TRUE(filter->start(0.0, VectorXd::Ones(2), Eigen::Vector2d(1.0, 0.0).asDiagonal().toDenseMatrix()));
  ASSERT_TRUE(filter->predict(0.005));
  EXPECT_LE((filter->linearisation()->F - F).norm(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Filters, LinearFilter, testing::ValuesIn(test::kalman_names()),
                         [](const auto& name) { return test::test_name(name.param); });

// analytic: a reading that is held for ten steps gives the information of one reading, a tenth in each.
TEST(Cekf, UsesAReadingOnce_OverThePeriodOfItsSensor) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  test::LinearSystem system(one, 0.0 * one, {{.H = one, .R_n = 0.5 * one, .period = 0.01}});
  const auto filter = make_estimator("cekf", system);
  ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(1), 2.0 * one));
  ASSERT_TRUE(filter->predict(0.001));
  const UpdateReport report = filter->update(0, VectorXd::Constant(1, 3.0), kNoGate);
  ASSERT_EQ(report.status, Status::kAccepted);
  EXPECT_NEAR(report.nis, 9.0 / 2.5, 1e-14);
  for (int used = 1; used <= 15; ++used) {
    const double information =
        0.5 + std::min(used, 10) / 10.0 / 0.5;  // ends after its period, though no other has come
    EXPECT_NEAR(filter->covariance()(0, 0), 1.0 / information, 1e-14) << used;
    EXPECT_NEAR(filter->mean()(0), 3.0 * (information - 0.5) / information, 1e-14) << used;
    ASSERT_TRUE(filter->predict(0.001));
  }
  // Steps that do not divide the period: the last part is shorter.
  ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(1), 2.0 * one));
  ASSERT_TRUE(filter->predict(0.004));
  ASSERT_EQ(filter->update(0, VectorXd::Constant(1, 3.0), kNoGate).status, Status::kAccepted);
  EXPECT_NEAR(filter->covariance()(0, 0), 1.0 / (0.5 + 0.4 / 0.5), 1e-14);
  ASSERT_TRUE(filter->predict(0.004));
  ASSERT_TRUE(filter->predict(0.004));
  ASSERT_TRUE(filter->predict(0.004));
  EXPECT_NEAR(filter->covariance()(0, 0), 1.0 / (0.5 + 1.0 / 0.5), 1e-14);
  EXPECT_NEAR(filter->mean()(0), 3.0 * 2.0 / 2.5, 1e-14);
}

// order: the filter of (2), (3) in cekf.cpp integrated in very short steps by a rule of order 4, written here; the error of cekf falls with h.
TEST(Cekf, TendsToKalmanBucy_WithTheStep) {
  const double a = -0.8, q = 0.3, R_n = 0.4, period = 0.5, until = 0.5, y = 1.5;
  double x_exact = 0.0, P_exact = 2.0, y_exact = y;
  const auto rates = [&](double x, double P, double signal) {  // the signal goes on as the model does
    const double R_c = R_n * period;
    return std::array{a * x + P / R_c * (signal - x), 2.0 * a * P + q - P * P / R_c, a * x};
  };
  for (int k = 0; k < 5000; ++k) {
    const double h = until / 5000.0;
    const auto [k1, l1, m1] = rates(x_exact, P_exact, y_exact);
    const auto [k2, l2, m2] = rates(x_exact + 0.5 * h * k1, P_exact + 0.5 * h * l1, y_exact + 0.5 * h * m1);
    const auto [k3, l3, m3] = rates(x_exact + 0.5 * h * k2, P_exact + 0.5 * h * l2, y_exact + 0.5 * h * m2);
    const auto [k4, l4, m4] = rates(x_exact + h * k3, P_exact + h * l3, y_exact + h * m3);
    x_exact += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    P_exact += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    y_exact += h / 6.0 * (m1 + 2.0 * m2 + 2.0 * m3 + m4);
  }
  const auto error_of = [&](int steps) {
    const double h = until / steps;
    const MatrixXd one = MatrixXd::Identity(1, 1);
    test::LinearSystem system(std::exp(a * h) * one, q * (std::exp(2.0 * a * h) - 1.0) / (2.0 * a) * one,
                              {{.H = one, .R_n = R_n * one, .period = period}});
    const auto filter = make_estimator("cekf", system);
    EXPECT_TRUE(filter->start(-h, VectorXd::Zero(1), 2.0 * one));
    EXPECT_TRUE(filter->predict(h));  // so that the step is known
    EXPECT_EQ(filter->update(0, VectorXd::Constant(1, y), kNoGate).status, Status::kAccepted);
    for (int k = 1; k < steps; ++k) EXPECT_TRUE(filter->predict(h));
    return std::max(std::abs(filter->mean()(0) - x_exact), std::abs(filter->covariance()(0, 0) - P_exact));
  };
  const double coarse = error_of(200), fine = error_of(400);
  EXPECT_LE(fine, 1e-2);
  EXPECT_NEAR(coarse / fine, 2.0, 0.1);
}

}  // namespace
}  // namespace eslabon::estimation
