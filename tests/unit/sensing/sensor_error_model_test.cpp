#include "eslabon/sensing/sensor_error_model.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "tests/allocation_counter.hpp"
#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/geometry/rotation.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/sensing/random_stream.hpp"

namespace eslabon::sensing {
namespace {

using core::Instant;
using model::SensorErrors;
using testing::ElementsAre;
using Values = std::vector<double>;

constexpr std::uint64_t kSeed = 5;

/// Errors of every kind, but for those that cut.
SensorErrors smooth_errors() {
  return {.noise = 0.1,
          .bias = 0.2,
          .turn_on_bias = 0.3,
          .drift = 0.4,
          .drift_time = 2.0,
          .scale = 0.05,
          .misalignment = 0.2};
}

SensorErrorModel vector_model(const SensorErrors& errors, std::string_view name = "s",
                              std::uint64_t seed = kSeed) {
  return SensorErrorModel(name, {{errors, 3, true}}, seed);
}

/// What the model reads at t = 0, 0.5, 1, … s where a perfect sensor reads `truth`.
std::vector<Values> readings(SensorErrorModel model, const Values& truth, int count) {
  std::vector<Values> all;
  for (int k = 0; k < count; ++k) {
    Values values = truth;
    model.read(Instant::from_seconds(0.5 * k), values);
    all.push_back(values);
  }
  return all;
}

TEST(RandomStream, IsAnotherForEverySensorChannelAndDraw) {
  std::set<std::uint64_t> first;
  std::size_t count = 0;
  for (const char* name : {"a", "b", "aa", "ab", "imu1", "imu2", ""})
    for (int channel = 0; channel < 9; ++channel)
      for (const Draw draw : {Draw::kConstants, Draw::kDrift, Draw::kNoise, Draw::kJitter, Draw::kDropout}) {
        first.insert(random_stream(1, name, channel, draw).bits());
        ++count;
      }
  EXPECT_EQ(first.size(), count);
}

TEST(SensorErrorModel, WithoutErrorsIsThePerfectSensor) {
  const Values truth{1.25, -3.0, 1e300};
  EXPECT_EQ(readings(vector_model({}), truth, 3).back(), truth);
}

TEST(SensorErrorModel, GivesEqualBitsForEqualSeeds) {
  const Values truth{1.0, 2.0, 3.0};
  EXPECT_EQ(readings(vector_model(smooth_errors()), truth, 9),
            readings(vector_model(smooth_errors()), truth, 9));
  const auto first = readings(vector_model(smooth_errors()), truth, 1)[0];
  EXPECT_NE(readings(vector_model(smooth_errors(), "s", kSeed + 1), truth, 1)[0], first) << "another run";
  EXPECT_NE(readings(vector_model(smooth_errors(), "r"), truth, 1)[0], first) << "another sensor";
}

// Every error by itself, then all of them at once: the sum of its parts in the order of the equations, because no error changes
// what another draws. 1e-15: sums of a few numbers near 1, in another order.
TEST(SensorErrorModel, AppliesErrorsInTheirOrder) {
  const Values truth{1.0, -2.0, 0.5}, zero(3, 0.0), ones(3, 1.0);
  const SensorErrors e = smooth_errors();
  const auto noise = readings(vector_model({.noise = e.noise}), zero, 5);
  const auto drift = readings(vector_model({.drift = e.drift, .drift_time = e.drift_time}), zero, 5);
  const auto turn_on = readings(vector_model({.turn_on_bias = e.turn_on_bias}), zero, 5);
  const auto gain = readings(vector_model({.scale = e.scale}), ones, 5);
  const auto turned = readings(vector_model({.misalignment = e.misalignment}), truth, 5);
  const auto all = readings(vector_model(e), truth, 5);
  SensorErrors cut = e;
  cut.resolution = 0.25;
  cut.range = 1.6;
  const auto cut_all = readings(vector_model(cut), truth, 5);
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const double y = gain[k][c] * turned[k][c] + e.bias + turn_on[k][c] + drift[k][c] + noise[k][c];
      EXPECT_NEAR(all[k][c], y, 4e-15) << k << " " << c;
      const double rounded = 0.25 * std::round(all[k][c] / 0.25);
      EXPECT_EQ(cut_all[k][c], std::min(std::max(rounded, -1.6), 1.6)) << k << " " << c;
    }
  EXPECT_EQ(turn_on[0], turn_on[4]) << "drawn once";
  EXPECT_EQ(gain[0], gain[4]);
  EXPECT_NE(noise[0], noise[1]);
}

TEST(SensorErrorModel, IsMisalignedByARotation) {
  const SensorErrors askew{.misalignment = 0.7};
  Eigen::Matrix3d R;
  for (int k = 0; k < 3; ++k) {
    Values e(3, 0.0);
    e[static_cast<std::size_t>(k)] = 1.0;
    e = readings(vector_model(askew), e, 1)[0];
    R.col(k) = Eigen::Vector3d(e[0], e[1], e[2]);
  }
  EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-15);
  EXPECT_GT(R.determinant(), 0.0);
  // Twice the angles: the same draws make twice the vector.
  const Eigen::Vector3d phi = core::Rotation<double>::from_matrix(R).to_rotation_vector();
  const auto half = readings(vector_model({.misalignment = 0.35}), {1.0, 0.0, 0.0}, 1)[0];
  const Eigen::Vector3d expected = core::Rotation<double>::from_rotation_vector(0.5 * phi).matrix().col(0);
  EXPECT_LT((Eigen::Vector3d(half[0], half[1], half[2]) - expected).norm(), 1e-15);
}

