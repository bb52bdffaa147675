#include "eslabon/kinematics/drivers/driver_motion.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <thread>
#include <vector>

#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::CoordinateValue;
using core::ContractError;
using core::ModelError;
using model::DriverLevel;
using model::TimeFunction;
using testing::HasSubstr;

const TimeFunction kTime = TimeFunction::time();

model::Driver driver(DriverLevel level, const TimeFunction& function, double start_speed = 0.0) {
  model::Driver result{.name = "crank",
                       .target = {model::VariableKind::kJointPosition, model::JointIndex(0)},
                       .level = level,
                       .function = function,
                       .start = std::nullopt,
                       .start_speed = std::nullopt};
  if (level == DriverLevel::kAcceleration) result.start_speed = start_speed;
  return result;
}

/// ∫₀ᵗ |sin s| ds: two for each half turn.
double integral_of_abs_sin(double t) {
  const double half_turns = std::floor(t / std::numbers::pi);
  return 2.0 * half_turns + (1.0 - std::cos(t - half_turns * std::numbers::pi));
}

const std::vector<double> kTimes{0.0, 0.01, 0.0625, 0.3, 0.99999, 1.0, 1.7, 2.5, 3.2, 4.75, 5.0};

// analytic: f and its two derivatives written out.
/// A motion that is integrated to the end of its run.
DriverMotion prepared(const model::Driver& driver, double start, double until) {
  const DriverMotion motion(driver, start);
  motion.prepare(until);
  return motion;
}

TEST(DriverMotion, OfAPosition_IsTheFunctionAndItsDerivatives) {
  const DriverMotion motion =
      prepared(driver(DriverLevel::kPosition, 0.3 * sin(2 * kTime) + pow(kTime, 3)), 99.0, 5.0);
  for (const double t : kTimes) {
    const CoordinateValue x = motion.value_at(t);
    EXPECT_LE(std::abs(x.position - (0.3 * std::sin(2 * t) + t * t * t)), test::roundoff(8, 1 + t * t * t));
    EXPECT_LE(std::abs(x.velocity - (0.6 * std::cos(2 * t) + 3 * t * t)), test::roundoff(8, 1 + 3 * t * t));
    EXPECT_LE(std::abs(x.acceleration - (-1.2 * std::sin(2 * t) + 6 * t)), test::roundoff(8, 2 + 6 * t));
  }
}

TEST(DriverMotion, OfAConstantPosition_Rests) {
  const CoordinateValue x = prepared(driver(DriverLevel::kPosition, 0.7), 99.0, 5.0).value_at(3.0);
  EXPECT_EQ(x.position, 0.7);
  EXPECT_EQ(x.velocity, 0.0);
  EXPECT_EQ(x.acceleration, 0.0);
}

TEST(DriverMotion, OfAConstantSpeed_IsExact) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, 3.7), 0.2, 1e6);
  for (const double t : {0.0, 0.1, 12.3, 1e6}) {
    EXPECT_EQ(motion.value_at(t).position, 0.2 + 3.7 * t);
    EXPECT_EQ(motion.value_at(t).velocity, 3.7);
    EXPECT_EQ(motion.value_at(t).acceleration, 0.0);
  }
}

TEST(DriverMotion, OfAConstantAcceleration_IsAParabola) {
  const DriverMotion motion = prepared(driver(DriverLevel::kAcceleration, 3.7, -1.3), 0.2, 1e6);
  for (const double t : {0.0, 0.1, 12.3, 1e6}) {
    EXPECT_LE(std::abs(motion.value_at(t).position - (0.2 - 1.3 * t + 1.85 * t * t)),
              test::roundoff(4, 0.2 + 1.3 * t + 1.85 * t * t));
    EXPECT_LE(std::abs(motion.value_at(t).velocity - (-1.3 + 3.7 * t)), test::roundoff(2, 1.3 + 3.7 * t));
    EXPECT_EQ(motion.value_at(t).acceleration, 3.7);
  }
}

TEST(DriverMotion, OfAnAccelerationWithoutStartSpeed_StartsAtRest) {
  model::Driver resting = driver(DriverLevel::kAcceleration, 2.0 + kTime);
  resting.start_speed.reset();
  EXPECT_EQ(prepared(resting, 0.0, 1.0).value_at(0.0).velocity, 0.0);
}

