// Elementary functions of lanes against series of 106 bits, which share no code with them and are the same on every processor.
#include "eslabon/core/scalar/lane_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/exact_functions.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::core {
namespace {

using test::ulps;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kPoints = 60'000;

// reference
TEST(LaneLog, IsWithinOneUnitInTheLastPlace) {
  Rng rng(1);
  double worst = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double u = rng.uniform();
    const std::vector points = {
        u, 1.0 + 0.5 * (u - 0.5), std::ldexp(u, static_cast<int>(rng.uniform_index(2000)) - 1000),
        std::ldexp(u, -1060), 1.0 + std::ldexp(u, -static_cast<int>(rng.uniform_index(60)))};
    for (double x : points) worst = std::max(worst, ulps(lane_log(x), test::exact_log(x)));
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LE(worst, 1.0);
  EXPECT_EQ(lane_log(1.0), 0.0);
  EXPECT_EQ(lane_log(0.0), -kInfinity);
  EXPECT_EQ(lane_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(lane_log(-1.0)));
  EXPECT_TRUE(std::isnan(lane_log(std::nan(""))));
  EXPECT_NEAR(lane_log(0x1.0p-1074), -1074.0 * std::numbers::ln2, 1e-12);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_LE(ulps(lane_log(largest), test::exact_log(largest)), 1.0);
}

// reference
TEST(LaneExp, IsWithinOneUnitInTheLastPlace) {
  Rng rng(2);
  double worst = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double u = 2.0 * rng.uniform() - 1.0;
    for (double x :
         {u, 709.7 * u, -745.0 * std::abs(u), std::ldexp(u, -static_cast<int>(rng.uniform_index(60)))})
      worst = std::max(worst, ulps(lane_exp(x), test::exact_exp(x)));
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LE(worst, 1.0);
  EXPECT_EQ(lane_exp(0.0), 1.0);
  EXPECT_EQ(lane_exp(-0.0), 1.0);
  for (double x : {-746.0, -1e4, -1e300, -kInfinity}) EXPECT_EQ(lane_exp(x), 0.0) << x;
  for (double x : {709.79, 1e4, 1e300, kInfinity}) EXPECT_EQ(lane_exp(x), kInfinity) << x;
  EXPECT_TRUE(std::isnan(lane_exp(std::nan(""))));
  EXPECT_LT(lane_exp(709.78), kInfinity);
}

double worst_sincos(double x) {
  const LaneSinCos both = lane_sincos(x);
  const test::ExactSinCos exact = test::exact_sincos(x);
  return std::max(ulps(both.sine, exact.sine), ulps(both.cosine, exact.cosine));
}

// reference: angles over many turns, small ones, and the nearest and next numbers to multiples of π/2, where everything cancels.
TEST(LaneSinCos, IsWithinOneUnitInTheLastPlace) {
  Rng rng(3);
  double worst = 0.0, worst_next = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double u = 2.0 * rng.uniform() - 1.0;
    for (double x : {u, 7.0 * u, 1e3 * u, kLargestExactAngle * u,
                     std::ldexp(u, -static_cast<int>(rng.uniform_index(60)))})
      worst = std::max(worst, worst_sincos(x));
    double x = 0.5 * std::numbers::pi * static_cast<double>(k);
    if (x > kLargestExactAngle) continue;
    for (int next = 0; next < 3; ++next, x = std::nextafter(x, kInfinity))
      worst_next = std::max({worst_next, worst_sincos(x), worst_sincos(-x)});
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  RecordProperty("worst_ulps_next_to_multiples", std::to_string(worst_next));
  EXPECT_LE(worst, 1.0);
  EXPECT_LE(worst_next, 1.0);
  EXPECT_EQ(lane_sincos(0.0).sine, 0.0);
  EXPECT_EQ(lane_sincos(0.0).cosine, 1.0);
}

// analytic: of larger arguments it is the sine of a number at most 2 ulp away; beyond the largest there is none.
TEST(LaneSinCos, KeepsItsBackwardError_OfLargeAngles) {
  Rng rng(4);
  for (int k = 0; k < kPoints; ++k) {
    const double x = std::ldexp(2.0 * rng.uniform() - 1.0, static_cast<int>(rng.uniform_index(45)));
    const double ulp = std::nextafter(std::abs(x), kInfinity) - std::abs(x);
    const LaneSinCos both = lane_sincos(x);
    ASSERT_NEAR(both.sine, std::sin(x), 2.0 * ulp + 1e-15) << x;
    ASSERT_NEAR(both.cosine, std::cos(x), 2.0 * ulp + 1e-15) << x;
  }
  for (double x : {1e14, -1e300, kInfinity, std::nan("")}) {
    EXPECT_TRUE(std::isnan(lane_sincos(x).sine)) << x;
    EXPECT_TRUE(std::isnan(lane_sincos(x).cosine)) << x;
  }
}

// reference, and invariant: quarters of a turn are exact.
TEST(LaneSinCosOfTurns, IsWithinOneAndAHalfUnitsInTheLastPlace) {
  Rng rng(5);
  double worst = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double u = rng.uniform();
    const LaneSinCos both = lane_sincos_of_turns(u);
    const test::ExactSinCos exact = test::exact_sincos_of_turns(u);
    worst = std::max({worst, ulps(both.sine, exact.sine), ulps(both.cosine, exact.cosine)});
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LE(worst, 1.5);
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const LaneSinCos both = lane_sincos_of_turns(0.25 * quarter);
    EXPECT_EQ(both.sine, quarter % 4 == 1 ? 1.0 : quarter % 4 == 3 ? -1.0 : 0.0);
    EXPECT_EQ(both.cosine, quarter % 4 == 0 ? 1.0 : quarter % 4 == 2 ? -1.0 : 0.0);
  }
}

