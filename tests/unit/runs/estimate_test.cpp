#include "eslabon/runs/estimation/estimate.hpp"

#include <cmath>

#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/runs/motion/simulation_run.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/sensing/sense.hpp"

namespace eslabon::runs {
namespace {

using ::testing::HasSubstr;
using Kind = UnknownRequest::Kind;

/// What the sensors of the pendulum read in its first second.
std::vector<sensing::Reading> readings(const std::optional<std::vector<std::string>>& sensors = {}) {
  std::vector<sensing::Reading> list;
  const SenseResult sensed = sense(
      test::sensed_pendulum(), {.until = core::Duration::from_seconds(1.0), .sensors = sensors, .seed = 3});
  for (const Arriving& one : sensed.taken.arriving) list.push_back(one.reading);
  return list;
}

/// Ends a run after so many steps.
class Impatient final : public RunObserver {
 public:
  bool must_stop(std::int64_t steps) override { return steps >= 20; }
};

TEST(Estimate, NeedsNothingButReadings) {
  const std::vector<sensing::Reading> read = readings();
  const EstimateResult result = estimate(test::sensed_pendulum(), read);
  EXPECT_TRUE(result.is_complete);
  EXPECT_FALSE(result.lost);
  ASSERT_TRUE(result.table.find("bob.angle"));
  ASSERT_TRUE(result.table.find("bob.angle.sigma"));
  const std::size_t angle = *result.table.find("bob.angle"), sigma = *result.table.find("bob.angle.sigma");
  for (const sensing::Reading& reading : read) {
    if (reading.sensor != 0 || reading.t.seconds() < 0.1) continue;
    const auto row = static_cast<std::size_t>(std::lround(1e3 * reading.t.seconds()));  // steps of 1 ms
    ASSERT_LT(row, result.table.t.size());
    // The estimate is near the truth, and so is the encoder: 6 σ of its 1 mrad.
    EXPECT_NEAR(result.table.values[angle][row], reading.values[0], 6e-3);
    EXPECT_LT(result.table.values[sigma][row], 1e-3);
  }
}

TEST(Estimate, ComparesWithATruthInMemory) {
  const std::vector<sensing::Reading> read = readings();
  RunObserver nobody;
  EstimateResult own = estimate(test::sensed_pendulum(), read);
  const EstimateResult result = estimate(test::sensed_pendulum(), read, {}, nobody, own.table);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors.front().name, "bob.angle");
  EXPECT_EQ(result.errors.front().rmse(), 0.0);  // of itself
  own.table.columns[*own.table.find("bob.angle")].unit = "m";
  EXPECT_THAT(test::sentence_of<core::DataError>(
                  [&] { estimate(test::sensed_pendulum(), read, {}, nobody, own.table); }),
              HasSubstr("the truth has the wrong unit"));
}

TEST(Estimate, TakesReadingsOfSomeSensorsForTheirs) {
  const EstimateRequest request{.sensors = {{"gyroscope"}}};
  const core::ResultTable truth = simulate(
      test::sensed_pendulum(),
      {.until = core::Duration::from_seconds(1.0), .every = core::Duration::from_nanoseconds(1'000'000)});
  RunObserver nobody;
  const EstimateResult result =
      estimate(test::sensed_pendulum(), readings({{"gyroscope"}}), request, nobody, truth);
  EXPECT_EQ(result.table.values, estimate(test::sensed_pendulum(), readings(), request).table.values);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_NEAR(result.errors.front().rmse(), 1.4216e-3, 1e-6);  // 0.08145°, as the program says
}

TEST(Estimate, RefusesReadingsOfSensorsThatTheMechanismDoesNotHave) {
  for (const int number : {-1, 2}) {
    std::vector<sensing::Reading> read = readings();
    read.back().sensor = number;
    EXPECT_THAT(test::sentence_of<core::DataError>([&] { estimate(test::sensed_pendulum(), read); }),
                HasSubstr("a reading of a sensor that the mechanism does not have"));
  }
}

TEST(Estimate, RefusesATruthThatIsBroken) {
  RunObserver nobody;
  EXPECT_THAT(test::sentence_of<core::DataError>(
                  [&] { estimate(test::sensed_pendulum(), readings(), {}, nobody, core::ResultTable{}); }),
              HasSubstr("there are no rows [the table]"));
}

TEST(Estimate, SaysWhichFieldIsWrong) {
  const model::Mechanism mechanism = test::sensed_pendulum();
  const std::vector<sensing::Reading> read = readings();
  const auto sentence = [&](const EstimateRequest& request) {
    return test::sentence_of<RequestError>([&] { estimate(mechanism, read, request); });
  };
  EXPECT_THAT(sentence({.filter = "ekf"}), HasSubstr("unknown filter [filter]"));
  EXPECT_THAT(sentence({.filter = "ukf", .simple_jacobian = true}), HasSubstr("[simple_jacobian]"));
  EXPECT_THAT(sentence({.has_unknown_start = true}),
              HasSubstr("needs to know where it starts [has_unknown_start]"));
  EXPECT_THAT(sentence({.velocity_noise = -1.0}), HasSubstr("a deviation is negative [velocity_noise]"));
  EXPECT_THAT(sentence({.velocity_noise = std::nan("")}), HasSubstr("[velocity_noise]"));
  EXPECT_THAT(sentence({.gate = 0.7}), HasSubstr("[gate]"));
  EXPECT_THAT(sentence({.particle = {.particles = 10}}), HasSubstr("no filter here reads this [particles]"));
  EXPECT_THAT(sentence({.step = core::Duration()}), HasSubstr("the time is too short [step]"));
  EXPECT_THAT(sentence({.every = core::Duration()}), HasSubstr("the time is too short [every]"));
  EXPECT_THAT(sentence({.until = core::Duration()}), HasSubstr("the time is too short [until]"));
  EXPECT_THAT(sentence({.window = core::Duration::from_nanoseconds(-1)}),
              HasSubstr("the time is too short [window]"));
  EXPECT_THAT(sentence({.outputs = {{"A.fx"}}}), HasSubstr("a filter does not estimate this [outputs]"));
  EXPECT_THAT(sentence({.sensors = {{"gyroscop"}}}), HasSubstr("[sensors]"));
  const auto of_unknown = [&](const UnknownRequest& unknown) { return sentence({.unknown = {unknown}}); };
  EXPECT_THAT(of_unknown({Kind::kMass, "ground"}), HasSubstr("unknown body [unknown]: expected 'bob'"));
  EXPECT_THAT(of_unknown({Kind::kMass, "bob", 0.0}), HasSubstr("an unknown without uncertainty [unknown]"));
  EXPECT_THAT(of_unknown({.kind = Kind::kMass, .name = "bob", .start = 0.0}),
              HasSubstr("a factor is estimated by its logarithm [unknown]"));
  EXPECT_THAT(of_unknown({Kind::kFriction, "A"}), HasSubstr("there is no friction to estimate"));
  EXPECT_THAT(of_unknown({Kind::kForce, "bob.angle"}), HasSubstr("a coordinate of a point, or of a joint"));
  EXPECT_THAT(of_unknown({Kind::kBias, "compass"}), HasSubstr("unknown sensor [unknown]"));
  EXPECT_THAT(sentence({.unknown = {{Kind::kMass, "bob"}, {Kind::kMass, "bob", 2.0}}}),
              HasSubstr("an unknown is named twice"));
}

TEST(Estimate, HasAColumnForEachUnknown) {
  const EstimateResult result =
      estimate(test::sensed_pendulum(), readings(),
               {.unknown = {{Kind::kBias, "gyroscope"}, {Kind::kForce, "A.q", 0.5}}, .forces = true});
  for (const char* name : {"bias:gyroscope", "force:A.q"}) EXPECT_TRUE(result.table.find(name)) << name;
}

TEST(Estimate, StopsWhenItIsAskedTo_AndKeepsWhatItHas) {
  Impatient observer;
  const EstimateResult result = estimate(test::sensed_pendulum(), readings(), {}, observer);
  EXPECT_FALSE(result.is_complete);
  EXPECT_EQ(result.table.t.size(), 21u);  // the start, and a row for each step
}

TEST(EstimateRequest, WaitsForReadingsAsLongAsTheSensorsAreLate) {
  EXPECT_EQ(window_of({}, 0.001).nanoseconds(), 21'000'000);
  EXPECT_EQ(window_of({.is_live = true}, 0.0).nanoseconds(), 5'000'000);
  EXPECT_EQ(window_of({.window = core::Duration()}, 0.001).nanoseconds(), 0);
}

}  // namespace
}  // namespace eslabon::runs