TEST(DriverMotion, OfASpeed_IsTheIntegralOfACosine) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, 2 * cos(3 * kTime + 0.5)), -0.4, 5.0);
  for (const double t : kTimes) {
    const CoordinateValue x = motion.value_at(t);
    EXPECT_LE(std::abs(x.position - (-0.4 + 2.0 / 3.0 * (std::sin(3 * t + 0.5) - std::sin(0.5)))),
              test::roundoff(16, 1 + 2 * t))
        << t;
    EXPECT_LE(std::abs(x.velocity - 2 * std::cos(3 * t + 0.5)), test::roundoff(4, 2));
    EXPECT_LE(std::abs(x.acceleration + 6 * std::sin(3 * t + 0.5)), test::roundoff(4, 6));
  }
}

// The 8-point rule is exact to degree 13, so a wrong digit of its table would show.
TEST(DriverMotion, OfASpeed_IsTheIntegralOfEveryPowerOfTime) {
  for (int degree = 1; degree <= 15; ++degree) {
    const DriverMotion motion =
        prepared(driver(DriverLevel::kSpeed, pow(kTime, static_cast<double>(degree))), 0.0, 2.0);
    for (const double t : {0.05, 0.9, 1.7, 2.0}) {
      const double expected = std::pow(t, degree + 1) / (degree + 1);
      EXPECT_LE(std::abs(motion.value_at(t).position - expected), test::roundoff(32, expected))
          << degree << ' ' << t;
    }
  }
}

TEST(DriverMotion, OfAnAcceleration_IsTheDoubleIntegralOfACosineAndAPolynomial) {
  const DriverMotion motion =
      prepared(driver(DriverLevel::kAcceleration, cos(2 * kTime) + pow(kTime, 4), 0.9), 0.3, 5.0);
  for (const double t : kTimes) {
    const CoordinateValue x = motion.value_at(t);
    const double size = 1 + t + t * t + std::pow(t, 6);
    EXPECT_LE(std::abs(x.position - (0.3 + 0.9 * t + (1 - std::cos(2 * t)) / 4 + std::pow(t, 6) / 30)),
              test::roundoff(16, size))
        << t;
    EXPECT_LE(std::abs(x.velocity - (0.9 + std::sin(2 * t) / 2 + std::pow(t, 5) / 5)),
              test::roundoff(16, size));
    EXPECT_LE(std::abs(x.acceleration - (std::cos(2 * t) + std::pow(t, 4))), test::roundoff(8, size));
  }
}

// Each kink ends at the tolerance of its panel, 8 ε ∫|f| and 2 ε t (max f − min f); roundoff(64) per kink is more.
TEST(DriverMotion, IntegratesOverKinks) {
  const DriverMotion speed = prepared(driver(DriverLevel::kSpeed, abs(sin(kTime))), 0.0, 100.0);
  const DriverMotion ramp =
      prepared(driver(DriverLevel::kSpeed, min(kTime, TimeFunction(1.23456789))), 0.0, 100.0);
  const DriverMotion force =
      prepared(driver(DriverLevel::kAcceleration, max(kTime - 0.777, TimeFunction(0.0))), 0.0, 100.0);
  for (const double t : {0.5, 0.78, 1.0, 1.3, 3.2, 7.0, 31.0, 99.9}) {
    EXPECT_LE(std::abs(speed.value_at(t).position - integral_of_abs_sin(t)), test::roundoff(64 * (1 + t), 1))
        << t;
    const double ramp_expected = t < 1.23456789 ? t * t / 2 : 1.23456789 * (t - 1.23456789 / 2);
    EXPECT_LE(std::abs(ramp.value_at(t).position - ramp_expected), test::roundoff(64, 1 + t)) << t;
    const double force_expected = std::pow(std::max(t - 0.777, 0.0), 3) / 6;
    EXPECT_LE(std::abs(force.value_at(t).position - force_expected), test::roundoff(64, 1 + t * t * t / 6))
        << t;
  }
}

// Wherever in a panel a kink is: a rule that is blind at some places shows here, and one that agrees with its halves
// by chance too, more often when `above` makes the tolerance large.
TEST(DriverMotion, IntegratesOverAKinkAnywhere) {
  core::Rng rng(41);
  for (const double above : {0.0, 1e4}) {
    for (int round = 0; round < 2000; ++round) {
      const double kink = rng.uniform();
      const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, abs(kTime - kink) + above), 0.0, 1.0);
      EXPECT_LE(
          std::abs(motion.value_at(1.0).position - (above + (kink * kink + (1 - kink) * (1 - kink)) / 2)),
          test::roundoff(16, 1 + above))
          << kink;
    }
  }
}

