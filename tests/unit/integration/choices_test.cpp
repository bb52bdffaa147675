// Choices of formulas, `if` and `step`, stay as they are in a step and change where what they look at passes zero: closed forms.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulated_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::integration {
namespace {

using test::SimulatedCase;
using test::Way;

/// A mass of 2 kg on a line.
std::string slide(const std::string& force, const std::string& start, const std::string& more = "") {
  return "mechanism: slide\nplane: xy\nground: {points: {O: [0, 0]}}\n"
         "bodies: {mass: {mass: 2 kg, inertia: 1 kg*m^2, center_of_mass: [0, 0], points: {P: [0, 0], T: [1, "
         "0]}}}\n"
         "joints: {S: {prismatic: [ground.O, mass.P], axis: [1, 0]}}\n"
         "forces: {push: {joint: S, force: \"= " +
         force + "\"}}\nassembly: {" + start + "}\n" + more;
}

std::vector<Way> all_ways(double step) {
  std::vector<Way> ways;
  for (const char* integrator : {"rk4", "trapezoidal", "generalized-alpha", "dopri5", "bdf"}) {
    Way way{.formulation = "semi-recursive", .kind = "", .integrator = integrator};
    way.options.step = step;
    way.options.rtol = 1e-10;
    way.options.atol = 1e-12;
    ways.push_back(way);
  }
  return ways;
}

// A mass at 1 m/s meets a zone of 1000 N at 55 mm: constant forces on both sides, which methods of second order follow exactly.
TEST(Choices, AreMetWhereTheyAreByEveryMethodWithStepsOf10ms) {
  const double t1 = 0.055, a = -500.0, back = t1 + 2.0 * 1.0 / 500.0;  // leaves the zone at −1 m/s
  for (const Way& way : all_ways(0.01)) {
    SimulatedCase run(test::mechanism_of_text(slide("if(S.q > 55 mm, -1000 N, 0)", "S.q: 0, S.v: 1 m/s")),
                      0.1, way);
    const double inside = 0.0565;
    ASSERT_TRUE(run.advance_to(inside))
        << way.integrator << ": "
        << core::to_sentence(run.simulation.failure()->error_text(way.integrator == "dopri5"));
    const double s = inside - t1;
    EXPECT_NEAR(run.value("S.v"), 1.0 + a * s, 1e-8) << way.integrator;
    EXPECT_NEAR(run.value("S.q"), 0.055 + s + 0.5 * a * s * s, 1e-9) << way.integrator;
    ASSERT_TRUE(run.advance_to(0.1)) << way.integrator;
    EXPECT_NEAR(run.value("S.v"), -1.0, 1e-8) << way.integrator;
    EXPECT_NEAR(run.value("S.q"), 0.055 - (0.1 - back), 1e-9) << way.integrator;
  }
}

// A push that begins at 1.5 s, of a mass at rest: bdf starts anew there, and so do all.
TEST(Choices, OfTimeStartAMassAtRest) {
  for (const Way& way : all_ways(0.007)) {
    SimulatedCase run(test::mechanism_of_text(slide("1000 N*step(t - 1.5 s)", "S.q: 0")), 2.0, way);
    ASSERT_TRUE(run.advance_to(2.0)) << way.integrator;
    EXPECT_NEAR(run.value("S.q"), 0.5 * 500.0 * 0.25, 1e-6) << way.integrator;
    EXPECT_NEAR(run.value("S.v"), 250.0, 1e-6) << way.integrator;
  }
}

// Braked by dry friction that a user wrote as a formula: it stands after v₀/a, and there the formula has no motion to go on with.
TEST(Choices, OfDryFrictionWrittenAsAFormulaAreNamedWhereItShouldHold) {
  for (const Way& way : all_ways(0.01)) {
    SimulatedCase run(test::mechanism_of_text(slide("if(S.v > 0, -5 N, 5 N)", "S.q: 0, S.v: 1 m/s")), 1.0,
                      way);
    ASSERT_TRUE(run.advance_to(0.39)) << way.integrator;
    EXPECT_NEAR(run.value("S.v"), 1.0 - 2.5 * 0.39, 1e-9) << way.integrator;
    EXPECT_FALSE(run.advance_to(1.0)) << way.integrator;
    ASSERT_TRUE(run.simulation.failure());
    const std::string sentence =
        core::to_sentence(run.simulation.failure()->error_text(way.integrator == "dopri5"));
    EXPECT_THAT(sentence, testing::HasSubstr("a force changes over again and again [force 'push', t = 0.4"));
    EXPECT_THAT(sentence, testing::HasSubstr("Write 'friction:' of the joint, which can hold"));
    EXPECT_LT(run.simulation.statistics().steps, 5000) << way.integrator;
    EXPECT_NEAR(run.simulation.t(), 0.4, 1e-9);
  }
}

// Driven over the friction, it slides on, turns round and slides back: m v̇ = ±F − 5 sign v.
TEST(Choices, OfDryFrictionWrittenAsAFormulaSlideOnWhereTheyDoNotHold) {
  for (const Way& way : all_ways(0.01)) {
    SimulatedCase run(test::mechanism_of_text(slide("-20 N + if(S.v > 0, -5 N, 5 N)", "S.q: 0, S.v: 1 m/s")),
                      1.0, way);
    ASSERT_TRUE(run.advance_to(1.0)) << way.integrator;
    const double turns = 1.0 / 12.5, way_there = 0.5 / 12.5, rest = 1.0 - turns;
    EXPECT_NEAR(run.value("S.v"), -7.5 * rest, 1e-8) << way.integrator;
    EXPECT_NEAR(run.value("S.q"), way_there - 3.75 * rest * rest, 1e-8) << way.integrator;
  }
}

// Two choices that look at one thing, and one inside the other: a law with a dead band, v̇ = −(q − b) outside it.
TEST(Choices, NestedAndTogether) {
  const std::string law = "if(S.q > 0.1, -8*(S.q - 0.1), if(S.q < -0.1, -8*(S.q + 0.1), 0))";
  for (const Way& way : all_ways(0.001)) {
    SimulatedCase run(test::mechanism_of_text(slide(law, "S.q: 0.3")), 3.0, way);
    // A quarter of the swing with ω = 2 from 0.2 beyond the band, then 0.2 m at 0.4 m/s, then half a swing.
    const double w = 2.0, quarter = std::acos(0.0) / w, across = 0.2 / 0.4;
    const double t = quarter + across + 0.5 * quarter;
    ASSERT_TRUE(run.advance_to(t)) << way.integrator;
    const bool is_exact = way.integrator == "dopri5" || way.integrator == "rk4" || way.integrator == "bdf";
    EXPECT_NEAR(run.value("S.q"), -0.1 - 0.2 * std::sin(0.5 * std::acos(0.0)), is_exact ? 1e-7 : 1e-5)
        << way.integrator;
  }
}

// ∫ F dt of a push that rises from 0.33 s to 0.6 s as u² (3 − 2 u): Simpson's rule of rk4 gives a cubic exactly, so that with steps of
// 0.1 s the speed is exact where steps end if both edges are met, and wrong by 1e-3 if they are not.
TEST(Choices, SmoothStepsAreMetAtBothEdges) {
  Way way{.formulation = "semi-recursive", .kind = "", .integrator = "rk4"};
  way.options.step = 0.1;
  SimulatedCase run(test::mechanism_of_text(slide("2 N*smooth_step((t - 0.33 s)/(0.27 s))", "S.q: 0")), 1.0,
                    way);
  ASSERT_TRUE(
      run.advance_to(0.4));  // the first step behind the edge: the integral of u² (3 − 2 u) is u³ − u⁴/2
  const double u = 0.07 / 0.27;
  EXPECT_NEAR(run.value("S.v"), 0.27 * (u * u * u - 0.5 * u * u * u * u), 1e-13);
  ASSERT_TRUE(run.advance_to(1.0));
  EXPECT_NEAR(run.value("S.v"), 0.5 * 0.27 + 0.4, 1e-13);
}

// Values at, between and beyond the edges.
TEST(Choices, SmoothStepIsTheCubicBetweenTwoConstants) {
  for (const auto& [x, expected] :
       {std::pair(-1.0, 0.0), {0.0, 0.0}, {0.25, 0.15625}, {0.5, 0.5}, {1.0, 1.0}, {2.0, 1.0}}) {
    test::DynamicCase c(
        test::mechanism_of_text(slide("1 N*smooth_step(S.q/(1 m))", "S.q: " + std::to_string(x))));
    const auto formulation = dynamics::make_formulation("semi-recursive", c.model, {});
    dynamics::State state = formulation->start();
    std::vector<double> a(state.q.size()), z(static_cast<std::size_t>(formulation->num_integrated()));
    ASSERT_EQ(formulation->accelerate(state, a, z), dynamics::DynamicsStatus::kSolved);
    EXPECT_DOUBLE_EQ(2.0 * a[0], expected) << x;
  }
}

// What stands exactly at an edge, or comes to it for ever, does not change over again and again.
TEST(Choices, SmoothStepsRestAtTheirEdges) {
  for (const Way& way : all_ways(0.01)) {
    SimulatedCase standing(test::mechanism_of_text(slide(
                               "-50 N*smooth_step(S.q/(1 mm)) - 3 N*smooth_step(S.v/(0.1 m/s))", "S.q: 0")),
                           2.0, way);
    EXPECT_TRUE(standing.advance_to(2.0)) << way.integrator;
    EXPECT_EQ(standing.value("S.q"), 0.0);
    SimulatedCase braked(
        test::mechanism_of_text(
            slide("5 N*smooth_step(-S.v/(0.1 m/s)) - 5 N*smooth_step(S.v/(0.1 m/s))", "S.q: 0, S.v: 1 m/s")),
        2.0, way);
    EXPECT_TRUE(braked.advance_to(2.0)) << way.integrator;
    EXPECT_GT(braked.value("S.v"), 0.0);
    EXPECT_LT(braked.value("S.v"), 0.02);
    EXPECT_LT(braked.simulation.statistics().steps, 5000) << way.integrator;
  }
}

// A choice that looks at an auxiliary state: a relay that lags.
TEST(Choices, OfAuxiliaryStates) {
  for (const Way& way : all_ways(0.01)) {
    SimulatedCase run(test::mechanism_of_text(slide("if(clock.value > 0.25, 6 N, 0)", "S.q: 0",
                                                    "states: {clock: {start: 0, rate: = 0.5/(1 s)}}\n")),
                      1.0, way);
    ASSERT_TRUE(run.advance_to(1.0)) << way.integrator;
    EXPECT_NEAR(run.value("S.v"), 3.0 * 0.5, 1e-8) << way.integrator;
  }
}

}  // namespace
}  // namespace eslabon::integration
