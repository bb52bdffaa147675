#include "eslabon/sensing/recorded_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/sentence_of.hpp"
#include "tests/simulated_case.hpp"
#include "tests/testbed_closed_form.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::sensing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// The crank's angle as a function of time that is written down, with its derivatives.
struct WrittenCrank {
  double speed = 0.0;  ///< [rad/s] on average
  static constexpr double kSize = 1.3, kFrequency = 4.0;

  double angle(double t) const { return 1.4 + speed * t + kSize * std::sin(kFrequency * t); }
  double rate(double t) const { return speed + kSize * kFrequency * std::cos(kFrequency * t); }
  double acceleration(double t) const { return -kSize * kFrequency * kFrequency * std::sin(kFrequency * t); }
  static double sixth_derivative() { return kSize * std::pow(kFrequency, 6); }  ///< at most
};

/// The testbed, its crank recorded every h seconds from `begin` on, where the time of the crank is 0.
struct RecordedCase {
  RecordedCase(const WrittenCrank& crank, double h, double until, double begin = 0.0)
      : c(test::load_released("fourbar-testbed")),
        reduced(c.model, {}, dynamics::ReducedMotion::Use::kKinematics, {"A.q"}) {
    const auto rows = static_cast<Index>(std::lround(until / h)) + 1;
    std::vector<double> t;
    MatrixXd z(rows, 1), z_dot(rows, 1), z_ddot(rows, 1);
    for (Index i = 0; i < rows; ++i) {
      const double elapsed = h * static_cast<double>(i);
      t.push_back(begin + elapsed);
      z(i, 0) = crank.angle(elapsed);
      z_dot(i, 0) = crank.rate(elapsed);
      z_ddot(i, 0) = crank.acceleration(elapsed);
    }
    EXPECT_EQ(reduced.coordinate(0).name, "A.q");
    motion.emplace(reduced, RecordedCoordinates{{"A.q"}, t, z, z_dot, z_ddot});
  }

  test::DynamicCase c;
  dynamics::ReducedMotion reduced;
  std::optional<RecordedMotion> motion;
};

double rocker_angle(double theta) {
  using T = test::TestbedMotion;
  return test::four_bar_motion(T::g, T::a, T::h, T::b, theta, 0.0, true).psi;
}
double angle_of(const coordinates::BodyMotion& body) {
  const auto& R = body.X_WB.R_AB.matrix();
  return std::atan2(R(1, 0), R(0, 0));
}

// order, analytic: errors of z, ż, z̈ fall as h⁶, h⁵, h⁴; half way between rows that of z is h⁶/46080 of the sixth derivative.
TEST(RecordedMotion, FollowsAWrittenMotion_WithErrorsOfItsOrder) {
  const WrittenCrank crank{.speed = 2.0};
  struct Errors {
    double z = 0.0, rate = 0.0, acceleration = 0.0, rocker = 0.0;
  } last;
  for (const double h : {0.08, 0.04, 0.02}) {
    RecordedCase recorded(crank, h, 1.6);
    Errors e;
    for (int k = 0; k <= 640; ++k) {
      const double t = 0.0025 * k;
      const dynamics::ReducedPoint& point = recorded.motion->at(t);
      e.z = std::max(e.z, std::abs(point.z[0] - crank.angle(t)));
      e.rate = std::max(e.rate, std::abs(point.z_dot[0] - crank.rate(t)));
      e.acceleration = std::max(e.acceleration, std::abs(point.z_ddot[0] - crank.acceleration(t)));
      e.rocker =
          std::max(e.rocker, std::abs(std::remainder(angle_of(point.bodies[3]) - rocker_angle(crank.angle(t)),
                                                     2.0 * std::numbers::pi)));
      EXPECT_LE(recorded.reduced.constraint_error(point), 1e-12);
    }
    const double bound = std::pow(h, 6) / 46080.0 * WrittenCrank::sixth_derivative();
    EXPECT_LE(e.z, 1.001 * bound + 1e-15) << h;
    EXPECT_GE(e.z, 0.9 * bound) << h;
    if (last.z > 0.0) {
      EXPECT_NEAR(std::log2(last.z / e.z), 6.0, 0.2) << h;
      EXPECT_NEAR(std::log2(last.rate / e.rate), 5.0, 0.2) << h;
      EXPECT_NEAR(std::log2(last.acceleration / e.acceleration), 4.0, 0.2) << h;
      EXPECT_NEAR(std::log2(last.rocker / e.rocker), 6.0, 0.3) << h;
    }
    last = e;
  }
}

TEST(RecordedMotion, HasTheNumbersOfItsRows) {
  const WrittenCrank crank{.speed = 1.0};
  RecordedCase recorded(crank, 0.05, 1.0);
  EXPECT_EQ(recorded.motion->begin(), 0.0);
  EXPECT_EQ(recorded.motion->end(), 0.05 * 20);
  for (int k = 0; k <= 20; ++k) {
    const double t = 0.05 * k;
    const dynamics::ReducedPoint& point = recorded.motion->at(t);
    // The last row is the end of an interval; differences over h and h² carry their rounding.
    EXPECT_NEAR(point.z[0], crank.angle(t), k < 20 ? 0.0 : 1e-14);
    EXPECT_NEAR(point.z_dot[0], crank.rate(t), k < 20 ? 1e-14 : 1e-12);
    EXPECT_NEAR(point.z_ddot[0], crank.acceleration(t), k < 20 ? 1e-13 : 1e-10);
  }
}

