// Filters that lose the motion: bounds of states, factors by their logarithm, restarts, and how long a run was lost.
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "tests/linear_system.hpp"
#include <gtest/gtest.h>

#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/mechanism/rate_bound.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using sensing::Reading;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

core::Duration milliseconds(std::int64_t ms) { return core::Duration::from_nanoseconds(1'000'000 * ms); }
core::Instant at(std::int64_t ms) { return core::Instant::at(milliseconds(ms)); }

// analytic
TEST(LostTime, LastsUntilNothingHasHappenedForTheRecovery) {
  LostTime lost(milliseconds(100));
  for (std::int64_t ms = 10; ms <= 1000; ms += 10) {
    if (ms == 200 || ms == 260) lost.mark(at(ms));
    lost.advance(at(ms), milliseconds(10), false);
    EXPECT_EQ(lost.is_lost(at(ms)), ms >= 200 && ms <= 360) << ms;
  }
  EXPECT_EQ(lost.lost(), milliseconds(170));  // the steps that end at 200, 210 … 360 ms
  EXPECT_EQ(lost.elapsed(), milliseconds(1000));
  EXPECT_FALSE(lost.is_mostly_lost());
  for (std::int64_t ms = 1010; ms <= 1600; ms += 10) {
    lost.mark(at(ms));
    lost.advance(at(ms), milliseconds(10), false);
  }
  EXPECT_FALSE(lost.is_mostly_lost()) << "770 ms of 1600";
  lost.mark(at(1610));
  for (std::int64_t ms = 1610; ms <= 1700; ms += 10) lost.advance(at(ms), milliseconds(10), false);
  EXPECT_TRUE(lost.is_mostly_lost()) << "870 ms of 1700";
}

TEST(LostTime, IsThatOfMostReadings_WhereTheyAreStrange) {
  LostTime lost(milliseconds(100));
  lost.advance(at(100), milliseconds(100), false);
  lost.add_reading(true);
  EXPECT_FALSE(lost.is_mostly_lost()) << "too short for a verdict";
  lost.advance(at(101), milliseconds(1), false);
  EXPECT_TRUE(lost.is_mostly_lost());
  lost.add_reading(false);
  EXPECT_FALSE(lost.is_mostly_lost());
  lost.add_reading(true);
  EXPECT_TRUE(lost.is_mostly_lost());
}

TEST(LostTime, IsThatOfMostSteps_WhereTheyFail_HoweverShortTheRun) {
  LostTime lost(milliseconds(100));
  for (std::int64_t ms = 1; ms <= 10; ++ms) lost.advance(at(ms), milliseconds(1), ms % 2 == 0);
  EXPECT_FALSE(lost.is_mostly_lost());
  lost.advance(at(11), milliseconds(1), true);
  EXPECT_TRUE(lost.is_mostly_lost());
}

FilterSensor sensor_of(const core::Dimension& dimension, std::int64_t period_ms) {
  return {
      nullptr,
      {.name = "s", .channels = {{.name = "s", .dimension = dimension}}, .period = milliseconds(period_ms)}};
}

// analytic
TEST(LargestRate, IsHalfATurnFromReadingToReading_OfSensorsOfPositions) {
  const double pi = std::numbers::pi;
  const std::vector<FilterSensor> positions{sensor_of(core::kAngle, 10), sensor_of(core::kLength, 4)},
      rates{sensor_of(core::kAngle, 10), sensor_of(core::kAngularVelocity, 10)},
      every_step{sensor_of(core::kAngle, 0)}, slow{sensor_of(core::kLength, 1000)};
  EXPECT_DOUBLE_EQ(largest_rate(positions, milliseconds(1), {}), pi / 0.004);
  EXPECT_DOUBLE_EQ(largest_rate(rates, milliseconds(1), {}), pi / 0.001) << "a rate is told as it is";
  EXPECT_DOUBLE_EQ(largest_rate(every_step, milliseconds(2), {}), pi / 0.002);
  EXPECT_DOUBLE_EQ(largest_rate(slow, milliseconds(1), {}), 40.0 * pi)
      << "four deviations of what nobody knows";
  EXPECT_DOUBLE_EQ(largest_rate(slow, milliseconds(1), {.largest = 50.0, .deviation = 10.0}), 600.0);
}

/// A state that stands still and is read, within bounds.
class BoundedSystem final : public test::LinearSystem {
 public:
  explicit BoundedSystem(double growth)
      : LinearSystem(
            MatrixXd::Constant(1, 1, growth), MatrixXd::Constant(1, 1, 1e-6),
            {{.H = MatrixXd::Identity(1, 1), .R_n = MatrixXd::Constant(1, 1, 1e-4), .period = 0.01}}) {
    states_[0].least = -1.0;
    states_[0].most = 2.0;
  }
};