// A jump: the sign of t − 1/3, as |x|/x. It is found to the resolution of the time.
TEST(DriverMotion, IntegratesOverAJump) {
  const TimeFunction x = kTime - 1.0 / 3.0;
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, abs(x) / x), 0.0, 2.0);
  for (const double t : {0.2, 0.33, 0.34, 1.0, 2.0})
    EXPECT_LE(std::abs(motion.value_at(t).position - (std::abs(t - 1.0 / 3.0) - 1.0 / 3.0)),
              test::roundoff(64, 1))
        << t;
}

// analytic: between two of its points a table is a cubic, which Simpson's rule integrates exactly.
TEST(DriverMotion, IntegratesATableOfNoisyReadings) {
  core::Rng rng(5);
  std::vector<core::CubicTable::Point> points;
  for (int k = 0; k <= 500; ++k) points.emplace_back(0.01 * k, 20.0 + rng.uniform());
  const auto table = std::make_shared<const core::CubicTable>(points, core::CubicTable::Ends::kNoValue);
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, TimeFunction::table(table, kTime)), 0.0, 5.0);
  double position = 0.0;
  for (int k = 0; k < 500; ++k) {
    const auto& [a, x_a] = points[static_cast<std::size_t>(k)];
    const auto& [b, x_b] = points[static_cast<std::size_t>(k) + 1];
    const double middle = 0.5 * (a + b);
    position += (b - a) / 6.0 * (x_a + 4.0 * table->evaluate(middle, 0) + x_b);
    EXPECT_LE(std::abs(motion.value_at(b).position - position), test::roundoff(64, position)) << b;
    EXPECT_LE(std::abs(motion.value_at(middle).velocity - table->evaluate(middle, 0)), test::roundoff(8, 21.0));
  }
  CoordinateValue behind;
  EXPECT_FALSE(motion.evaluate(5.01, behind));
}

TEST(DriverMotion, IntegratesFastOscillations) {
  const double omega = 2 * std::numbers::pi * 500;
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, cos(omega * kTime)), 0.0, 1.0);
  for (const double t : {0.0101, 0.3337, 0.9999})  // ω t is rounded inside f by ε ω t, so its integral by ε t
    EXPECT_LE(std::abs(motion.value_at(t).position - std::sin(omega * t) / omega), test::roundoff(16, t));
}

// 10⁴ s are 160 000 panels: the sums must not lose digits.
TEST(DriverMotion, KeepsTwelveDigitsOverALongRun) {
  const DriverMotion speed = prepared(driver(DriverLevel::kSpeed, 0.1 + abs(sin(kTime))), 0.0, 1e4);
  const DriverMotion swinging = prepared(driver(DriverLevel::kSpeed, cos(kTime)), 0.0, 1e4);
  const DriverMotion acceleration = prepared(driver(DriverLevel::kAcceleration, 1.0 + cos(kTime)), 0.0, 1e4);
  for (const double t : {10.0, 1234.5, 9876.54321, 1e4}) {
    const double expected = 0.1 * t + integral_of_abs_sin(t);
    EXPECT_LE(std::abs(speed.value_at(t).position - expected), test::tolerance_scale() * 1e-12 * expected)
        << t;
    EXPECT_LE(std::abs(swinging.value_at(t).position - std::sin(t)), test::tolerance_scale() * 1e-12) << t;
    const double height = t * t / 2 + 1 - std::cos(t);
    EXPECT_LE(std::abs(acceleration.value_at(t).position - height), test::tolerance_scale() * 1e-13 * height)
        << t;
    EXPECT_LE(std::abs(acceleration.value_at(t).velocity - (t + std::sin(t))),
              test::tolerance_scale() * 1e-13 * t)
        << t;
  }
}

// More than 200 000 panels of 1/16 s: they become wider instead of more.
TEST(DriverMotion, HasWiderPanelsForAVeryLongRun) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, 1.0 + cos(0.01 * kTime)), 0.0, 1e6);
  for (const double t : {3.0, 54321.0, 1e6}) {
    const double expected = t + 100.0 * std::sin(0.01 * t);
    EXPECT_LE(std::abs(motion.value_at(t).position - expected), test::tolerance_scale() * 1e-13 * expected)
        << t;
  }
}

