#include "eslabon/estimation/observability.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "tests/filter_names.hpp"
#include "tests/linear_system.hpp"
#include "tests/sentence_of.hpp"
#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::RowVector2d;
using Eigen::VectorXd;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

/// Two states, a sensor with one channel.
test::LinearSystem two_states(const Matrix2d& F, const RowVector2d& H, double noise, const Matrix2d& Q_w) {
  test::LinearSystem system(F, Q_w, {{.H = H, .R_n = MatrixXd::Constant(1, 1, noise * noise)}});
  system.set_unknown_scale(0, 3.0);
  system.set_unknown_scale(1, 30.0);
  return system;
}

Matrix2d oscillator(double frequency, double h) {
  Matrix2d F;
  const double c = std::cos(frequency * h), s = std::sin(frequency * h);
  F << c, s / frequency, -frequency * s, c;
  return F;
}

/// Steps of 1 ms with a reading every 10 ms.
void feed(ObservabilityMonitor& monitor, test::LinearSystem& system, double seconds) {
  MatrixXd F(2, 2), Q_w(2, 2), R_n(1, 1), H(1, 2);
  VectorXd x = VectorXd::Zero(2), y(1);
  for (int k = 1; k <= std::lround(seconds * 1000.0); ++k) {
    ASSERT_TRUE(system.step(0.0, 1e-3, x, F));
    system.plant_noise(0.0, 1e-3, x, Q_w);
    monitor.predict(1e-3, F, Q_w);
    if (k % 10 != 0) continue;
    ASSERT_TRUE(system.measure(0.0, x, 0, y, H));
    system.sensor_noise(0, R_n);
    monitor.update(H, R_n);
  }
}

TEST(Observability, FindsThePositionUntold_WhenOnlySpeedIsRead) {
  Matrix2d F;
  F << 1.0, 1e-3, 0.0, 1.0;
  test::LinearSystem system = two_states(F, RowVector2d(0.0, 1.0), 0.01, 1e-8 * Matrix2d::Identity());
  ObservabilityMonitor monitor(system);
  EXPECT_FALSE(monitor.is_ready());
  EXPECT_EQ(monitor.ratio(0), 1.0);
  for (int k = 0; k < 20; ++k) {
    feed(monitor, system, 0.1);
    EXPECT_TRUE(monitor.is_ready());
    EXPECT_THAT(monitor.unobserved(), ElementsAre("x0"));
    EXPECT_GE(monitor.ratio(0), 1.0);
    EXPECT_TRUE(monitor.is_observed(1));
    EXPECT_FALSE(monitor.all_observed());
  }
}

// Swinging fast, a rate tells the angle through the dynamics; slowly, or with forces that nobody knows, it does not.
TEST(Observability, SeesThroughTheDynamics_WhenTheyAreKnown) {
  const Matrix2d quiet = Eigen::Vector2d(0.0, 1e-10).asDiagonal(),
                 shaken = Eigen::Vector2d(0.0, 100.0).asDiagonal();
  test::LinearSystem fast = two_states(oscillator(20.0, 1e-3), RowVector2d(0.0, 1.0), 0.01, quiet);
  ObservabilityMonitor monitor(fast);
  feed(monitor, fast, 0.4);
  EXPECT_THAT(monitor.unobserved(), IsEmpty());
  EXPECT_TRUE(monitor.all_observed());
  test::LinearSystem slow = two_states(oscillator(0.1, 1e-3), RowVector2d(0.0, 1.0), 0.01, quiet);
  ObservabilityMonitor of_slow(slow);
  feed(of_slow, slow, 0.4);
  EXPECT_THAT(of_slow.unobserved(), ElementsAre("x0"));
  test::LinearSystem unknown = two_states(oscillator(20.0, 1e-3), RowVector2d(0.0, 1.0), 0.01, shaken);
  ObservabilityMonitor of_unknown(unknown);
  feed(of_unknown, unknown, 0.4);
  EXPECT_THAT(of_unknown.unobserved(), ElementsAre("x0"));
}

// analytic: without plant noise the covariance is the inverse of the start's information plus the Gramian of the window, here from powers of F.
TEST(Observability, IsTheInverseOfTheGramian_WithoutPlantNoise) {
  const Matrix2d F = oscillator(20.0, 1e-3);
  test::LinearSystem system = two_states(F, RowVector2d(0.0, 1.0), 0.01, Matrix2d::Zero());
  ObservabilityMonitor monitor(system, {.window = 0.15, .limit = 0.1});
  int now = 0;
  // Copies begin before the steps 1, 75, 150, 225, …; the elder of the two answers.
  for (const auto& [begin, end] : {std::pair{0, 140}, std::pair{74, 220}, std::pair{149, 230}}) {
    feed(monitor, system, 1e-3 * (end - now));
    now = end;
    Matrix2d information = Eigen::Vector2d(1.0 / 9.0, 1.0 / 900.0).asDiagonal(), power = Matrix2d::Identity();
    for (int k = begin + 1; k <= end; ++k) {
      power = F * power;  // from the begin to now
      if (k % 10 == 0) information += power.row(1).transpose() * power.row(1) / 1e-4;
    }
    const Matrix2d P = power * information.inverse() * power.transpose();
    EXPECT_NEAR(monitor.ratio(0) / (std::sqrt(P(0, 0)) / 3.0), 1.0, 1e-10) << end;
    EXPECT_NEAR(monitor.ratio(1) / (std::sqrt(P(1, 1)) / 30.0), 1.0, 1e-10) << end;
  }
}