// contract
TEST(GaussianFilters, DoNotGoWhereStatesMeanNothing) {
  for (const char* name : {"dekf", "ukf", "cekf", "error-ekf"}) {
    BoundedSystem system(1.5);
    const auto filter = make_estimator(name, system);
    ASSERT_TRUE(filter->start(0.0, VectorXd::Constant(1, 1.9), MatrixXd::Identity(1, 1)));
    for (const double y : {2.5, -1.5})
      EXPECT_EQ(filter->update(0, VectorXd::Constant(1, y), kNoGate).status, UpdateReport::Status::kFailed)
          << name;
    EXPECT_EQ(filter->mean()[0], 1.9) << name;
    EXPECT_FALSE(filter->predict(0.01)) << name << ", to 2.85";
    EXPECT_EQ(filter->mean()[0], 1.9) << name;
    EXPECT_EQ(filter->update(0, VectorXd::Constant(1, 1.2), kNoGate).status, UpdateReport::Status::kAccepted)
        << name;
    EXPECT_TRUE(filter->predict(0.01)) << name;
  }
}

/// Constant states, of which a sensor reads y = Σ x_k², or, of logarithms, Σ exp(2 x_k).
class Squares final : public test::LinearSystem {
 public:
  Squares(bool is_logarithm, double bound)
      : LinearSystem(MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2),
                     {{.H = MatrixXd::Ones(1, 2), .R_n = MatrixXd::Constant(1, 1, 0.01), .period = 0.01},
                      {.H = MatrixXd::Ones(1, 2), .R_n = MatrixXd::Constant(1, 1, 0.04), .period = 0.01}}),
        is_logarithm_(is_logarithm) {
    for (StateInfo& state : states_) {
      state.is_factor = !is_logarithm;
      if (!is_logarithm) state.least = 1.0 / bound, state.most = bound;
    }
  }
  bool measure(double, ConstStateRef x, int sensor, StateRef y) override {
    const auto square = [&](double s) { return is_logarithm_ ? std::exp(2.0 * s) : s * s; };
    y[0] = square(x[0]) + (sensor == 0 ? 1.0 : -1.0) * square(x[1]);
    return true;
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override {
    const auto slope = [&](double s) { return is_logarithm_ ? 2.0 * std::exp(2.0 * s) : 2.0 * s; };
    H(0, 0) = slope(x[0]);
    H(0, 1) = (sensor == 0 ? 1.0 : -1.0) * slope(x[1]);
    return measure(t, x, sensor, y);
  }

 private:
  bool is_logarithm_;
};

// crosscheck: a filter whose state is the logarithm.
TEST(GaussianFilters, EstimateFactorsByTheirLogarithm) {
  for (const char* name : {"dekf", "error-ekf"}) {
    Squares factors(false, 1e6), logarithms(true, 1e6);
    const auto filter = make_estimator(name, factors), other = make_estimator(name, logarithms);
    const Eigen::Vector2d start(1.0, 0.5), relative(0.3, 0.6);
    ASSERT_TRUE(
        filter->start(0.0, start, start.cwiseProduct(relative).cwiseAbs2().asDiagonal().toDenseMatrix()));
    ASSERT_TRUE(
        other->start(0.0, start.array().log().matrix(), relative.cwiseAbs2().asDiagonal().toDenseMatrix()));
    for (int k = 0; k < 6; ++k) {
      const double y = k % 2 == 0 ? 2.0 : 1.0;
      for (const auto& one : {filter.get(), other.get()}) {
        EXPECT_EQ(one->update(k % 2, VectorXd::Constant(1, y), kNoGate).status,
                  UpdateReport::Status::kAccepted);
        EXPECT_TRUE(one->predict(0.01));
      }
      const VectorXd expected = other->mean().array().exp();
      EXPECT_LE((filter->mean() - expected).norm(), 1e-12) << name << " " << k;
      const MatrixXd P = expected.asDiagonal() * other->covariance() * expected.asDiagonal();
      EXPECT_LE((filter->covariance() - P).norm(), 1e-12) << name << " " << k;
    }
  }
}

// contract
TEST(GaussianFilters, KeepFactorsPositiveAndWithinTheirReach) {
  for (const char* name : {"dekf", "ukf", "cekf", "error-ekf"}) {
    Squares system(false, 20.0);
    const auto filter = make_estimator(name, system);
    ASSERT_TRUE(filter->start(0.0, VectorXd::Ones(2), MatrixXd::Identity(2, 2)));
    for (const double y : {-50.0, -50.0, 1e5, -1e5, 0.0}) {
      EXPECT_NE(filter->update(0, VectorXd::Constant(1, y), kNoGate).status, UpdateReport::Status::kFailed)
          << name;
      for (const double factor : filter->mean())
        EXPECT_TRUE(factor >= 0.05 && factor <= 20.0) << name << " " << factor;
    }
  }
}

