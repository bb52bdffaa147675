// Singular positions on the way: limits, meeting branches and jumps, against the law of cosines and other closed forms
// that share no code with the library. The last suite drives random four-bars: never a silent jump to another branch.
#include "eslabon/kinematics/motion_event.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/rng.hpp"
#include "eslabon/io/mechanism_reader.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::kinematics {
namespace {

using Eigen::Vector3d;
using model::DriverLevel;
using model::JointType;
using model::TimeFunction;
using test::DrivenRun;
using test::turn_difference;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr double kPi = std::numbers::pi;

struct Lengths {
  double g, a, h, b;  ///< ground, crank, coupler, rocker [m]
};

constexpr Lengths kTestbed{0.8, 0.12, 0.54, 0.455};

/// Joints A, P1, P2, B; start angles given. Names as in models/fourbar-testbed.yaml.
model::Mechanism four_bar(const Lengths& l, double crank, double coupler, double rocker,
                          const model::DriverDescription& driver) {
  model::MechanismBuilder builder("four-bar", model::Space::kPlanar);
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("B", {l.g, 0.0, 0.0});
  builder.add_body({.name = "crank", .points = {{"A", {0, 0, 0}}, {"P1", {l.a, 0, 0}}}});
  builder.add_body({.name = "coupler", .points = {{"P1", {0, 0, 0}}, {"P2", {l.h, 0, 0}}}});
  builder.add_body({.name = "rocker", .points = {{"B", {0, 0, 0}}, {"P2", {l.b, 0, 0}}}});
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "crank.A"});
  builder.add_joint({"P1", JointType::kRevolute, "crank.P1", "coupler.P1"});
  builder.add_joint({"P2", JointType::kRevolute, "coupler.P2", "rocker.P2"});
  builder.add_joint({"B", JointType::kRevolute, "ground.B", "rocker.B"});
  builder.add_driver(driver);
  builder.add_start_value("crank.angle", crank);
  builder.add_start_value("coupler.angle", coupler);
  builder.add_start_value("rocker.angle", rocker);
  return builder.build();
}

/// The same, started at the crank angle theta on one of its two branches.
model::Mechanism four_bar_at(const Lengths& l, double theta, bool is_open,
                             const model::DriverDescription& driver) {
  const auto start = test::four_bar_motion(l.g, l.a, l.h, l.b, theta, 0.0, is_open);
  return four_bar(l, theta, start.phi, start.psi, driver);
}

model::DriverDescription motor(const std::string& target, const TimeFunction& speed) {
  return {"motor", target, DriverLevel::kSpeed, speed};
}

/// Rocker angle at which the pins of crank and rocker are r apart from A, rocker above the line AB: law of cosines.
double rocker_at_reach(const Lengths& l, double r) {
  return kPi - std::acos((l.g * l.g + l.b * l.b - r * r) / (2.0 * l.g * l.b));
}

/// Goes on by `step` until the motion ends or t_end is reached; `check` is called at every output.
template <class Check>
void follow(DrivenRun& run, double step, double t_end, Check check) {
  for (int k = 1; (k - 1) * step < t_end; ++k) {
    const double t = std::min(k * step, t_end);
    if (!run.advance_to(t)) return;
    check(t);
    if (testing::Test::HasFatalFailure()) return;
  }
}

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

// ---- Meeting branches ----------------------------------------------------------------------------------------------

constexpr Lengths kParallelogram{0.7, 0.3, 0.7, 0.3};

