#include "eslabon/runs/sensing/sense.hpp"

#include <algorithm>

#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {
namespace {

using ::testing::HasSubstr;

core::Duration seconds(double value) { return core::Duration::from_seconds(value); }

/// Ends a run after so many steps.
class Impatient final : public RunObserver {
 public:
  explicit Impatient(std::int64_t patience) : patience_(patience) {}
  bool must_stop(std::int64_t steps) override { return steps >= patience_; }
  void progress(double part) override { last_part = part; }
  double last_part = 0.0;

 private:
  std::int64_t patience_;
};

TEST(Sense, NeedsNothingButAnEnd) {
  const SenseResult result = sense(test::sensed_pendulum(), {.until = seconds(1.0)});
  EXPECT_TRUE(result.is_complete);
  ASSERT_EQ(result.taken.tallies.size(), 2u);
  for (const SensorTally& tally : result.taken.tallies) EXPECT_EQ(tally.readings, 101u);  // 100 Hz, both ends
  EXPECT_EQ(result.taken.arriving.size(), 202u);
  EXPECT_EQ(end_of_row(result.taken.arriving, 0), 2u);  // both read at once
}

TEST(Sense, GivesTheSameBitsForTheSameSeed) {
  const auto first_of = [](std::uint64_t seed) {
    return sense(test::sensed_pendulum(), {.until = seconds(0.1), .seed = seed})
        .taken.arriving.front()
        .reading.values[0];
  };
  EXPECT_EQ(first_of(7), first_of(7));
  EXPECT_NE(first_of(7), first_of(8));
}

TEST(Sense, NumbersSensorsAsTheMechanismHasThem_WhicheverAreChosen) {
  const auto readings_of = [](const SenseRequest& request) {
    return sense(test::sensed_pendulum(), request).taken;
  };
  const TakenReadings all = readings_of({.until = seconds(0.1)});
  const TakenReadings some = readings_of({.until = seconds(0.1), .sensors = {{"gyroscope"}}});
  ASSERT_EQ(some.arriving.size(), 11u);
  std::size_t next = 0;
  for (const Arriving& one : all.arriving) {
    if (one.reading.sensor != 1) continue;
    EXPECT_EQ(some.arriving[next].reading.sensor, 1);
    EXPECT_EQ(some.arriving[next++].reading.values[0], one.reading.values[0]);
  }
  ASSERT_EQ(some.tallies.size(), 2u);
  EXPECT_EQ(some.tallies[0].readings, 0u);
  EXPECT_EQ(some.tallies[1].readings, 11u);
  const TakenReadings turned = readings_of({.until = seconds(0.1), .sensors = {{"gyroscope", "encoder"}}});
  EXPECT_EQ(turned.arriving[0].reading.sensor, 1);
  EXPECT_EQ(turned.arriving[1].reading.sensor, 0);
}

// The model is out of scope before its sensor is read.
TEST(Sense, ChosenSensorsKeepTheirModel) {
  const std::vector<ChosenSensor> chosen = choose_sensors(
      dynamics::DynamicModel(kinematics::AssembledMechanism::assemble(test::sensed_pendulum())),
      {{"encoder"}});
  const dynamics::DynamicModel same(kinematics::AssembledMechanism::assemble(test::sensed_pendulum()));
  const model::Sensor& encoder = same.mechanism().sensors().front();
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(chosen[0].sensor.name, "encoder");
  double kept = -1.0, expected = 1.0;
  const sensing::Scene<double> scene{0.0, same.start(), same.start_memory()};
  chosen[0].instrument->read(scene, std::span(&kept, 1));
  sensing::make_instrument(same, encoder)->read(scene, std::span(&expected, 1));
  EXPECT_EQ(kept, expected);
}

TEST(Sense, RefusesATableThatIsBroken) {
  const auto sentence = [](const core::ResultTable& truth) {
    return test::sentence_of<core::DataError>([&] { sense(test::sensed_pendulum(), {.truth = truth}); });
  };
  EXPECT_THAT(sentence({}), HasSubstr("there are no rows [the table]"));
  EXPECT_THAT(sentence({.path = "truth", .columns = {{"A.q", "rad"}}, .t = {0.0, 1.0}, .values = {{0.0}}}),
              HasSubstr("column 'A.q' is not as long as the times [truth]"));
}

// Without gravity's help: a table says that the bar turns at 1 rad/s, whatever would move it.
TEST(Sense, ReadsAMotionThatATableTells) {
  SenseRequest request{
      .truth = core::ResultTable{.path = "truth",
                                 .columns = {{"A.q", "rad"}, {"A.v", "rad/s"}, {"A.a", "rad/s^2"}},
                                 .t = {},
                                 .values = std::vector<std::vector<double>>(3)},
      .sensors = {{"encoder"}}};
  for (int k = 0; k <= 100; ++k) {
    request.truth->t.push_back(0.01 * k);
    request.truth->values[0].push_back(0.01 * k);
    request.truth->values[1].push_back(1.0);
    request.truth->values[2].push_back(0.0);
  }
  const SenseResult result = sense(test::sensed_pendulum(), request);
  ASSERT_EQ(result.taken.arriving.size(), 101u);
  for (const Arriving& one : result.taken.arriving)
    EXPECT_NEAR(one.reading.values[0], one.reading.t.seconds(), 6e-3);  // 6 σ of 101 readings: once in 10⁷
}

TEST(Sense, SaysWhichFieldIsWrong) {
  const model::Mechanism mechanism = test::sensed_pendulum();
  const auto sentence = [&](const SenseRequest& request) {
    return test::sentence_of<RequestError>([&] { sense(mechanism, request); });
  };
  EXPECT_THAT(sentence({}), HasSubstr("no motion [truth]"));
  EXPECT_THAT(sentence({.until = seconds(1.0), .truth = core::ResultTable{}}),
              HasSubstr("a motion from two sources [truth]"));
  EXPECT_THAT(sentence({.until = seconds(1.0), .release = {"motor"}}), HasSubstr("[release"));
  EXPECT_THAT(sentence({.until = seconds(1.0), .sensors = {{"encodre"}}}),
              HasSubstr("unknown sensor [sensors]: expected 'encoder' or 'gyroscope', got 'encodre'"));
  EXPECT_THAT(sentence({.until = seconds(1.0), .sensors = {{"encoder", "encoder"}}}),
              HasSubstr("a sensor is named twice [sensors]"));
  EXPECT_THAT(sentence({.until = seconds(0.0)}), HasSubstr("the time is too short [until]"));
  EXPECT_THAT(sentence({.until = seconds(1.0), .every = core::Duration()}),
              HasSubstr("the time is too short [every]: expected a positive time of at least 1 ns"));
}

TEST(Sense, StopsWhenItIsAskedTo_AndKeepsWhatItHas) {
  Impatient observer(10);
  const SenseResult result = sense(test::sensed_pendulum(), {.until = seconds(1.0)}, observer);
  EXPECT_FALSE(result.is_complete);
  EXPECT_EQ(result.taken.arriving.size(), 10u);
  EXPECT_NEAR(result.reached, 0.04, 1e-12);
  EXPECT_NEAR(observer.last_part, 0.04, 1e-12);
}

}  // namespace
}  // namespace eslabon::runs