TEST(SensorErrorModel, TurnsByOneAngleInThePlane) {
  SensorErrorModel model("s", {{{.misalignment = 0.3}, 2, true}}, kSeed);
  Values x{1.0, 0.0}, y{0.0, 1.0};
  model.read(Instant(), x);
  model.read(Instant(), y);
  EXPECT_NE(x[1], 0.0);
  EXPECT_DOUBLE_EQ(x[0] * x[0] + x[1] * x[1], 1.0);
  EXPECT_EQ(x[0], y[1]);
  EXPECT_EQ(x[1], -y[0]);
}

// analytic: no time, no change; very long, all forgotten: the sample is a new draw.
TEST(SensorErrorModel, DriftsContinuously) {
  SensorErrorModel model("s", {{{.drift = 1.0, .drift_time = 10.0}, 1, false}}, kSeed);
  const auto at = [&](double seconds) {
    Values value{0.0};
    model.read(Instant::from_seconds(seconds), value);
    return value[0];
  };
  const double start = at(0.0);
  EXPECT_EQ(at(0.0), start);
  const double soon = at(1e-6);
  EXPECT_NE(soon, start);
  EXPECT_NEAR(soon, start, 4.0 * std::sqrt(2.0 * 1e-6 / 10.0)) << "four deviations of its change";
}

TEST(SensorErrorModel, RoundsToTheNearestStep) {
  SensorErrorModel model("s", {{{.resolution = 0.1}, 4, false}}, kSeed);
  Values values{0.149, -0.151, 0.05, 1e300};
  model.read(Instant(), values);
  EXPECT_THAT(values, ElementsAre(0.1, -0.2, 0.1, 1e300)) << "the last has no steps that a double knows";
}

TEST(SensorErrorModel, SaturatesAtItsRange) {
  SensorErrorModel model("s", {{{.noise = 10.0, .bias = 100.0, .range = 2.5}, 2, false}}, kSeed);
  Values values{0.0, -500.0};
  model.read(Instant(), values);
  EXPECT_THAT(values, ElementsAre(2.5, -2.5));
}