/// Position, rate, and a parameter; no state follows where it is told so.
class Walker final : public test::LinearSystem {
 public:
  Walker()
      : LinearSystem(MatrixXd::Identity(3, 3), 1e-8 * MatrixXd::Identity(3, 3),
                     {{.H = Eigen::RowVector3d(1.0, 0.0, 0.0),
                       .R_n = MatrixXd::Constant(1, 1, 1e-4),
                       .period = 0.01}}) {
    states_[1].is_rate = true;
    states_[2].is_parameter = true;
  }
  bool step(double, double h, StateRef x) override {
    x[0] += h * x[1];
    x[2] += 0.5 * h;
    return can_step;
  }
  bool step(double t, double h, StateRef x, MatrixRef F) override {
    F.setIdentity();
    F(0, 1) = h;
    return step(t, h, x);
  }
  bool can_step = true;
};

TEST(EstimationRun, BeginsAnewWhereItBelievedAReadingLast_WithTheParametersOfItsStart) {
  Walker system;
  const auto filter = make_estimator("dekf", system);
  const Eigen::Vector3d start(0.0, 3.0, 0.7);
  const MatrixXd P = Eigen::Vector3d(1e-4, 1e-2, 0.25).asDiagonal();
  ASSERT_TRUE(filter->start(0.0, start, P));
  sensing::FrontEnd front_end({{.name = "x",
                                .channels = {{.name = "x", .dimension = core::kLength, .noise = 0.01}},
                                .period = milliseconds(10)}},
                              {.window = core::Duration()});
  EstimationRun run(system, *filter, front_end, {});
  const auto read = [&](std::int64_t ms, double y) {
    Reading reading{.t = at(ms)};
    reading.values[0] = y;
    front_end.receive(reading);
  };
  read(10, 0.03);
  for (int k = 0; k < 10; ++k) run.step();
  const double believed = filter->mean()[0];
  for (int k = 0; k < 30; ++k) run.step();
  EXPECT_GT(filter->mean()[0], believed + 0.05);
  EXPECT_FALSE(run.lost_time().is_lost(run.now()));
  system.can_step = false;
  run.step();
  EXPECT_EQ(run.num_restarts(), 1);
  EXPECT_TRUE(run.lost_time().is_lost(run.now()));
  EXPECT_EQ(filter->mean()[0], believed);
  EXPECT_EQ(filter->mean()[1], 0.0);
  EXPECT_EQ(filter->mean()[2], 0.7);
  EXPECT_NEAR(filter->covariance()(2, 2), 0.25, 1e-12);
  EXPECT_EQ(filter->covariance()(2, 0), 0.0);
}

/// The angle of a bar whose tip is tracked: y = (cos x, sin x).
class TrackedBar final : public test::LinearSystem {
 public:
  TrackedBar()
      : LinearSystem(MatrixXd::Identity(1, 1), MatrixXd::Constant(1, 1, 1e-8),
                     {{.H = MatrixXd::Zero(2, 1), .R_n = 1e-6 * MatrixXd::Identity(2, 2), .period = 0.01}}) {
    states_[0].unknown_scale = std::numbers::pi;
  }
  bool step(double, double, StateRef) override { return can_step; }
  bool step(double t, double h, StateRef x, MatrixRef F) override {
    F.setIdentity();
    return step(t, h, x);
  }
  bool measure(double, ConstStateRef x, int, StateRef y) override {
    y << std::cos(x[0]), std::sin(x[0]);
    return true;
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override {
    H << -std::sin(x[0]), std::cos(x[0]);
    return measure(t, x, sensor, y);
  }
  bool can_step = true;
};

TEST(EstimationRun, FitsItsPositionToTheFirstReadingAfterARestart) {
  TrackedBar system;
  const auto filter = make_estimator("dekf", system);
  ASSERT_TRUE(filter->start(0.0, VectorXd::Constant(1, 0.0), MatrixXd::Constant(1, 1, 0.1)));
  sensing::FrontEnd front_end({{.name = "tip",
                                .channels = {{.name = "tip.x", .dimension = core::kLength, .noise = 1e-3},
                                             {.name = "tip.y", .dimension = core::kLength, .noise = 1e-3}},
                                .period = milliseconds(10)}},
                              {.window = core::Duration()});
  EstimationRun run(system, *filter, front_end, {.false_alarms = 0.0});
  system.can_step = false;
  run.step();
  system.can_step = true;
  Reading reading{.t = at(2)};
  const double truth = 1.3;  // one step of Newton's from 0 leads to sin 1.3 = 0.96
  reading.values[0] = std::cos(truth);
  reading.values[1] = std::sin(truth);
  front_end.receive(reading);
  run.step();
  EXPECT_EQ(run.num_restarts(), 1);
  EXPECT_NEAR(filter->mean()[0], truth, 1e-3);
}

}  // namespace
}  // namespace eslabon::estimation