// Panels of the last years of such a run are too wide for the function; that is said before the narrow ones are integrated.
TEST(DriverMotion, RefusesAtOnceWhatIsTooFastForTheEndOfALongRun) {
  const DriverMotion motion(driver(DriverLevel::kSpeed, 1.0 + sin(kTime)), 0.0);
  EXPECT_THAT(test::sentence_of<core::ModelError>([&] { motion.prepare(9e9); }),
              HasSubstr("the driver's function cannot be integrated"));
  EXPECT_LE(std::abs(motion.value_at(20.0).position - (21.0 - std::cos(20.0))),
            test::tolerance_scale() * 1e-13 * 20.0);
}

// f = (t + 10⁸) − 10⁸ is a staircase of 1.5e-8: halving it to the end would never end.
TEST(DriverMotion, DoesNotChaseTheRoundoffOfTheFunction) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, (kTime + 1e8) - 1e8), 0.0, 1.0);
  EXPECT_LE(std::abs(motion.value_at(1.0).position - 0.5), test::roundoff(1, 1e8));
}

TEST(DriverMotion, RatesMatchCentralDifferences) {
  const TimeFunction f = exp(-0.2 * kTime) * sin(1.7 * kTime) + sqrt(1 + kTime * kTime);
  for (const DriverLevel level : {DriverLevel::kPosition, DriverLevel::kSpeed, DriverLevel::kAcceleration}) {
    const DriverMotion motion = prepared(driver(level, f, 0.6), 0.4, 6.0);
    for (const double t : {0.3, 1.0, 2.7, 5.9}) {
      const double h = test::central_step(1.0);
      const CoordinateValue x = motion.value_at(t);
      const CoordinateValue after = motion.value_at(t + h);
      const CoordinateValue before = motion.value_at(t - h);
      // 100: |x| to t = 6 for an acceleration of 7, and third derivatives below 1.7³ · 2
      EXPECT_LE(std::abs(x.velocity - (after.position - before.position) / (2 * h)),
                test::central_tolerance(h, 100));
      EXPECT_LE(std::abs(x.acceleration - (after.velocity - before.velocity) / (2 * h)),
                test::central_tolerance(h, 100));
    }
  }
}

TEST(DriverMotion, DoesNotDependOnWhatWasAskedBefore) {
  for (const DriverLevel level : {DriverLevel::kPosition, DriverLevel::kSpeed, DriverLevel::kAcceleration}) {
    const model::Driver tested = driver(level, abs(sin(3 * kTime)) + kTime, 0.6);
    const DriverMotion forward = prepared(tested, 0.4, 5.0);
    const DriverMotion backward = prepared(tested, 0.4, 5.0);
    std::vector<double> positions;
    for (std::size_t k = 0; k < kTimes.size(); ++k) positions.push_back(forward.value_at(kTimes[k]).position);
    for (std::size_t k = kTimes.size(); k-- > 0;)
      EXPECT_EQ(backward.value_at(kTimes[k]).position, positions[k]) << kTimes[k];
  }
}

// invariant: a run that may go on longer gives the same motion, and so does one that nobody prepared; also where a panel ends.
TEST(DriverMotion, DoesNotDependOnTheEndOfTheRun) {
  for (const DriverLevel level : {DriverLevel::kSpeed, DriverLevel::kAcceleration})
    for (const double t : {0.0, 0.03, 0.0625, 1.0, 1.3, 40.0}) {
      const model::Driver tested = driver(level, abs(sin(3 * kTime)), 0.6);
      const double expected = prepared(tested, 0.4, 50.0).value_at(t).position;
      EXPECT_EQ(prepared(tested, 0.4, t).value_at(t).position, expected) << t;
      EXPECT_EQ(DriverMotion(tested, 0.4).value_at(t).position, expected) << t;
    }
}

TEST(DriverMotion, GoesOnBehindWhatIsPrepared) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, 1 + cos(kTime)), 0.0, 1.0);
  for (const double t : {2.0, 100.0, 1e3, 5.0})
    EXPECT_LE(std::abs(motion.value_at(t).position - (t + std::sin(t))), test::roundoff(64, 1 + t)) << t;
}

