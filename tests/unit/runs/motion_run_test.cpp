#include "eslabon/runs/motion/motion_run.hpp"

#include <cmath>

#include "tests/followed_run.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/time/time_literals.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {
namespace {

using namespace core::literals;
using testing::HasSubstr;

std::string wrong(const MotionRequest& request) {
  return test::sentence_of<RequestError>([&] { check(request); });
}

TEST(Move, NeedsNothingButAnEnd) {
  const MotionResult result = move(test::model_named("fourbar-testbed"), {.until = 1_s});
  EXPECT_TRUE(result.summary.rows.is_complete);
  EXPECT_FALSE(result.summary.rows.failure);
  ASSERT_EQ(result.t.size(), 1001u);  // a thousandth of the run from row to row
  EXPECT_EQ(result.t.back(), 1.0);
  EXPECT_EQ(result.columns.front().name, "crank.angle");
  EXPECT_EQ(result.columns.back().name, "constraint_error");
  for (const std::vector<double>& column : result.values) EXPECT_EQ(column.size(), result.t.size());
}

// The crank is driven at 1.8190 rad/s from 90 degrees.
TEST(Move, TellsWhatTheDriverPrescribes) {
  const MotionResult result =
      move(test::model_named("fourbar-testbed"), {.until = 1_s, .step = 10_ms, .outputs = {{"A.q", "A.v"}}});
  const std::span<const double> angle = result.column("A.q"), speed = result.column("A.v");
  for (std::size_t k = 0; k < result.t.size(); ++k) {
    EXPECT_NEAR(angle[k] - angle[0], 1.8190 * result.t[k],
                1e-9);  // where drivers must be: integration::LawLimits
    EXPECT_NEAR(speed[k], 1.8190, 1e-9);
  }
  EXPECT_THAT(test::sentence_of<core::ModelError>([&] { result.column("A.w"); }),
              HasSubstr("no such column"));
}

TEST(Move, OfNoTimeIsTheStartAlone) {
  const MotionResult result = move(test::model_named("slider-crank"), {});
  EXPECT_TRUE(result.summary.rows.is_complete);
  EXPECT_EQ(result.t, std::vector{0.0});
}

TEST(Move, SolvesBetweenRowsToo) {
  const MotionResult result =
      move(test::model_named("slider-crank"), {.until = 1_s, .step = 1_ms, .every = 100_ms});
  EXPECT_EQ(result.t.size(), 11u);
  EXPECT_GE(result.summary.statistics.steps, 1000);
}

TEST(Move, EndsWhereItsObserverSaysSo_AndKeepsItsRows) {
  test::Impatient observer(5);
  const MotionResult result =
      move(test::model_named("fourbar-testbed"), {.until = 1_s, .step = 10_ms}, observer);
  EXPECT_FALSE(result.summary.rows.is_complete);
  EXPECT_TRUE(result.summary.rows.was_stopped);
  EXPECT_FALSE(result.ok());
  EXPECT_THAT(result.failure, testing::HasSubstr("the run was stopped at t = "));
  EXPECT_FALSE(result.summary.rows.failure);
  EXPECT_GE(result.t.size(), 1u);
  EXPECT_LT(result.t.size(), 101u);
  EXPECT_EQ(result.summary.rows.count, static_cast<std::int64_t>(result.t.size()));
  EXPECT_LT(observer.last_part, 1.0);
}

TEST(MotionRequest, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(wrong({.until = 1_s, .method = "group"}), HasSubstr("unknown method [method]"));
  EXPECT_THAT(wrong({.until = 1_s, .coordinates = "polar"}), HasSubstr("[coordinates]"));
  EXPECT_THAT(wrong({.until = 1_s, .method = "groups", .coordinates = "natural"}),
              HasSubstr("'natural' with method groups. Leave coordinates out"));
  EXPECT_THAT(wrong({.until = -(1_s)}), HasSubstr("[until]"));
  EXPECT_THAT(wrong({.until = 1_s, .step = core::Duration()}), HasSubstr("[step]"));
  EXPECT_THAT(test::sentence_of<RequestError>(
                  [] { move(test::model_named("fourbar-testbed"), {.until = 1_s, .outputs = {{"A.fx"}}}); }),
              HasSubstr("kinematics computes no forces [outputs]"));
}

}  // namespace
}  // namespace eslabon::runs
