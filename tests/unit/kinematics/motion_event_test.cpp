// Limits, jumps and corners of driven motions against the law of cosines.
#include "eslabon/kinematics/motion_event.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/four_bar_runs.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::kinematics {
namespace {

using Eigen::Vector3d;
using model::DriverLevel;
using model::JointType;
using model::TimeFunction;
using test::DrivenRun;
using test::follow;
using test::four_bar;
using test::four_bar_at;
using test::kTestbed;
using test::motor;
using test::rocker_at_reach;
using test::turn_difference;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr double kPi = std::numbers::pi;

class EventInEveryWay : public test::EveryWay {};

// ---- Limits --------------------------------------------------------------------------------------------------------

// The rocker of a crank-rocker goes to where crank and coupler are in line: extended one way, folded the other way.
// Positions near a limit have an error of √ε where two solutions are about to meet: angles that stand still there.
TEST_P(EventInEveryWay, RockerOfTestbedStopsWhereCrankAndCouplerAreInLine) {
  for (const double speed : {-0.3, 0.2}) {
    const double limit = rocker_at_reach(kTestbed, kTestbed.h + (speed < 0.0 ? kTestbed.a : -kTestbed.a));
    for (const double step : {0.001, 0.05, 0.5}) {
      DrivenRun run(four_bar_at(kTestbed, 0.5 * kPi, true, motor("B.q", speed)), 5.0, method(), kind());
      const double start = run.value("rocker.angle");
      follow(run, step, 5.0, [&](double t) {
        const double psi = start + speed * t;
        // Seen in a mirror the rocker is the crank.
        const auto mirrored =
            test::four_bar_motion(kTestbed.g, kTestbed.b, kTestbed.h, kTestbed.a, kPi - psi, -speed, true);
        const double near = std::abs(psi - limit);
        const double tolerance = test::tolerance_scale() * 1e-13 / std::sqrt(near);
        ASSERT_NEAR(turn_difference(run.value("rocker.angle"), psi), 0.0, 1e-13) << t;
        ASSERT_NEAR(turn_difference(run.value("crank.angle"), kPi - mirrored.psi), 0.0, tolerance) << t;
        ASSERT_NEAR(turn_difference(run.value("coupler.angle"), -mirrored.phi), 0.0, tolerance) << t;
        ASSERT_NEAR(run.value("crank.rate"), -mirrored.psi_dot, tolerance / near) << t;
      });
      if (HasFatalFailure()) return;
      ASSERT_EQ(run.motion.events().size(), 1u) << speed << " " << step;
      const MotionEvent& event = run.motion.events().front();
      EXPECT_EQ(event.kind, MotionEvent::Kind::kLimit);
      ASSERT_EQ(event.driver_values.size(), 1u);
      EXPECT_NEAR(event.driver_values[0], limit, test::tolerance_scale() * 1e-12) << step;
      EXPECT_NEAR(event.t, (limit - start) / speed, test::tolerance_scale() * 1e-11) << step;
      EXPECT_EQ(event.driver, "motor");
      EXPECT_THAT(event.joints, UnorderedElementsAre("A", "P1", "P2"));  // B stands still
      EXPECT_LE(run.motion.state().t, event.t);
      EXPECT_GE(run.motion.state().t, event.t - 1e-6);
      EXPECT_FALSE(run.advance_to(5.0)) << "it must not go on after the limit";
      EXPECT_EQ(run.motion.events().size(), 1u) << "nor say it twice";
    }
  }
}

// Whoever has a method can ask: nothing but the motion of the bodies is needed of it.
TEST_P(EventInEveryWay, ProbeFindsTheLimitAhead_OfAPositionThatTheMethodHasSolved) {
  constexpr double kUntil = 5.0;
  const DrivenRun run(four_bar_at(kTestbed, 0.7, true, motor("B.q", -0.3)), kUntil, "sparse", "natural");
  const auto solver = make_kinematic_method(method(), kind(), run.driven);
  State state = solver->start();
  std::vector<coordinates::CoordinateValue> values(run.driven.prescribed().size());
  run.driven.evaluate_or_throw(0.0, values);
  const PositionSolution solved = solver->solve_positions(values, 10, state.q);
  ASSERT_TRUE(solved.position);
  static_cast<void>(solver->solve_velocities(*solved.position, state.v));
  const auto limit = SingularityProbe(*solver, run.driven).find_limit(state, 1.0, kUntil);
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->kind, MotionEvent::Kind::kLimit);
  EXPECT_NEAR(limit->driver_values[0], rocker_at_reach(kTestbed, kTestbed.h + kTestbed.a),
              test::tolerance_scale() * 1e-12);
  EXPECT_THAT(limit->joints, UnorderedElementsAre("A", "P1", "P2"));
}

