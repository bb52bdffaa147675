// Where drivers can go no farther, by the geometry of triangles, and which step runs take by default.
#include "eslabon/integration/driver_limit.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/integration/integrators/integrator.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"

namespace eslabon::integration {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Base 4, crank 2, coupler 2.5, rocker 3: the crank does not go all the way round.
std::string four_bar(const std::string& rest) {
  return "mechanism: m\nplane: xy\nground: {points: {A: [0, 0], B: [4, 0]}}\nbodies:\n"
         "  crank: {mass: 1, shape: {bar: [A, P]}, points: {A: [0, 0], P: [2, 0]}}\n"
         "  coupler: {mass: 1, shape: {bar: [P, Q]}, points: {P: [0, 0], Q: [2.5, 0]}}\n"
         "  rocker: {mass: 1, shape: {bar: [B, Q]}, points: {B: [0, 0], Q: [3, 0]}}\n"
         "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P: {revolute: [crank.P, coupler.P]}\n"
         "  Q: {revolute: [coupler.Q, rocker.Q]}\n  B: {revolute: [ground.B, rocker.B]}\n"
         "assembly: {coupler.angle: 30 deg, rocker.angle: 100 deg}\n" +
         rest;
}

struct Case {
  explicit Case(const std::string& text)
      : mechanism(io::read_mechanism(text, "m.yaml")),
        structure(kinematics::analyse_driven_structure(mechanism)),
        model(mechanism, structure, kinematics::assemble(mechanism, structure)) {}
  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
};

TEST(DriverLimit, IsWhereCouplerAndRockerAreInLine) {
  const Case c(four_bar("drivers: {motor: {joint: A, speed: 1, start: 60 deg}}\n"));
  // |PB| = 2.5 + 3 there: cosines in the triangle A, P, B.
  const double limit = std::acos((4.0 * 4.0 + 2.0 * 2.0 - 5.5 * 5.5) / (2.0 * 4.0 * 2.0));
  const double t = limit - std::numbers::pi / 3.0;
  const auto text = driver_limit(c.model, t, 10.0);
  ASSERT_TRUE(text);
  EXPECT_THAT(text->where, StartsWith("driver 'motor', joint 'Q'"));
  EXPECT_THAT(text->actual, HasSubstr("cannot go beyond t = " + core::rounded_text(t).substr(0, 3)));
  EXPECT_THAT(text->next, testing::Not(HasSubstr("Results")));
}

TEST(DriverLimit, IsNothingBeforeTheLimitIsReached) {
  const Case c(four_bar("drivers: {motor: {joint: A, speed: 1, start: 60 deg}}\n"));
  EXPECT_FALSE(driver_limit(c.model, 0.1, 10.0));
}

TEST(DriverLimit, NamesADriverThatJumps) {
  const Case c(
      four_bar("drivers: {motor: {joint: A, position: \"= 1 + 0.02*atan2(sin(4*t), cos(4*t))\"}}\n"));
  const auto text = driver_limit(c.model, 0.8, 10.0);  // π/4 = 0.785 s
  ASSERT_TRUE(text);
  EXPECT_EQ(text->where, "driver 'motor'");
  EXPECT_THAT(text->actual, HasSubstr("jumps at t = 0.785398"));
}

TEST(DriverLimit, IsNothingWhereFreedomsAreLeft) {
  const Case c(four_bar(""));
  EXPECT_FALSE(driver_limit(c.model, 1.0, 10.0));
}

TEST(DefaultOptions, StepOverNothingThatDependsOnTime) {
  const auto largest_step = [](const std::string& rest) {
    return default_options(Case(four_bar(rest)).mechanism, 5.0).largest_step;
  };
  EXPECT_EQ(largest_step(""), 0.0);
  EXPECT_EQ(largest_step("forces: {push: {point: coupler.Q, force: [3, 0]}}\n"), 0.0);
  EXPECT_EQ(largest_step("forces: {push: {point: coupler.Q, force: [= sin(t), 0]}}\n"), 5e-3);
  EXPECT_EQ(largest_step("drivers: {motor: {joint: A, position: = 1 + t}}\n"), 5e-3);
}

}  // namespace
}  // namespace eslabon::integration
