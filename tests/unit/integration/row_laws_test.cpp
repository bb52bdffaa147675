#include "eslabon/integration/row_laws.hpp"

#include <array>

#include "tests/simulated_case.hpp"
#include <gtest/gtest.h>

namespace eslabon::integration {
namespace {

const model::Mechanism& driven_bar() {
  static const model::Mechanism mechanism = test::mechanism_of_text(R"(
mechanism: bar
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {a: {mass: 1, center_of_mass: [0, 0], inertia: 1, points: {O: [0, 0], P: [2, 0]}}}
joints: {A: {revolute: [ground.O, a.O]}}
drivers: {motor: {joint: A, position: = 3*t}}
stops: {s: {point: a.P.y, lower: -3, upper: 1, restitution: 0.5}}
)");
  return mechanism;
}

/// The sentence about a row of the bar, 2 m long; empty: the row is good.
std::string sentence(double constraint_error, double y, double angle, double wanted,
                     const LawLimits& limits = {}) {
  const std::array<double, 1> stopped{y}, driven{angle};
  const std::array<coordinates::CoordinateValue, 1> drivers{{{.position = wanted}}};
  const auto broken =
      RowLaws(driven_bar(), limits).broken({0.25, {}, constraint_error, stopped, driven, drivers});
  return broken ? core::to_sentence(*broken) : "";
}

TEST(RowLaws, GoodRows) {
  EXPECT_EQ(sentence(0.0, 0.5, 0.75, 0.75), "");
  EXPECT_EQ(sentence(1.9e-9, 1.0 + 1.9e-6, 0.75 + 0.9e-9, 0.75), "");
  EXPECT_EQ(sentence(1e-5, 0.5, 0.75, 0.75, kDriftingLimits), "");
  EXPECT_EQ(sentence(0.0, 0.5, 1e9 + 1e-7, 1e9), "");  // the rounding of a thousand million radians
}

TEST(RowLaws, OpenJoints) {
  EXPECT_EQ(sentence(2.1e-9, 0.5, 0.75, 0.75),
            "the joints have come open [row t = 0.25 s]: expected at most 2e-09 m, got 2.1e-09 m. Take "
            "smaller steps or "
            "tolerances, or another method.");
  EXPECT_NE(sentence(3e-4, 0.5, 0.75, 0.75, kDriftingLimits), "");
}

TEST(RowLaws, PassedStop) {
  EXPECT_EQ(sentence(0.0, 1.125, 0.75, 0.75),
            "a rigid stop is passed [row t = 0.25 s, upper limit of stop 's']: expected a.P.y within its "
            "limits, got 1.125 m, "
            "0.125 beyond. Take smaller steps or tolerances, or change what moves it there, or the stop.");
  EXPECT_NE(sentence(0.0, -3.1, 0.75, 0.75), "");
}

TEST(RowLaws, WholeTurnsBesideTheDriver) {
  EXPECT_EQ(sentence(0.0, 0.5, 7.0, 0.75),
            "a driven variable does not follow its driver [row t = 0.25 s, driver 'motor']: expected A.q "
            "= 0.75 rad, got 7 "
            "rad. Take smaller steps or tolerances, or another method.");
}

}  // namespace
}  // namespace eslabon::integration
