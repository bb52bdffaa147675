#include <cmath>
#include <numbers>

#include "tests/followed_run.hpp"
#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/time/time_literals.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/statics/equilibrium_run.hpp"
#include "eslabon/runs/statics/modes_run.hpp"

namespace eslabon::runs {
namespace {

using namespace core::literals;
using testing::HasSubstr;

TEST(FindEquilibrium, OfABarThatHangsIsBelowAndAbove) {
  const EquilibriumResult result = find_equilibrium(test::sensed_pendulum(), {.solutions = 0});
  ASSERT_EQ(result.solutions.size(), 2u);
  ASSERT_EQ(result.outputs.front().name, "A.q");
  for (const EquilibriumSolution& one : result.solutions) {
    const bool hangs = one.at.stability == dynamics::Stability::kStable;
    EXPECT_NEAR(std::sin(one.outputs.front()), hangs ? -1.0 : 1.0, 1e-12);
  }
  // The table has what the solutions are.
  EXPECT_EQ(result.column("solution")[1], 2.0);
  EXPECT_EQ(result.column("A.q")[0], result.solutions[0].outputs[0]);
  EXPECT_EQ(result.column("stability")[0] + result.column("stability")[1], 0.0);
}

TEST(FindEquilibrium, HoldsTheDriversThatAreNotReleased) {
  const model::Mechanism mechanism = test::model_named("fourbar-testbed");
  const EquilibriumResult held = find_equilibrium(mechanism, {.place = {.time = 1_s}});
  EXPECT_TRUE(held.is_held);
  EXPECT_EQ(held.num_freedoms, 0);
  ASSERT_EQ(held.held.size(), 1u);
  EXPECT_EQ(held.held.front().name, "motor");
  const EquilibriumResult free = find_equilibrium(mechanism, {.place = {.release = {"all"}}});
  EXPECT_FALSE(free.is_held);
  EXPECT_EQ(free.num_freedoms, 1);
}

// A bar of length L about its end: ω² = 3 g / (2 L).
TEST(FindModes, OfABarThatHangs) {
  const ModesResult result = find_modes(test::sensed_pendulum(), {.inputs = {"A.q"}});
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(result.modes.front().natural_frequency(), std::sqrt(1.5 * 9.81),
              1e-6);  // derivatives are differences
  EXPECT_EQ(result.shape_texts.size(), 1u);
  EXPECT_EQ(result.linear.input_names, std::vector<std::string>{"A.q"});
  EXPECT_EQ(result.linear.output_names, std::vector<std::string>{"bob.angle"});
  EXPECT_TRUE(result.linear.is_equilibrium);
}

TEST(StaticRequests, NameTheFieldThatIsWrong) {
  const auto wrong = [](const ModesRequest& request) {
    return test::sentence_of<RequestError>([&] { find_modes(test::sensed_pendulum(), request); });
  };
  EXPECT_THAT(wrong({.common = {.time = 1_s}, .at = ModesRequest::Place::kStart}),
              HasSubstr("goes with an equilibrium only [time]: expected at equilibrium, got at start"));
  EXPECT_THAT(wrong({.at = ModesRequest::Place::kTime}), HasSubstr("[after]"));
  EXPECT_THAT(wrong({.inputs = {"A.w"}}), HasSubstr("[inputs"));
  EXPECT_THAT(wrong({.common = {.release = {"engine"}}}), HasSubstr("[release"));
  EXPECT_THAT(
      test::sentence_of<RequestError>([] { find_equilibrium(test::sensed_pendulum(), {.solutions = -1}); }),
      HasSubstr("[solutions]"));
}

}  // namespace
}  // namespace eslabon::runs