TEST(MotionEvent, LimitSaysWhoWhereAndWhatToDo) {
  DrivenRun run(four_bar_at(kTestbed, 0.5 * kPi, true, motor("B.q", -0.3)), 5.0, "global", "natural");
  ASSERT_FALSE(run.advance_to(5.0));
  const MotionEvent& event = run.motion.events().front();
  EXPECT_EQ(event.brief(run.mechanism),
            "driver 'motor' cannot go beyond t = 0.452472657 s, B.q = 2.1714044 rad: joint 'P1' is at a "
            "toggle (P1, A, P2 "
            "can move while the driver stands still)");
  const core::ErrorText text = event.error_text(run.mechanism);
  EXPECT_EQ(text.where, "driver 'motor', joint 'P1'");
  EXPECT_THAT(text.next, HasSubstr("Keep the driver within this limit, or drive another joint"));
}

/// Crank of 0.05 m at O, rod of 0.175 m, slider on the x axis; the slider is driven.
model::Mechanism slider_crank(double crank_angle, const model::DriverDescription& driver) {
  constexpr double a = 0.05, r = 0.175;
  model::MechanismBuilder builder("slider-crank", model::Space::kPlanar);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "crank", .points = {{"O", {0, 0, 0}}, {"A", {a, 0, 0}}}});
  builder.add_body({.name = "rod", .points = {{"A", {0, 0, 0}}, {"B", {r, 0, 0}}}});
  builder.add_body({.name = "slider", .points = {{"B", {0, 0, 0}}}});
  builder.add_joint({"O", JointType::kRevolute, "ground.O", "crank.O"});
  builder.add_joint({"A", JointType::kRevolute, "crank.A", "rod.A"});
  builder.add_joint({"B", JointType::kRevolute, "rod.B", "slider.B"});
  builder.add_joint({"guide", JointType::kPrismatic, "ground.O", "slider.B",
                     model::AxisPair{Vector3d::UnitX(), Vector3d::UnitX()}});
  builder.add_driver(driver);
  const double rod_angle = std::asin(-a * std::sin(crank_angle) / r);
  builder.add_start_value("crank.angle", crank_angle);
  builder.add_start_value("rod.angle", rod_angle);
  builder.add_start_value("guide.q", a * std::cos(crank_angle) + r * std::cos(rod_angle));
  return builder.build();
}

TEST_P(EventInEveryWay, SliderStopsAtBothDeadCentres) {
  for (const double speed : {0.02, -0.02}) {
    const double limit = speed > 0.0 ? 0.175 + 0.05 : 0.175 - 0.05;
    for (const double step : {0.001, 0.05, 0.5}) {
      DrivenRun run(slider_crank(kPi / 3.0, {"piston", "guide.q", DriverLevel::kSpeed, speed}), 6.0, method(),
                    kind());
      const double start = run.value("guide.q");
      follow(run, step, 6.0, [&](double t) {
        const double x = start + speed * t;  // law of cosines in the triangle O A B
        const double expected = std::acos((x * x + 0.05 * 0.05 - 0.175 * 0.175) / (2.0 * 0.05 * x));
        ASSERT_NEAR(run.value("crank.angle"), expected,
                    test::tolerance_scale() * 1e-13 / std::sqrt(std::abs(x - limit)))
            << t;
      });
      if (HasFatalFailure()) return;
      ASSERT_EQ(run.motion.events().size(), 1u) << speed << " " << step;
      const MotionEvent& event = run.motion.events().front();
      EXPECT_EQ(event.kind, MotionEvent::Kind::kLimit);
      EXPECT_NEAR(event.driver_values[0], limit, test::tolerance_scale() * 1e-12) << step;
      EXPECT_EQ(event.driver, "piston");
      EXPECT_THAT(event.joints, UnorderedElementsAre("O", "A", "B"));
    }
  }
}

// Started within 1e-9 rad of the limit, where the Jacobian is nearly singular already.
TEST_P(EventInEveryWay, LimitIsFoundFromRightBesideIt) {
  const double limit = rocker_at_reach(kTestbed, kTestbed.h + kTestbed.a);
  const double psi = limit + 1e-6;
  const auto mirrored =
      test::four_bar_motion(kTestbed.g, kTestbed.b, kTestbed.h, kTestbed.a, kPi - psi, 0.0, true);
  DrivenRun run(four_bar(kTestbed, kPi - mirrored.psi, -mirrored.phi, psi, motor("B.q", -1.0)), 5.0, method(),
                kind());
  EXPECT_FALSE(run.advance_to(1.0));
  ASSERT_EQ(run.motion.events().size(), 1u);
  EXPECT_EQ(run.motion.events()[0].kind, MotionEvent::Kind::kLimit);
  EXPECT_NEAR(run.motion.events()[0].driver_values[0], limit, test::tolerance_scale() * 1e-12);
}

