// Motions in all kinds of coordinates and by both global methods against closed forms that share no code with them.
#include "eslabon/kinematics/motion.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::kinematics {
namespace {

std::string model_file(const std::string& name) {
  return std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml";
}

using test::DrivenRun;
using test::EveryWay;
using test::turn_difference;

// 1e-12 relative is what is promised: lengths of 0.8 m, angles of some radians.
TEST_P(EveryWay, TestbedEqualsTrigonometry_OverOneTurn) {
  constexpr double kSpeed = 1.8190, g = 0.8, a = 0.12, h = 0.54, b = 0.455, L13 = 0.384, L32 = 0.212;
  const double x3 = (h * h + L13 * L13 - L32 * L32) / (2.0 * h), y3 = std::sqrt(L13 * L13 - x3 * x3);
  const double turn = 2.0 * std::numbers::pi / kSpeed;
  DrivenRun run(io::load_model(model_file("fourbar-testbed"), {}), turn, method(), kind());
  constexpr int kSteps = 200;
  for (int k = 0; k <= kSteps; ++k) {
    const double t = turn * k / kSteps;
    if (k > 0) {
      ASSERT_TRUE(run.advance_to(t));
    }
    const auto expected =
        test::four_bar_motion(g, a, h, b, 0.5 * std::numbers::pi + kSpeed * t, kSpeed, true);
    const auto P3 = test::coupler_point(expected, a, x3, y3);
    const double tolerance = test::tolerance_scale() * 1e-12;
    ASSERT_NEAR(turn_difference(run.value("crank.angle"), expected.theta), 0.0, 8 * tolerance) << t;
    ASSERT_NEAR(turn_difference(run.value("coupler.angle"), expected.phi), 0.0, tolerance) << t;
    ASSERT_NEAR(turn_difference(run.value("rocker.angle"), expected.psi), 0.0, tolerance) << t;
    ASSERT_NEAR(run.value("coupler.rate"), expected.phi_dot, tolerance) << t;
    ASSERT_NEAR(run.value("rocker.rate"), expected.psi_dot, tolerance) << t;
    ASSERT_NEAR(run.value("coupler.P3.x"), P3.position.x(), tolerance) << t;
    ASSERT_NEAR(run.value("coupler.P3.y"), P3.position.y(), tolerance) << t;
    ASSERT_NEAR(run.value("coupler.P3.ax"), P3.acceleration.x(), tolerance) << t;
    ASSERT_NEAR(run.value("coupler.P3.ay"), P3.acceleration.y(), tolerance) << t;
  }
  EXPECT_TRUE(run.motion.events().empty());
}

/// C_i of the scalable four-bar by intersecting circles, from the crank on: its x and y.
std::vector<Eigen::Vector2d> circle_intersections(int dyads, double crank_angle) {
  std::vector<Eigen::Vector2d> points;
  Eigen::Vector2d P(2.0 * std::cos(crank_angle), 2.0 * std::sin(crank_angle));
  for (int i = 1; i <= dyads; ++i) {
    const Eigen::Vector2d D(6.0 * i, 0.0), d = D - P;
    const Eigen::Vector2d across(-d.y(), d.x());
    P += 0.5 * d + std::sqrt(36.0 / d.squaredNorm() - 0.25) * across;
    points.push_back(P);
  }
  return points;
}

TEST_P(EveryWay, ScalableFourBarEqualsCircleIntersection_OverTwoTurns) {
  for (const int dyads : {1, 5, 17, 100}) {
    const double until = 4.0 * std::numbers::pi;
    DrivenRun run(io::load_model("family:scalable-fourbar,dyads=" + std::to_string(dyads), {}), until,
                  method(), kind());
    constexpr int kSteps = 160;
    for (int k = 0; k <= kSteps; ++k) {
      const double t = until * k / kSteps;
      if (k > 0) {
        ASSERT_TRUE(run.advance_to(t));
      }
      const auto expected = circle_intersections(dyads, 0.5 * std::numbers::pi + t);
      for (int i = 1; i <= dyads; ++i) {
        const std::string C = "coupler_" + std::to_string(i) + ".C.";
        // A dyad hands its error on to the next; lengths are of 6 m.
        const double tolerance = test::roundoff(40.0 * (i + 2), 6.0);
        ASSERT_NEAR(run.value(C + "x"), expected[static_cast<std::size_t>(i - 1)].x(),
                    tolerance + test::roundoff(4, 6.0 * i))
            << dyads << " " << i << " " << t;
        ASSERT_NEAR(run.value(C + "y"), expected[static_cast<std::size_t>(i - 1)].y(),
                    tolerance + test::roundoff(4, 6.0 * i))
            << dyads << " " << i << " " << t;
      }
    }
    EXPECT_TRUE(run.motion.events().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryWay, test::every_way(), test::way_name);

}  // namespace
}  // namespace eslabon::kinematics