// Crank and rocker stay parallel through both flat positions of each turn, over several turns and any step, also when an
// output falls exactly on a flat position, where the rates follow from the parallelogram alone.
TEST_P(EventInEveryWay, ParallelogramStaysOne_ThroughItsFlatPositions) {
  constexpr double kSpeed = 1.0;
  for (const double step : {0.05, 0.3, kPi / 800.0, kPi / 8.0, kPi / 2.0, kPi}) {
    const double start = 0.25 * kPi;  // multiples of π/8 fall on flat positions
    DrivenRun run(four_bar_at(kParallelogram, start, true, motor("A.q", kSpeed)), 20.0, method(), kind());
    ASSERT_NEAR(run.value("rocker.angle"), start, 1e-9) << "the start is the parallelogram";
    follow(run, step, 13.0, [&](double t) {
      ASSERT_NEAR(turn_difference(run.value("crank.angle"), start + kSpeed * t), 0.0, 1e-12) << t;
      ASSERT_NEAR(turn_difference(run.value("rocker.angle"), start + kSpeed * t), 0.0, 1e-8)
          << step << " " << t;
      ASSERT_NEAR(turn_difference(run.value("coupler.angle"), 0.0), 0.0, 1e-8) << step << " " << t;
      ASSERT_NEAR(run.value("rocker.rate"), kSpeed, 1e-6) << step << " " << t;
      ASSERT_NEAR(run.value("coupler.rate"), 0.0, 1e-6) << step << " " << t;
      ASSERT_NEAR(run.value("rocker.angular_acceleration"), 0.0, 1e-4) << step << " " << t;
    });
    if (HasFatalFailure()) return;
    ASSERT_NEAR(run.motion.state().t, 13.0, 1e-12) << step;
    std::vector<double> passed;
    for (const MotionEvent& event : run.motion.events()) {
      EXPECT_EQ(event.kind, MotionEvent::Kind::kPassed) << event.brief(run.mechanism);
      passed.push_back(start + event.t);
      EXPECT_THAT(event.joints, testing::IsSupersetOf({"P1", "P2"}));
    }
    // At π, 2π, 3π, 4π: 13 rad from π/4 on.
    ASSERT_EQ(passed.size(), 4u) << step;
    for (std::size_t i = 0; i < passed.size(); ++i)
      EXPECT_NEAR(passed[i], kPi * static_cast<double>(i + 1), 1e-4) << step;
  }
}

// The antiparallelogram: half tangents of crank and rocker have a constant ratio, −(g − a)/(g + a) or its reciprocal.
TEST_P(EventInEveryWay, AntiparallelogramStaysOne_ThroughItsFlatPositions) {
  for (const double step : {0.05, 0.3, kPi / 8.0, kPi / 2.0}) {
    const double start = 0.25 * kPi;
    const auto expected_start = test::four_bar_motion(kParallelogram.g, kParallelogram.a, kParallelogram.h,
                                                      kParallelogram.b, start, 0.0, false);
    DrivenRun run(four_bar_at(kParallelogram, start, false, motor("A.q", 1.0)), 20.0, method(), kind());
    ASSERT_NEAR(turn_difference(run.value("rocker.angle"), expected_start.psi), 0.0, 1e-9);
    const double ratio = -(kParallelogram.g + kParallelogram.a) / (kParallelogram.g - kParallelogram.a);
    ASSERT_NEAR(std::tan(0.5 * expected_start.psi), ratio * std::tan(0.5 * start), 1e-12);
    follow(run, step, 13.0, [&](double t) {
      const double theta = start + t;
      const double psi = 2.0 * std::atan2(ratio * std::sin(0.5 * theta), std::cos(0.5 * theta));
      ASSERT_NEAR(turn_difference(run.value("rocker.angle"), psi), 0.0, 1e-8) << step << " " << t;
    });
    if (HasFatalFailure()) return;
    ASSERT_NEAR(run.motion.state().t, 13.0, 1e-12) << step;
    EXPECT_EQ(run.motion.events().size(), 4u) << step;
    for (const MotionEvent& event : run.motion.events()) EXPECT_EQ(event.kind, MotionEvent::Kind::kPassed);
  }
}