// A driver that turns round right before the limit never meets it; one that turns right behind it does.
TEST_P(EventInEveryWay, DriverThatTurnsBackBeforeTheLimitGoesOn) {
  const double limit = rocker_at_reach(kTestbed, kTestbed.h + kTestbed.a);
  const double start =
      test::four_bar_motion(kTestbed.g, kTestbed.a, kTestbed.h, kTestbed.b, 0.5 * kPi, 0.0, true).psi;
  const TimeFunction t = TimeFunction::time();
  for (const double margin : {1e-2, 1e-4, 1e-6, -1e-6, -1e-3}) {
    const TimeFunction psi = start + (limit + margin - start) * 0.5 * (1.0 - cos(t));
    DrivenRun run(four_bar_at(kTestbed, 0.5 * kPi, true, {"motor", "B.q", DriverLevel::kPosition, psi}), 7.0,
                  method(), kind());
    const bool is_good = run.advance_to(2.0 * kPi);
    EXPECT_EQ(is_good, margin > 0.0) << margin;
    if (is_good) {
      EXPECT_TRUE(run.motion.events().empty())
          << margin << ": " << run.motion.events()[0].brief(run.mechanism);
      // Back at the start, on the branch of the start.
      EXPECT_NEAR(run.value("crank.angle"), 0.5 * kPi, test::tolerance_scale() * 1e-12) << margin;
    } else {
      EXPECT_EQ(run.motion.events().back().kind, MotionEvent::Kind::kLimit) << margin;
      EXPECT_NEAR(run.motion.events().back().driver_values[0], limit, test::tolerance_scale() * 1e-12)
          << margin;
    }
  }
}

/// Pins at (0, 0) and (0.5, 0), bars of 0.4 m, the last one of 0.05 m; both bars on the ground are driven.
model::Mechanism five_bar(double right_angle, const model::DriverDescription& left,
                          const model::DriverDescription& right) {
  model::MechanismBuilder builder("five-bar", model::Space::kPlanar);
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("E", {0.5, 0.0, 0.0});
  for (const char* name : {"left", "left_arm", "right_arm"})
    builder.add_body({.name = name, .points = {{"S", {0, 0, 0}}, {"T", {0.4, 0, 0}}}});
  builder.add_body({.name = "right", .points = {{"S", {0, 0, 0}}, {"T", {0.05, 0, 0}}}});
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "left.S"});
  builder.add_joint({"B", JointType::kRevolute, "left.T", "left_arm.S"});
  builder.add_joint({"C", JointType::kRevolute, "left_arm.T", "right_arm.T"});
  builder.add_joint({"D", JointType::kRevolute, "right_arm.S", "right.T"});
  builder.add_joint({"E", JointType::kRevolute, "ground.E", "right.S"});
  builder.add_driver(left);
  builder.add_driver(right);
  builder.add_start_value("left.angle", 1.7);
  builder.add_start_value("right.angle", right_angle);
  builder.add_start_value("left_arm.angle", 0.6);
  builder.add_start_value("right_arm.angle", 2.0);
  return builder.build();
}

// The left bar swings outwards until both arms are in line. The short right one turns faster, but moves its pin less:
// the driver that is at its limit is the left one, whichever is the faster.
TEST_P(EventInEveryWay, FiveBarNamesTheDriverThatIsAtItsLimit) {
  for (const double right_speed : {1.0, -1.0, 0.1}) {
    DrivenRun run(five_bar(1.2, {"swing", "A.q", DriverLevel::kSpeed, 0.3},
                           {"stir", "E.q", DriverLevel::kSpeed, right_speed}),
                  10.0, method(), kind());
    follow(run, 0.05, 10.0, [](double) {});
    ASSERT_EQ(run.motion.events().size(), 1u);
    const MotionEvent& event = run.motion.events().front();
    EXPECT_EQ(event.kind, MotionEvent::Kind::kLimit);
    EXPECT_EQ(event.driver, "swing");
    // Arms in line: the pins B and D are 0.8 m apart, and the left bar drives them farther apart than the right one.
    ASSERT_EQ(event.driver_values.size(), 2u);
    const double left = event.driver_values[0], right = event.driver_values[1];
    const Eigen::Vector2d B(0.4 * std::cos(left), 0.4 * std::sin(left));
    const Eigen::Vector2d D(0.5 + 0.05 * std::cos(right), 0.05 * std::sin(right));
    EXPECT_NEAR((B - D).norm(), 0.8, test::tolerance_scale() * 1e-12);
    const Eigen::Vector2d B_dot = 0.3 * Eigen::Vector2d(-B.y(), B.x());
    const Eigen::Vector2d D_dot = right_speed * Eigen::Vector2d(-D.y(), D.x() - 0.5);
    ASSERT_GT((B - D).dot(B_dot), -(B - D).dot(D_dot)) << "a right bar that matters less";
    EXPECT_THAT(event.joints, UnorderedElementsAre("B", "C", "D"));
  }
}