TEST(ErrorGroups, AreThoseOfTheKind) {
  model::Sensor sensor{
      "s", model::SensorKind::kGyroscope, model::BodyIndex(1), {}, Eigen::Vector3d::UnitX(), {}, {}};
  sensor.errors.noise = 1.0;
  const auto sizes = [&](model::SensorKind kind, bool is_planar) {
    sensor.kind = kind;
    std::vector<int> all;
    for (const ErrorGroup& group : error_groups(sensor, is_planar))
      all.push_back(group.is_vector ? -group.num_channels : group.num_channels);
    return all;
  };
  using enum model::SensorKind;
  for (const auto kind : {kEncoder, kTachometer, kDistance, kVariable}) {
    EXPECT_THAT(sizes(kind, true), ElementsAre(1));
    EXPECT_THAT(sizes(kind, false), ElementsAre(1));
  }
  EXPECT_THAT(sizes(kGyroscope, true), ElementsAre(1));
  EXPECT_THAT(sizes(kGyroscope, false), ElementsAre(-3));
  EXPECT_THAT(sizes(kAccelerometer, true), ElementsAre(-2));
  EXPECT_THAT(sizes(kTracker, false), ElementsAre(-3));
  EXPECT_THAT(sizes(kInclinometer, true), ElementsAre(1));
  EXPECT_THAT(sizes(kInclinometer, false), ElementsAre(2));
  EXPECT_THAT(sizes(kMagnetometer, true), ElementsAre(1));
  EXPECT_THAT(sizes(kMagnetometer, false), ElementsAre(-3));
  sensor.accelerometer_errors = SensorErrors{.noise = 2.0};
  EXPECT_THAT(sizes(kImu, true), ElementsAre(1, -2));
  EXPECT_THAT(sizes(kImu, false), ElementsAre(-3, -3));
  EXPECT_EQ(error_groups(sensor, false)[0].errors.noise, 1.0);
  EXPECT_EQ(error_groups(sensor, false)[1].errors.noise, 2.0);
  EXPECT_EQ(SensorErrorModel(sensor, true, kSeed).num_channels(), 3u);
}

TEST(SensorErrorModel, RefusesReadingsThatAreNone) {
  SensorErrorModel model = vector_model(smooth_errors());
  SensorErrorModel untouched = model;
  const auto sentence = [&](double t, Values values) -> std::string {
    try {
      model.read(Instant::from_seconds(t), values);
    } catch (const core::ContractError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(sentence(1.0, {1.0}),
            "a reading of a wrong size [SensorErrorModel::read]: expected 3 values, got 1. Give one value "
            "for each channel.");
  EXPECT_EQ(sentence(1.0, {1.0, std::numeric_limits<double>::quiet_NaN(), 0.0}),
            "a perfect reading is not a number [SensorErrorModel::read]: expected finite values, got nan. "
            "Leave out instants at "
            "which the mechanism has no state.");
  EXPECT_EQ(sentence(1.0, {1.0, 2.0, 3.0}), "no error");
  EXPECT_EQ(sentence(0.5, {1.0, 2.0, 3.0}),
            "readings go back in time [SensorErrorModel::read]: expected t >= 1 s, got 0.5 s. Give readings "
            "in the order of time.");
  Values expected{1.0, 2.0, 3.0}, after{1.0, 2.0, 3.0};
  untouched.read(Instant::from_seconds(1.0), expected);
  expected = after;
  untouched.read(Instant::from_seconds(2.0), expected);
  model.read(Instant::from_seconds(2.0), after);
  EXPECT_EQ(after, expected) << "what was refused has drawn nothing";
  EXPECT_THROW(SensorErrorModel("s", {{{.misalignment = 1.0}, 3, false}}, 1), core::ContractError);
  EXPECT_THROW(SensorErrorModel("s", {{{}, 4, true}}, 1), core::ContractError);
  EXPECT_THROW(SensorErrorModel("s", {{{}, 0, false}}, 1), core::ContractError);
}

TEST(SensorErrorModel, AllocatesNothingPerReading) {
  if (!test::kCanCountAllocations) GTEST_SKIP();
  SensorErrors errors = smooth_errors();
  errors.resolution = 1e-3;
  SensorErrorModel model("imu", {{errors, 3, true}, {errors, 3, true}}, kSeed);
  std::array<double, 6> values{};
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k < 100; ++k) model.read(Instant::from_seconds(0.01 * k), values);
            }),
            0);
}

}  // namespace
}  // namespace eslabon::sensing