// A pole behind the time asked for harms nobody, whatever is prepared.
TEST(DriverMotion, FailsOnlyForTimesBehindAPole) {
  const DriverMotion motion(driver(DriverLevel::kSpeed, 1 / (kTime - 0.8)), 0.0);
  EXPECT_LE(std::abs(motion.value_at(0.7).position - std::log(0.1 / 0.8)), test::roundoff(64, 10));
  EXPECT_THROW(motion.value_at(0.9), ModelError);
  EXPECT_THROW(motion.prepare(1.0), ModelError);
  EXPECT_LE(std::abs(motion.value_at(0.4).position - std::log(0.4 / 0.8)), test::roundoff(64, 10));
}

TEST(DriverMotion, IsTheSameForThreadsThatAskAtOnce) {
  const model::Driver tested = driver(DriverLevel::kAcceleration, 1 + cos(2 * kTime), 0.6);
  const DriverMotion shared = prepared(tested, 0.4, 0.5);
  const DriverMotion alone = prepared(tested, 0.4, 64.0);
  constexpr int kThreads = 4, kAsked = 400;
  std::vector<std::vector<double>> found(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        for (int k = 0; k < kAsked; ++k)
          found[static_cast<std::size_t>(i)].push_back(
              shared.value_at(0.16 * ((k * (2 * i + 1)) % kAsked)).position);
      });
  }
  for (int i = 0; i < kThreads; ++i)
    for (int k = 0; k < kAsked; ++k)
      EXPECT_EQ(found[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)],
                alone.value_at(0.16 * ((k * (2 * i + 1)) % kAsked)).position);
}

TEST(DriverMotion, KeepsPositionContinuous_WhereAPanelEnds) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, 1 + sin(5 * kTime)), 0.4, 5.0);
  for (double t = 0.0625; t < 5.0; t += 0.0625)
    EXPECT_LE(std::abs(motion.value_at(t).position - motion.value_at(std::nextafter(t, 0.0)).position),
              test::roundoff(16, 1 + t))
        << t;
}

TEST(DriverMotion, AllowsAnEndThatRoundingPassed) {
  const DriverMotion motion = prepared(driver(DriverLevel::kSpeed, kTime), 0.0, 3.0);
  EXPECT_LE(std::abs(motion.value_at(std::nextafter(3.0, 4.0)).position - 4.5), test::roundoff(8, 4.5));
  EXPECT_EQ(prepared(driver(DriverLevel::kSpeed, kTime), 0.5, 0.0).value_at(0.0).position, 0.5);
}

TEST(DriverMotion, DoesNotLookBehindTheTimeThatIsAskedFor) {
  core::Rng rng(42);
  for (int round = 0; round < 200; ++round) {
    const double end = std::nextafter(1.0 + rng.uniform(), 2.0);  // 1 + uniform() is even in its last bit
    const DriverMotion motion = prepared(driver(DriverLevel::kAcceleration, sqrt(end - kTime)), 0.0, end);
    EXPECT_LE(std::abs(motion.value_at(end).velocity - 2.0 / 3.0 * std::pow(end, 1.5)),
              test::roundoff(64, end));
  }
}

TEST(DriverMotion, NamesTheDriverAndTheTime_WhereTheFunctionHasNoValue) {
  const DriverMotion position = prepared(driver(DriverLevel::kPosition, 1 / (kTime - 0.5)), 0.0, 1.0);
  EXPECT_EQ(
      test::sentence_of<ModelError>([&] { position.value_at(0.5); }),
      "the driver's function has no value [driver 'crank']: expected a finite number at every time of the "
      "run, got inf at t = 0.5 s. Change the function, or end the run before that time.");
  EXPECT_THAT(
      test::sentence_of<ModelError>([] { prepared(driver(DriverLevel::kSpeed, log(kTime)), 0.0, 1.0); }),
      HasSubstr("got -inf at t = 0 s"));
  const DriverMotion end = prepared(driver(DriverLevel::kSpeed, log(1 - kTime)), 0.0,
                                    1.0);  // known only when it comes there
  EXPECT_THAT(test::sentence_of<ModelError>([&] { end.value_at(1.0); }), HasSubstr("got -inf at t = 1 s"));
  EXPECT_THAT(test::sentence_of<ModelError>(
                  [] { prepared(driver(DriverLevel::kAcceleration, sqrt(1 - kTime)), 0.0, 2.0); }),
              HasSubstr("got nan at t = 1.0"));
}