/// A crank at constant speed but for noise; one sensor reads the rate ω, another (1 + ½ sin θ) ω, as a gyroscope on a coupler does.
class Crank final : public test::LinearSystem {
 public:
  Crank()
      : LinearSystem((Matrix2d() << 1.0, 1e-3, 0.0, 1.0).finished(),
                     Eigen::Vector2d(0.0, 0.01).asDiagonal().toDenseMatrix(),
                     {{.H = RowVector2d(0.0, 1.0), .R_n = MatrixXd::Constant(1, 1, 1e-4), .period = 0.01},
                      {.H = RowVector2d(0.0, 1.0), .R_n = MatrixXd::Constant(1, 1, 1e-4), .period = 0.01}}) {
    set_unknown_scale(0, 3.14);
    set_unknown_scale(1, 30.0);
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y) override {
    if (sensor == 0) return LinearSystem::measure(t, x, sensor, y);
    y(0) = (1.0 + 0.5 * std::sin(x(0))) * x(1);
    return true;
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override {
    if (sensor == 0) return LinearSystem::measure(t, x, sensor, y, H);
    H << 0.5 * std::cos(x(0)) * x(1), 1.0 + 0.5 * std::sin(x(0));
    return measure(t, x, sensor, y);
  }
};

// The angle is told by the movement. When it ends, every filter's monitor says so within 0.2 s, though the filter's own deviation is still small.
TEST(Observability, SaysThatMovementIsMissing_WithinAFifthOfASecond) {
  for (const std::string& name : test::kalman_names()) {
    Crank system;
    const auto filter = make_estimator(name, system);
    ObservabilityMonitor monitor(system);
    core::Rng rng(4);
    ASSERT_TRUE(filter->start(0.0, Eigen::Vector2d(0.2, 8.0),
                              Eigen::Vector2d(0.01, 0.01).asDiagonal().toDenseMatrix()));
    double angle = 0.2, said = -1.0;
    for (int k = 1; k <= 3000; ++k) {
      const double t = 1e-3 * k, rate = t < 1.5 ? 8.0 : 0.0;
      angle += 1e-3 * rate;
      ASSERT_TRUE(filter->predict(1e-3));
      monitor.follow_predict(1e-3, *filter);
      for (int s = 0; s < 2 && k % 10 == 0; ++s) {
        const double y = (s == 0 ? 1.0 : 1.0 + 0.5 * std::sin(angle)) * rate + 0.01 * rng.normal();
        ASSERT_EQ(filter->update(s, VectorXd::Constant(1, y), kNoGate).status,
                  UpdateReport::Status::kAccepted);
        monitor.follow_update(s, *filter);
      }
      if (t < 1.5 && t > 0.3) {
        ASSERT_TRUE(monitor.all_observed()) << name << " " << t << " " << monitor.ratio(0);
      }
      if (t > 1.5 && said < 0.0 && !monitor.is_observed(0)) said = t;
      if (t > 1.7) {
        ASSERT_THAT(monitor.unobserved(), ElementsAre("x0")) << name << " " << t;
      }
    }
    EXPECT_GT(said, 1.5) << name;
    EXPECT_LE(said, 1.7) << name;
    EXPECT_LE(std::sqrt(filter->covariance()(0, 0)), 0.1) << name;
  }
}

TEST(Observability, ForgetsAllReadings_WhenItIsTold) {
  test::LinearSystem system =
      two_states(oscillator(20.0, 1e-3), RowVector2d(0.0, 1.0), 0.01, Matrix2d::Zero());
  ObservabilityMonitor monitor(system);
  feed(monitor, system, 0.2);
  monitor.restart();
  EXPECT_FALSE(monitor.is_ready());
  EXPECT_EQ(monitor.ratio(1), 1.0);
}

// Whatever it is fed, it answers with numbers.
TEST(Observability, KnowsNothing_OfWhatCannotBeComputed) {
  test::LinearSystem system = two_states(Matrix2d::Identity(), RowVector2d(1.0, 1.0), 0.01, Matrix2d::Zero());
  ObservabilityMonitor monitor(system);
  const MatrixXd one = MatrixXd::Identity(2, 2), none = MatrixXd::Constant(2, 2, std::nan(""));
  monitor.update(one.topRows(1), MatrixXd::Ones(1, 1));
  monitor.predict(1e-3, none, one);
  EXPECT_EQ(monitor.ratio(0), 1.0);
  monitor.update(none.topRows(1), MatrixXd::Ones(1, 1));
  EXPECT_EQ(monitor.ratio(0), 1.0);
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { monitor.update(one, one); }),
            "a matrix of the wrong size [observability]: expected 1 × 2, got 2 × 2. "
            "Give matrices of the system that is watched.");
  for (int k = 0; k < 1000; ++k) monitor.predict(1e-6, 1e10 * one, one);
  EXPECT_TRUE(std::isfinite(monitor.ratio(0)));
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { ObservabilityMonitor(system, {.window = 0.0}); }),
            "a window of no time [observability]: expected a positive number, got 0. Give another one.");
}

}  // namespace
}  // namespace eslabon::estimation