// Outputs that all but hit a flat position, where the Jacobian is singular to roundoff: rates are still those of the parallelogram.
TEST_P(EventInEveryWay, OutputsBesideAFlatPositionHaveTheRatesOfTheParallelogram) {
  for (const double beside : {0.0, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5})
    for (const double sign : {1.0, -1.0})
      for (const double step : {0.02, 0.3, 2.0}) {
        const double start = 0.4, flat = kPi - start + sign * beside;
        DrivenRun run(four_bar_at(kParallelogram, start, true, motor("A.q", 1.0)), 6.0, method(), kind());
        for (double t = std::fmod(flat, step); t < flat - 0.5 * step; t += step)
          ASSERT_TRUE(run.advance_to(t));
        ASSERT_TRUE(run.advance_to(flat)) << beside;
        // Roundoff over the distance is what Newton can know of the position.
        EXPECT_NEAR(turn_difference(run.value("rocker.angle"), start + flat), 0.0, 1e-7)
            << sign * beside << " " << step;
        EXPECT_NEAR(run.value("rocker.rate"), 1.0, 1e-4) << sign * beside << " " << step;
        ASSERT_TRUE(run.advance_to(flat + 0.5));
        EXPECT_NEAR(turn_difference(run.value("rocker.angle"), start + flat + 0.5), 0.0, 1e-10)
            << sign * beside << " " << step;
        ASSERT_EQ(run.motion.events().size(), 1u) << sign * beside << " " << step;
        EXPECT_NEAR(run.motion.events()[0].t, kPi - start, 1e-5);
      }
}

// A run may end at a flat position, or have no position behind it.
TEST_P(EventInEveryWay, RunThatEndsWhereBranchesMeetIsComplete) {
  for (const double step : {0.05, 0.75 * kPi / 7.0, 0.75 * kPi}) {
    DrivenRun run(four_bar_at(kParallelogram, 0.25 * kPi, true, motor("A.q", 1.0)), 0.75 * kPi, method(),
                  kind());
    follow(run, step, 0.75 * kPi, [](double) {});
    ASSERT_EQ(run.motion.state().t, 0.75 * kPi) << step;
    EXPECT_NEAR(turn_difference(run.value("rocker.angle"), kPi), 0.0, 1e-7) << step;
    EXPECT_NEAR(run.value("rocker.rate"), 1.0, 1e-6) << step;
    EXPECT_NEAR(run.value("rocker.angular_acceleration"), 0.0, 1e-3) << step;
    // Whether it is passed already is a matter of roundoff.
    for (const MotionEvent& event : run.motion.events()) {
      EXPECT_EQ(event.kind, MotionEvent::Kind::kPassed);
      EXPECT_NEAR(event.t, 0.75 * kPi, 1e-4);
    }
  }
}

