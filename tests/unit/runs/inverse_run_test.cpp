#include "eslabon/runs/motion/inverse_run.hpp"

#include "tests/followed_run.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/time/time_literals.hpp"
#include "eslabon/runs/motion/reaction_rows.hpp"
#include "eslabon/runs/motion/simulation_run.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {
namespace {

using namespace core::literals;
using testing::HasSubstr;

/// Keeps rows of reactions.
class ReactionTable final : public RowSink {
 public:
  explicit ReactionTable(ReactionRows rows) : rows_(std::move(rows)) {}
  void add(const Row& row) override {
    const std::span<const double> values = rows_.at(row);
    table.emplace_back(values.begin(), values.end());
  }
  std::vector<std::vector<double>> table;  ///< (rows) (columns)

 private:
  ReactionRows rows_;
};

TEST(Inverse, NeedsNothingButAnEnd) {
  const InverseResult result = inverse(test::model_named("fourbar-testbed"), {.motion = {.until = 1_s}});
  EXPECT_TRUE(result.summary.motion.rows.is_complete);
  ASSERT_EQ(result.summary.actuators.size(), 1u);
  EXPECT_EQ(result.summary.actuators[0].column.name, "motor.effort");
  EXPECT_EQ(result.column("motor.effort").size(), result.t.size());
  // What the motor puts in is in the mechanism.
  EXPECT_LT(result.summary.open_energy(), 1e-9 * result.summary.energy_measure());
}

// Driven at a constant speed the motion is the same in both, and so are the efforts of the motor.
TEST(Inverse, GivesTheEffortsThatForwardDynamicsTells) {
  const model::Mechanism mechanism = test::model_named("fourbar-testbed");
  const InverseResult efforts = inverse(mechanism, {.motion = {.until = 1_s, .step = 100_ms}});
  const Result forward = simulate(mechanism, {.until = 1_s, .every = 100_ms, .outputs = {{"motor.effort"}}});
  ASSERT_EQ(forward.t, efforts.t);
  const std::span<const double> one = efforts.column("motor.effort"), other = forward.column("motor.effort");
  for (std::size_t k = 0; k < one.size(); ++k)
    EXPECT_NEAR(one[k], other[k], 1e-6 * std::abs(efforts.summary.actuators[0].effort.largest));
}

TEST(Inverse, ReactionsAreOfAllJointsAndActuators) {
  InverseRun run(test::model_named("fourbar-testbed"), {.motion = {.until = 1_s, .step = 100_ms}});
  ReactionRows rows(run.mechanism(), run.actuators().columns);
  EXPECT_EQ(rows.columns().size(), 4u * 2u * 3u + 1u);  // fx, fy, mz in two frames, and the motor
  EXPECT_EQ(rows.columns().front().name, "A.fx");
  ReactionTable table(std::move(rows));
  EXPECT_TRUE(run.run(table));
  EXPECT_EQ(table.table.size(), 11u);
}

TEST(Inverse, EndsWhereItsObserverSaysSo) {
  test::Impatient observer(5);
  const InverseResult result =
      inverse(test::model_named("fourbar-testbed"), {.motion = {.until = 1_s, .step = 10_ms}}, observer);
  EXPECT_TRUE(result.summary.motion.rows.was_stopped);
  EXPECT_FALSE(result.ok());
  EXPECT_THAT(result.failure, testing::HasSubstr("the run was stopped at t = "));
  EXPECT_LT(result.t.size(), 101u);
}

TEST(InverseRequest, NamesTheFieldThatIsWrong) {
  const auto wrong = [](const InverseRequest& request) {
    return test::sentence_of<RequestError>([&] { inverse(test::model_named("fourbar-testbed"), request); });
  };
  EXPECT_THAT(wrong({.motion = {.until = 1_s, .method = "fast"}}), HasSubstr("[method]"));
  EXPECT_THAT(wrong({.motion = {.until = 1_s}, .actuators = {{"engine"}}}), HasSubstr("[actuators"));
  EXPECT_THAT(wrong({.motion = {.until = 1_s}, .actuators = {{"motor", "A.q"}}}),
              HasSubstr("two actuators push along the same [actuators]"));
  EXPECT_THAT(wrong({.motion = {.until = 1_s, .outputs = {{"motor.effort"}}}, .actuators = {{"B.q"}}}),
              HasSubstr("efforts of actuators"));
}

}  // namespace
}  // namespace eslabon::runs