TEST(DriverMotion, SaysByItsStatusThatThereIsNoValue_AndThrowsNothing) {
  const auto says = [](DriverLevel level, const auto& function, double t) {
    const DriverMotion motion(driver(level, function), 0.0);
    CoordinateValue value;
    bool is_known = true;
    EXPECT_NO_THROW(is_known = motion.evaluate(t, value));
    EXPECT_FALSE(is_known);
    EXPECT_EQ(core::to_sentence(motion.why_not(t)),
              t < 0.0 ? test::sentence_of<ContractError>([&] { motion.value_at(t); })
                      : test::sentence_of<ModelError>([&] { motion.value_at(t); }));
    // Earlier times are none the worse for it.
    EXPECT_TRUE(motion.evaluate(0.2, value));
    return core::to_sentence(motion.why_not(t));
  };
  EXPECT_THAT(says(DriverLevel::kPosition, sqrt(0.5 - kTime), 0.7), HasSubstr("function has no value"));
  EXPECT_THAT(says(DriverLevel::kSpeed, sqrt(0.5 - kTime), 0.7), HasSubstr("function has no value"));
  EXPECT_THAT(says(DriverLevel::kAcceleration, sqrt(0.5 - kTime), 0.7), HasSubstr("function has no value"));
  EXPECT_THAT(says(DriverLevel::kSpeed, 1 / (kTime - 0.3), 0.7), HasSubstr("cannot be integrated"));
  EXPECT_THAT(says(DriverLevel::kPosition, sqrt(abs(kTime - 0.7)), 0.7), HasSubstr("motion has no rate"));
  EXPECT_THAT(says(DriverLevel::kSpeed, kTime, -0.5), HasSubstr("a time at which no driver moves"));
}

TEST(DriverMotion, NamesTheRateThatIsNotFinite) {
  const DriverMotion motion = prepared(driver(DriverLevel::kPosition, sqrt(kTime)), 0.0, 1.0);
  EXPECT_EQ(
      test::sentence_of<ModelError>([&] { motion.value_at(0.0); }),
      "the driver's motion has no rate [driver 'crank']: expected a finite velocity at every time of the "
      "run, got inf at t = 0 s. Smooth the function, or end the run before that time.");
}

TEST(DriverMotion, RefusesToIntegrateOverAPole) {
  EXPECT_THAT(
      test::sentence_of<ModelError>(
          [] { prepared(driver(DriverLevel::kSpeed, 1 / (kTime - 0.3)), 0.0, 1.0); }),
      HasSubstr("the driver's function cannot be integrated [driver 'crank']: expected no poles, and at most "
                "about 50 oscillations in 0.0625 s, got values that stay unresolved at t = 0."));
}

TEST(DriverMotion, RefusesOscillationsThatItCannotResolve) {
  EXPECT_THROW(prepared(driver(DriverLevel::kSpeed, sin(1e7 * kTime)), 0.0, 1.0), ModelError);
}

TEST(DriverMotion, RefusesTimesBeforeTheStart) {
  const DriverMotion motion(driver(DriverLevel::kSpeed, kTime), 0.0);
  EXPECT_EQ(test::sentence_of<ContractError>([&] { motion.value_at(-1e-9); }),
            "a time at which no driver moves [driver 'crank']: expected 0 s <= t < inf, got -1e-09 s. Runs "
            "start at t = 0 s.");
  EXPECT_THROW(motion.value_at(std::nan("")), ContractError);
  EXPECT_THROW(motion.value_at(HUGE_VAL), ContractError);
}

TEST(DriverMotion, RefusesARunWithoutEndAndAStartThatIsNoNumber) {
  EXPECT_EQ(
      test::sentence_of<ContractError>([] { prepared(driver(DriverLevel::kSpeed, kTime), 0.0, -1.0); }),
      "the end of a run is not a time [driver 'crank']: expected 0 s <= until < inf, got -1 s. Give the last "
      "time "
      "of the run.");
  EXPECT_THROW(prepared(driver(DriverLevel::kSpeed, kTime), 0.0, HUGE_VAL), ContractError);
  EXPECT_EQ(
      test::sentence_of<ContractError>([] { prepared(driver(DriverLevel::kSpeed, 1.0), HUGE_VAL, 1.0); }),
      "a driven variable has no start value [driver 'crank']: expected a finite start, got inf. Give the "
      "value "
      "of "
      "the variable at t = 0 s.");
  EXPECT_NO_THROW(prepared(driver(DriverLevel::kPosition, kTime), std::nan(""), 1.0));
}

}  // namespace
}  // namespace eslabon::kinematics