// Bars that are not quite equal leave no way through: the two branches come near each other and part again. Where they
// come as near as the closed form can tell, each must be followed as it is.
TEST_P(EventInEveryWay, NearParallelogramFollowsItsOwnBranch) {
  for (const double difference : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    const Lengths l{kParallelogram.g + difference, kParallelogram.a, kParallelogram.h,
                    kParallelogram.b + difference * 0.5};
    // Grashof: shortest + longest < the others, so that the crank turns: a + g against h + b.
    const Lengths turning{l.g - difference, l.a - difference, l.h, l.b};
    for (const bool is_open : {true, false})
      for (const double step : {0.05, 0.31, 1.7}) {
        DrivenRun run(four_bar_at(turning, 0.25 * kPi, is_open, motor("A.q", 1.0)), 20.0, method(), kind());
        follow(run, step, 13.0, [&](double t) {
          const auto m =
              test::four_bar_motion(turning.g, turning.a, turning.h, turning.b, 0.25 * kPi + t, 1.0, is_open);
          // Branches part by √difference: the closed form itself loses digits where they are near.
          ASSERT_NEAR(turn_difference(run.value("rocker.angle"), m.psi), 0.0, 1e-12 / std::sqrt(difference))
              << difference << " " << is_open << " " << step << " " << t
              << (run.motion.events().empty() ? "" : run.motion.events()[0].brief(run.mechanism));
        });
        if (HasFatalFailure()) return;
        EXPECT_TRUE(run.motion.events().empty()) << difference << " " << is_open << " " << step << " "
                                                 << run.motion.events()[0].brief(run.mechanism);
        EXPECT_NEAR(run.motion.state().t, 13.0, 1e-12);
      }
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

// ---- In space, with freedoms that move nothing else ----------------------------------------------------------------

/// The angle ψ with  a cos ψ + b sin ψ = c, nearest to `near`.
double angle_of(double a, double b, double c, double near) {
  const double center = std::atan2(b, a), half = std::acos(c / std::hypot(a, b));
  const double one = center + half, other = center - half;
  return std::abs(turn_difference(one, near)) < std::abs(turn_difference(other, near)) ? one : other;
}

TEST_P(EventInEveryWay, RssrRockerEqualsClosedForm_OverThreeTurns) {
  const double c = 0.1, l = 0.4, r = 0.25, speed = 2.0 * kPi;
  const Vector3d G(0.2, 0.25, 0.1);
  DrivenRun run(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/rssr.yaml", {}), 3.0, method(),
                kind());
  ASSERT_EQ(run.driven.held().size(), 1u);
  EXPECT_EQ(run.mechanism.body(run.driven.held()[0].body).name, "coupler");
  double psi = run.value("G.q");
  follow(run, 0.01, 3.0, [&](double t) {
    const double theta = kPi / 3.0 + speed * t;
    const Vector3d A(c * std::cos(theta), c * std::sin(theta), 0.0), d = G - A;
    psi = angle_of(d.y(), d.z(), (l * l - r * r - d.squaredNorm()) / (2.0 * r), psi);
    const Vector3d B = G + Vector3d(0.0, r * std::cos(psi), r * std::sin(psi));
    const Vector3d A_dot = speed * Vector3d(-A.y(), A.x(), 0.0),
                   B_psi(0.0, -r * std::sin(psi), r * std::cos(psi));
    ASSERT_NEAR(turn_difference(run.value("G.q"), psi), 0.0, test::tolerance_scale() * 1e-13) << t;
    ASSERT_NEAR(run.value("G.v"), (A - B).dot(A_dot) / (A - B).dot(B_psi), test::tolerance_scale() * 1e-11)
        << t;
  });
  EXPECT_EQ(run.motion.state().t, 3.0);
  EXPECT_TRUE(run.motion.events().empty());
}

// All axes meet in one point; arcs of 70°, 20°, 55° and 60°. Three rows of its six-dimensional loop are redundant.
TEST_P(EventInEveryWay, SphericalFourBarEqualsClosedForm_OverTwoTurns) {
  const double deg = kPi / 180.0, ground = 70 * deg, crank = 20 * deg, coupler = 55 * deg, rocker = 60 * deg;
  const Vector3d z1 = Vector3d::UnitZ(), z4(std::sin(ground), 0.0, std::cos(ground));
  const Vector3d e = Vector3d::UnitY(), f = z4.cross(e);
  const auto crank_pin = [&](double theta) -> Vector3d {
    return {std::sin(crank) * std::cos(theta), std::sin(crank) * std::sin(theta), std::cos(crank)};
  };
  const auto rocker_angle = [&](double theta, double near) {
    const Vector3d u2 = crank_pin(theta);
    return angle_of(u2.dot(e), u2.dot(f),
                    (std::cos(coupler) - std::cos(rocker) * u2.dot(z4)) / std::sin(rocker), near);
  };
  const auto rocker_pin = [&](double psi) -> Vector3d {
    return std::cos(rocker) * z4 + std::sin(rocker) * (std::cos(psi) * e + std::sin(psi) * f);
  };
  const double theta0 = 0.7, psi0 = rocker_angle(theta0, 1.0);
  const Vector3d u2 = crank_pin(theta0), u3 = rocker_pin(psi0);
  model::MechanismBuilder builder("spherical four-bar", model::Space::kSpatial);
  builder.add_ground_point("A", 0.5 * z1);
  builder.add_ground_point("D", 0.5 * z4);
  builder.add_body({.name = "crank", .points = {{"A", 0.5 * z1}, {"B", 0.4 * u2}}});
  builder.add_body({.name = "coupler", .points = {{"B", 0.4 * u2}, {"C", 0.3 * u3}}});
  builder.add_body({.name = "rocker", .points = {{"C", 0.3 * u3}, {"D", 0.5 * z4}}});
  const auto hinge = [&](const char* name, const char* first, const char* second, const Vector3d& u) {
    builder.add_joint({name, JointType::kRevolute, first, second, model::AxisPair{u, u}});
  };
  hinge("A", "ground.A", "crank.A", z1);
  hinge("B", "crank.B", "coupler.B", u2);
  hinge("C", "coupler.C", "rocker.C", u3);
  hinge("D", "ground.D", "rocker.D", z4);
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  for (const char* body : {"crank", "coupler", "rocker"}) {
    builder.add_start_position(body, Vector3d::Zero());
    builder.add_start_rotation(body, Vector3d::Zero());
  }
  DrivenRun run(builder.build(), 4.0 * kPi, method(), kind());
  EXPECT_TRUE(run.driven.held().empty());
  double psi = psi0;
  follow(run, 0.05, 4.0 * kPi, [&](double t) {
    psi = rocker_angle(theta0 + t, psi);
    const Vector3d pin = rocker_pin(psi);
    for (int k = 0; k < 3; ++k) {
      const std::string x(1, "xyz"[k]);
      ASSERT_NEAR(run.value("rocker.C." + x), 0.3 * pin[k], test::tolerance_scale() * 1e-13) << t;
      ASSERT_NEAR(run.value("coupler.B." + x), 0.4 * crank_pin(theta0 + t)[k],
                  test::tolerance_scale() * 1e-13)
          << t;
    }
  });
  EXPECT_EQ(run.motion.state().t, 4.0 * kPi);
  EXPECT_TRUE(run.motion.events().empty());
}

// A drag link in space: parallel axes, a bar between two balls as its coupler, which turns all the way round. What holds
// the bar's spin must hold it in every direction.
TEST_P(EventInEveryWay, BarBetweenBallsTurnsAllTheWayRound) {
  const Lengths l{0.2, 0.5, 0.45, 0.4};  // the ground is the shortest: all turn
  for (const Vector3d& axis : {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(0.3, -0.5, 0.8)}) {
    const Vector3d z = axis.normalized(), x = z.unitOrthogonal(), y = z.cross(x);
    const auto in_plane = [&](double angle, double length) -> Vector3d {
      return length * (std::cos(angle) * x + std::sin(angle) * y);
    };
    const auto start = test::four_bar_motion(l.g, l.a, l.h, l.b, 0.8, 0.0, true);
    const Vector3d A = in_plane(0.8, l.a), B = l.g * x + in_plane(start.psi, l.b);
    model::MechanismBuilder builder("drag link", model::Space::kSpatial);
    builder.add_ground_point("O", Vector3d::Zero());
    builder.add_ground_point("G", l.g * x);
    builder.add_body({.name = "crank", .points = {{"O", Vector3d::Zero()}, {"A", A}}});
    builder.add_body({.name = "bar", .points = {{"A", A}, {"B", B}}});
    builder.add_body({.name = "rocker", .points = {{"G", l.g * x}, {"B", B}}});
    builder.add_joint({"O", JointType::kRevolute, "ground.O", "crank.O", model::AxisPair{z, z}});
    builder.add_joint({"A", JointType::kSpherical, "crank.A", "bar.A"});
    builder.add_joint({"B", JointType::kSpherical, "bar.B", "rocker.B"});
    builder.add_joint({"G", JointType::kRevolute, "ground.G", "rocker.G", model::AxisPair{z, z}});
    builder.add_driver({"motor", "O.q", DriverLevel::kSpeed, 1.0});
    for (const char* body : {"crank", "bar", "rocker"}) {
      builder.add_start_position(body, Vector3d::Zero());
      builder.add_start_rotation(body, Vector3d::Zero());
    }
    DrivenRun run(builder.build(), 4.0 * kPi, method(), kind());
    follow(run, 0.05, 4.0 * kPi, [&](double t) {
      const auto m = test::four_bar_motion(l.g, l.a, l.h, l.b, 0.8 + t, 1.0, true);
      const Vector3d expected = l.g * x + in_plane(m.psi, l.b);
      for (int k = 0; k < 3; ++k)
        ASSERT_NEAR(run.value("bar.B." + std::string(1, "xyz"[k])), expected[k],
                    test::tolerance_scale() * 1e-12)
            << t;
    });
    EXPECT_EQ(run.motion.state().t, 4.0 * kPi);
    for (const MotionEvent& event : run.motion.events()) ADD_FAILURE() << event.brief(run.mechanism);
  }
}

// ---- Never a silent jump ---------------------------------------------------------------------------------------------

/// Whether the crank can stand at theta.
bool can_close(const Lengths& l, double theta, double margin) {
  const double d = std::hypot(l.a * std::cos(theta) - l.g, l.a * std::sin(theta));
  return d < l.h + l.b - margin && d > std::abs(l.h - l.b) + margin;
}

// statistical: seeded, no false alarms possible; both sides are exact.
TEST_P(EventInEveryWay, RandomFourBarsStayOnTheirBranchOrEndAtTheirLimit) {
  core::Rng rng(20260704);
  int limits = 0, turns = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const auto length = [&] { return 0.2 + 0.8 * rng.uniform(); };
    const Lengths l{length(), length(), length(), length()};
    const double theta0 = 2.0 * kPi * rng.uniform();
    const bool is_open = rng.uniform() < 0.5;
    const double speed = rng.uniform() < 0.5 ? 1.0 : -1.0;
    const double step = 0.05 * std::pow(60.0, rng.uniform());  // 0.05 to 3 rad
    if (!can_close(l, theta0, 1e-3)) continue;
    DrivenRun run(four_bar_at(l, theta0, is_open, motor("A.q", speed)), 15.0, method(), kind());
    follow(run, step, 15.0, [&](double t) {
      const double theta = theta0 + speed * t;
      ASSERT_TRUE(can_close(l, theta, 0.0)) << trial << ": passed its limit";
      const auto m = test::four_bar_motion(l.g, l.a, l.h, l.b, theta, speed, is_open);
      const double gap = std::abs(std::sin(m.phi - m.psi));
      ASSERT_NEAR(turn_difference(run.value("rocker.angle"), m.psi), 0.0, 1e-12 / gap)
          << trial << " t = " << t;
      ASSERT_NEAR(turn_difference(run.value("coupler.angle"), m.phi), 0.0, 1e-12 / gap)
          << trial << " t = " << t;
    });
    if (HasFatalFailure()) return;
    if (run.motion.state().t == 15.0) {
      ++turns;
      EXPECT_TRUE(run.motion.events().empty()) << trial << run.motion.events()[0].brief(run.mechanism);
      for (int k = 0; k <= 1000; ++k)
        ASSERT_TRUE(can_close(l, theta0 + speed * 0.015 * k, -1e-12)) << trial << ": went through its limit";
    } else {
      ++limits;
      ASSERT_EQ(run.motion.events().size(), 1u) << trial;
      const MotionEvent& event = run.motion.events()[0];
      ASSERT_EQ(event.kind, MotionEvent::Kind::kLimit) << trial << " " << event.brief(run.mechanism);
      // The first angle in the sense of the motion at which coupler and rocker are in line.
      double first = 1e9;
      for (const double reach : {l.h + l.b, std::abs(l.h - l.b)}) {
        const double c = (l.g * l.g + l.a * l.a - reach * reach) / (2.0 * l.g * l.a);
        if (std::abs(c) > 1.0) continue;
        for (const double angle : {std::acos(c), -std::acos(c)}) {
          double ahead = std::fmod(speed * (angle - theta0), 2.0 * kPi);
          if (ahead < 0.0) ahead += 2.0 * kPi;
          first = std::min(first, ahead);
        }
      }
      EXPECT_NEAR(event.t, first, 1e-10) << trial;
    }
  }
  EXPECT_GT(limits, 20);
  EXPECT_GT(turns, 5);
}

// The same close to the border of Grashof's law, where both branches nearly meet and a coarse step could change over.
TEST_P(EventInEveryWay, FourBarsNearTheChangePointStayOnTheirBranchOrEndAtTheirLimit) {
  core::Rng rng(7);
  for (int trial = 0; trial < 60; ++trial) {
    const double a = 0.2 + 0.3 * rng.uniform(), g = 0.8 + 0.4 * rng.uniform(), h = 0.5 + 0.4 * rng.uniform();
    const double margin = std::pow(10.0, -1.5 - 3.5 * rng.uniform());  // crank-rocker by this much
    const Lengths l{g, a, h, a + g - h + margin};
    const bool is_open = rng.uniform() < 0.5;
    const double theta0 = 0.3 + 2.5 * rng.uniform(), step = 0.05 * std::pow(60.0, rng.uniform());
    if (!can_close(l, theta0, 1e-3)) continue;
    DrivenRun run(four_bar_at(l, theta0, is_open, motor("A.q", 1.0)), 15.0, method(), kind());
    follow(run, step, 15.0, [&](double t) {
      const auto m = test::four_bar_motion(l.g, l.a, l.h, l.b, theta0 + t, 1.0, is_open);
      if (!can_close(l, theta0 + t, 0.0)) {
        ADD_FAILURE() << trial << ": passed its limit";
        return;
      }
      ASSERT_NEAR(turn_difference(run.value("rocker.angle"), m.psi), 0.0, 1e-9)
          << trial << " t = " << t << " margin " << margin << " step " << step;
    });
    if (HasFatalFailure()) return;
    for (const MotionEvent& event : run.motion.events())
      EXPECT_EQ(event.kind, MotionEvent::Kind::kLimit)
          << trial << " " << event.brief(run.mechanism) << " margin " << margin;
  }
}

/// One crank that drives two equal four-bars, both near the change point.
std::string two_equal_four_bars(double d) {
  char text[1400];
  std::snprintf(text, sizeof text, R"(mechanism: two equal four-bars
plane: xy
ground: {points: {A: [0, 0], B: [0.7, 0]}}
bodies:
  crank:    {points: {A: [0, 0], P: [%.17g, 0]}}
  coupler1: {points: {P: [0, 0], Q: [0.7, 0]}}
  rocker1:  {points: {B: [0, 0], Q: [%.17g, 0]}}
  coupler2: {points: {P: [0, 0], Q: [0.7, 0]}}
  rocker2:  {points: {B: [0, 0], Q: [%.17g, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P1: {revolute: [crank.P, coupler1.P]}
  Q1: {revolute: [coupler1.Q, rocker1.Q]}
  B1: {revolute: [ground.B, rocker1.B]}
  P2: {revolute: [crank.P, coupler2.P]}
  Q2: {revolute: [coupler2.Q, rocker2.Q]}
  B2: {revolute: [ground.B, rocker2.B]}
drivers: {motor: {joint: A, speed: 1 rad/s, start: 0.8}}
assembly: {coupler1.angle: 0, rocker1.angle: 0.8, coupler2.angle: 0, rocker2.angle: 0.8}
)",
                0.3 - d, 0.3 + 0.5 * d, 0.3 + 0.5 * d);
  return text;
}

// The determinant of the whole changes its sign twice where two loops are singular together; those of its blocks show it.
TEST_P(EventInEveryWay, TwoEqualLoopsNearTheChangePointStayOnTheirBranch) {
  for (const double d : {1e-4, 1e-5, 1e-6})
    for (const double step : {0.05, 0.31, 1.0}) {
      DrivenRun run(io::read_mechanism(two_equal_four_bars(d), "two.yaml"), 13.0, method(), kind());
      for (double t = step; t < 13.0; t += step) {
        ASSERT_TRUE(run.advance_to(t)) << d << " " << step;
        const auto expected = test::four_bar_motion(0.7, 0.3 - d, 0.7, 0.3 + 0.5 * d, 0.8 + t, 1.0, true);
        ASSERT_NEAR(turn_difference(run.value("rocker1.angle"), expected.psi), 0.0, 1e-8)
            << d << " " << step << " " << t;
        ASSERT_NEAR(turn_difference(run.value("rocker2.angle"), expected.psi), 0.0, 1e-8)
            << d << " " << step << " " << t;
      }
      EXPECT_TRUE(run.motion.events().empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, EventInEveryWay, test::every_way(), test::way_name);

}  // namespace
}  // namespace eslabon::kinematics