TEST(RecordedMotion, FindsTheSameMotion_WhereverItWasBefore) {
  const WrittenCrank crank{.speed = 9.0};
  for (const double begin : {0.0, -8.0, 100.0}) {
    RecordedCase recorded(crank, 0.01, 4.0, begin);
    core::Rng rng(1);
    for (int k = 0; k < 100; ++k) {
      const double t = k == 0 ? 4.0 : 4.0 * rng.uniform();
      const dynamics::ReducedPoint& point = recorded.motion->at(begin + t);
      ASSERT_NEAR(point.z[0], crank.angle(t), 1e-9) << begin << " " << t;
      ASSERT_LE(std::abs(std::remainder(angle_of(point.bodies[3]) - rocker_angle(crank.angle(t)),
                                        2.0 * std::numbers::pi)),
                1e-9)
          << begin << " " << t;
    }
  }
}

// crosscheck: a simulation whose rows are read back; between them it was computed by other formulas.
TEST(RecordedMotion, ReproducesASimulatedRun_BetweenItsRows) {
  test::SimulatedCase run(test::load_released("fourbar-testbed"), 1.5,
                          {.formulation = "groups", .kind = "", .options = {.rtol = 1e-12, .atol = 1e-12}});
  std::vector<coordinates::MechanismMotion> truth;
  std::vector<std::array<double, 3>> crank;
  for (int k = 0; k <= 300; ++k) {
    ASSERT_TRUE(run.advance_to(0.005 * k));
    truth.push_back(run.bodies);
    crank.push_back({run.value("A.q"), run.value("A.v"), run.value("A.a")});
  }
  dynamics::ReducedMotion reduced(run.c.model, {}, dynamics::ReducedMotion::Use::kKinematics, {"A.q"});
  std::vector<double> t;
  MatrixXd z(151, 1), z_dot(151, 1), z_ddot(151, 1);
  double unwrapped = crank[0][0];
  for (Index i = 0; i <= 150; ++i) {
    const auto& row = crank[static_cast<std::size_t>(2 * i)];
    t.push_back(0.01 * static_cast<double>(i));
    unwrapped += std::remainder(row[0] - unwrapped, 2.0 * std::numbers::pi);
    z(i, 0) = unwrapped;
    z_dot(i, 0) = row[1];
    z_ddot(i, 0) = row[2];
  }
  RecordedMotion recorded(reduced, {{reduced.coordinate(0).name}, t, z, z_dot, z_ddot});
  for (int k = 0; k <= 300; ++k) {
    const auto& point = recorded.at(0.005 * k);
    for (std::size_t b = 1; b < truth[0].size(); ++b) {
      const coordinates::BodyMotion &is = point.bodies[b], &was = truth[static_cast<std::size_t>(k)][b];
      EXPECT_LE((is.X_WB.p_AB_A - was.X_WB.p_AB_A).norm(), 1e-10) << k;
      EXPECT_LE((is.X_WB.R_AB.matrix() - was.X_WB.R_AB.matrix()).norm(), 1e-10) << k;
      EXPECT_LE((is.w_WB_W - was.w_WB_W).norm(), 1e-8) << k;
      EXPECT_LE((is.alpha_WB_W - was.alpha_WB_W).norm(), 1e-5) << k;
      EXPECT_LE((is.a_WB_W - was.a_WB_W).norm(), 1e-5) << k;
    }
  }
}

TEST(RecordedMotion, OfOneRow_StaysThere) {
  const test::DynamicCase c(test::load_released("fourbar-testbed"));
  dynamics::ReducedMotion reduced(c.model, {}, dynamics::ReducedMotion::Use::kKinematics, {"A.q"});
  const auto row = [](double x) { return MatrixXd::Constant(1, 1, x); };
  RecordedMotion recorded(reduced, {{"A.q"}, {2.0}, row(1.5), row(0.3), row(-0.2)});
  EXPECT_EQ(recorded.begin(), recorded.end());
  EXPECT_EQ(recorded.at(2.0).z[0], 1.5);
  EXPECT_EQ(recorded.at(2.0).z_dot[0], 0.3);
  EXPECT_EQ(recorded.at(2.0).z_ddot[0], -0.2);
}

TEST(RecordedMotion, SaysSo_WhenTheMechanismCannotBeThere) {
  const test::DynamicCase c(test::load_released("fourbar-testbed"));
  dynamics::ReducedMotion reduced(c.model, {}, dynamics::ReducedMotion::Use::kKinematics, {"B.q"});
  ASSERT_EQ(reduced.coordinate(0).name, "B.q");
  const double start = reduced.start().z[0];
  MatrixXd z(2, 1);
  z << start, start - 2.0;
  RecordedMotion recorded(reduced,
                          {{"B.q"}, {0.0, 1.0}, z, MatrixXd::Constant(2, 1, -2.0), MatrixXd::Zero(2, 1)});
  EXPECT_NO_THROW((void)recorded.at(0.05));
  EXPECT_THAT(test::sentence_of<core::ModelError>([&] { (void)recorded.at(1.0); }),
              testing::HasSubstr(
                  "the recorded motion does not fit the mechanism [t = 1 s]: expected positions at "
                  "which the mechanism can be closed, got none on the branch of its start, by 'B.q'."));
  EXPECT_NO_THROW((void)recorded.at(0.05)) << "a motion that fails there is still known elsewhere";
}

}  // namespace
}  // namespace eslabon::sensing