/// One step of Newton from what the C library says, y: tan(atan x − y) = (x − tan y)/(1 + x tan y), so small that it is its arctangent.
test::DoubleDouble exact_atan(double x) {
  const double y = std::atan(x);
  const test::ExactSinCos turn = test::exact_sincos(y);
  const test::DoubleDouble X = x;
  return test::DoubleDouble(y) + (X * turn.cosine - turn.sine) / (turn.cosine + X * turn.sine);
}

// reference: of all sizes, and next to where the reduction changes.
TEST(LaneAtan, IsWithinTwoUnitsInTheLastPlace) {
  Rng rng(7);
  double worst = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double u = 2.0 * rng.uniform() - 1.0;
    for (double x :
         {u, 3.0 * u, 40.0 * u, 1.0 / u, std::ldexp(u, static_cast<int>(rng.uniform_index(120)) - 60),
          (std::numbers::sqrt2 + 1.0) * (1.0 + 1e-13 * u), (std::numbers::sqrt2 - 1.0) * (1.0 + 1e-13 * u)})
      worst = std::max(worst, ulps(lane_atan(x), exact_atan(x)));
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LE(worst, 2.0);
  EXPECT_EQ(lane_atan(0.0), 0.0);
  EXPECT_TRUE(std::signbit(lane_atan(-0.0)));
  EXPECT_EQ(lane_atan(kInfinity), 0.5 * std::numbers::pi);
  EXPECT_EQ(lane_atan(-kInfinity), -0.5 * std::numbers::pi);
  EXPECT_TRUE(std::isnan(lane_atan(std::nan(""))));
  EXPECT_EQ(lane_atan(0x1.0p-1074), 0x1.0p-1074);
}

// reference: over many turns, and next to multiples of π, where the angle is not known better than to the last place of π.
TEST(LaneSineOfMotion, IsWithinTwoAndAHalfUnitsInTheLastPlace) {
  Rng rng(8);
  double worst = 0.0;
  const auto check = [&](double x) {
    const test::DoubleDouble exact = test::exact_sincos(x).sine;
    const double sine = lane_sine_of_motion(x), error = std::abs(sine - exact.high - exact.low);
    if (error > 1e-16) worst = std::max(worst, ulps(sine, exact));
  };
  for (int k = 0; k < kPoints; ++k) {
    const double u = 2.0 * rng.uniform() - 1.0;
    for (double x : {u, 2.0 * u, 7.0 * u, 1e3 * u, std::numbers::pi * k * (1.0 + 1e-15 * u),
                     std::numbers::pi * (k + 0.5) * (1.0 + 1e-15 * u)})
      check(x);
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LE(worst, 2.5);
  EXPECT_EQ(lane_sine_of_motion(0.0), 0.0);
  EXPECT_EQ(lane_sine_of_motion(0.5 * std::numbers::pi), 1.0);
  EXPECT_EQ(lane_sine_of_motion(-0.5 * std::numbers::pi), -1.0);
  EXPECT_TRUE(std::isnan(lane_sine_of_motion(std::nan(""))));
}

// invariant: pairs have the bits of single calls.
TEST(LaneMath, HasTheSameBitsInPairs) {
  Rng rng(9);
  for (int k = 0; k < kPoints; ++k) {
    const double u = rng.uniform();
    for (const double a : {u, -20.0 * u, 1.0 / u}) {
      const volatile double one = a, other = 3.0 * u - 1.0;
      const LanePair both{one, other};
      const LanePair angle = lane_atan(both), sine = lane_sine_of_motion(both);
      const auto turn = lane_sincos_of_motion(both);
      ASSERT_EQ(angle[0], lane_atan<double>(one));
      ASSERT_EQ(angle[1], lane_atan<double>(other));
      ASSERT_EQ(sine[0], lane_sine_of_motion<double>(one));
      ASSERT_EQ(sine[1], lane_sine_of_motion<double>(other));
      ASSERT_EQ(turn.sine[0], lane_sincos_of_motion<double>(one).sine);
      ASSERT_EQ(turn.cosine[1], lane_sincos_of_motion<double>(other).cosine);
    }
  }
}

// invariant: lanes of a loop that the compiler makes vectors of have the bits of single calls.
TEST(LaneMath, HasTheSameBitsInALoop) {
  Rng rng(6);
  std::vector<double> x(1003), logs(x), exps(x), sines(x), cosines(x), angles(x);
  for (double& value : x) value = 20.0 * rng.uniform();
  for (std::size_t i = 0; i < x.size(); ++i) {
    logs[i] = lane_log(x[i]);
    exps[i] = lane_exp(x[i]);
    angles[i] = lane_atan(x[i]);
    const LaneSinCos both = lane_sincos(x[i]);
    sines[i] = both.sine, cosines[i] = both.cosine;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    volatile double one = x[i];
    ASSERT_EQ(logs[i], lane_log(one));
    ASSERT_EQ(exps[i], lane_exp(one));
    ASSERT_EQ(angles[i], lane_atan(one));
    ASSERT_EQ(sines[i], lane_sincos(one).sine);
    ASSERT_EQ(cosines[i], lane_sincos(one).cosine);
  }
}

}  // namespace
}  // namespace eslabon::core