// ---- Functions that jump, or have corners --------------------------------------------------------------------------

TEST_P(EventInEveryWay, JumpOfADriverIsNamed) {
  const TimeFunction t = TimeFunction::time();
  const TimeFunction sign = (t - 0.7701234) / abs(t - 0.7701234);
  const std::vector<TimeFunction> jumping{
      0.5 * kPi + t + 0.2 * sign, atan2(sin(t + 2.37159265), cos(t + 2.37159265)), 0.5 * kPi + 0.2 * sign};
  for (const double step : {0.001, 0.05, 0.5}) {
    for (std::size_t i = 0; i < jumping.size(); ++i) {
      const double theta = jumping[i].evaluate(0.0);
      DrivenRun run(four_bar_at(kTestbed, theta, true, {"motor", "A.q", DriverLevel::kPosition, jumping[i]}),
                    3.0, method(), kind());
      follow(run, step, 3.0, [&](double time) {
        const auto m = test::four_bar_motion(kTestbed.g, kTestbed.a, kTestbed.h, kTestbed.b,
                                             jumping[i].evaluate(time), 1.0, true);
        ASSERT_NEAR(turn_difference(run.value("rocker.angle"), m.psi), 0.0, 1e-11) << time;
      });
      ASSERT_EQ(run.motion.events().size(), 1u) << step << " " << i;
      const MotionEvent& event = run.motion.events().front();
      EXPECT_EQ(event.kind, MotionEvent::Kind::kJump) << event.brief(run.mechanism);
      EXPECT_EQ(event.driver, "motor");
      EXPECT_NEAR(event.t, i == 1 ? kPi - 2.37159265 : 0.7701234, 1e-12);
      EXPECT_THAT(event.brief(run.mechanism), HasSubstr("the function of driver 'motor' jumps at t = 0.7"));
      EXPECT_EQ(event.error_text(run.mechanism).where, "driver 'motor'");
    }
  }
}

// A speed that jumps is no jump of the position: motors start, stop and turn round at once in many files.
TEST_P(EventInEveryWay, CornersOfADriverAreNoEvents) {
  const TimeFunction t = TimeFunction::time();
  const TimeFunction sign = max(-1.0, min(1.0, 1e12 * (t - 0.7701234)));  // has a value everywhere
  struct Corner {
    const char* what;
    DriverLevel level;
    TimeFunction f;
  };
  const std::vector<Corner> corners{
      {"turns back", DriverLevel::kPosition, 0.5 * kPi + abs(t - 0.7701234)},
      {"starts late", DriverLevel::kPosition, 0.5 * kPi + max(0.0, t - 0.7701234)},
      {"stops", DriverLevel::kPosition, 0.5 * kPi + min(3.0 * t, 2.31)},
      {"turns back fast", DriverLevel::kPosition, 0.5 * kPi + 30.0 * abs(t - 0.7701234)},
      {"square wave", DriverLevel::kSpeed, 5.0 * sign},
      {"stands still", DriverLevel::kPosition, 0.5 * kPi},
      {"starts softly", DriverLevel::kPosition, 0.5 * kPi + 0.2 * t * t * t * t * t},
      {"steps acceleration", DriverLevel::kAcceleration, 3.0 * sign}};
  for (const Corner& corner : corners)
    for (const double step : {0.001, 0.05, 3.0}) {
      const double theta = corner.level == DriverLevel::kPosition ? corner.f.evaluate(0.0) : 0.5 * kPi;
      DrivenRun run(four_bar_at(kTestbed, theta, true, {"motor", "A.q", corner.level, corner.f}), 3.0,
                    method(), kind());
      follow(run, step, 3.0, [&](double time) {
        const auto m = test::four_bar_motion(kTestbed.g, kTestbed.a, kTestbed.h, kTestbed.b,
                                             run.value("crank.angle"), 1.0, true);
        ASSERT_NEAR(turn_difference(run.value("rocker.angle"), m.psi), 0.0, 1e-11)
            << corner.what << " " << time;
        if (corner.level == DriverLevel::kPosition) {
          ASSERT_NEAR(turn_difference(run.value("crank.angle"), corner.f.evaluate(time)), 0.0, 1e-11)
              << corner.what;
        }
      });
      EXPECT_EQ(run.motion.state().t, 3.0) << corner.what << " " << step;
      EXPECT_TRUE(run.motion.events().empty())
          << corner.what << " " << step << ": " << run.motion.events()[0].brief(run.mechanism);
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, EventInEveryWay, test::every_way(), test::way_name);

}  // namespace
}  // namespace eslabon::kinematics
