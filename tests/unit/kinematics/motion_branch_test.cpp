// Branches that meet or come near each other: straight on, never a silent jump. The other side is the closed form.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/four_bar_runs.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace eslabon::kinematics {
namespace {

using test::DrivenRun;
using test::follow;
using test::four_bar_at;
using test::Lengths;
using test::motor;
using test::turn_difference;

constexpr double kPi = std::numbers::pi;

class EventInEveryWay : public test::EveryWay {};

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
