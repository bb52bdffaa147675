#include "eslabon/sensing/sensor_error_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "eslabon/core/geometry/rotation.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/sensing/random_stream.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::sensing {

namespace {

/// Of a sensor that is no imu, which is asked by its halves.
ErrorGroup group_of(model::SensorKind kind, const model::SensorErrors& errors, bool is_planar) {
  const model::SensorReadings& readings = model::readings(kind, is_planar);
  return {errors, readings.num_channels, readings.is_vector};
}

double quantised(double value, double resolution) {
  constexpr double kLastTellable = 0x1.0p52;
  const double steps = value / resolution;
  return std::abs(steps) < kLastTellable ? resolution * std::round(steps) : value;  // (6)
}

void check_group(std::string_view sensor, const ErrorGroup& group) {
  const bool has_size =
      group.is_vector ? group.num_channels == 2 || group.num_channels == 3
                      : group.num_channels >= 1 && group.num_channels <= static_cast<int>(kMostChannels);
  if (!has_size)
    throw core::ContractError({.what = "a group of channels of a wrong size",
                               .where = "sensor '" + std::string(sensor) + "'",
                               .expected = group.is_vector
                                               ? "2 or 3 components of a vector"
                                               : "1 to " + std::to_string(kMostChannels) + " channels",
                               .actual = std::to_string(group.num_channels),
                               .next = "Make the groups with error_groups."});
  if (group.errors.misalignment != 0.0 && !group.is_vector)
    throw core::ContractError({.what = "a misalignment without a vector",
                               .where = "sensor '" + std::string(sensor) + "'",
                               .expected = "misalignment of groups that are vectors only",
                               .actual = core::number_text(group.errors.misalignment) + " rad",
                               .next = "Make the groups with error_groups."});
}

}  // namespace

std::vector<ErrorGroup> error_groups(const model::Sensor& sensor, bool is_planar) {
  if (sensor.kind != model::SensorKind::kImu) return {group_of(sensor.kind, sensor.errors, is_planar)};
  return {group_of(model::SensorKind::kGyroscope, sensor.errors, is_planar),
          group_of(model::SensorKind::kAccelerometer,
                   sensor.accelerometer_errors.value_or(model::SensorErrors()), is_planar)};
}

SensorErrorModel::SensorErrorModel(std::string_view sensor, const std::vector<ErrorGroup>& groups,
                                   std::uint64_t seed) {
  for (const ErrorGroup& group : groups) check_group(sensor, group);
  for (const ErrorGroup& group : groups) add_group(sensor, group, seed);
}

void SensorErrorModel::add_group(std::string_view sensor, const ErrorGroup& group, std::uint64_t seed) {
  Eigen::Vector3d phi = Eigen::Vector3d::Zero();
  const std::size_t first = channels_.size();
  for (int k = 0; k < group.num_channels; ++k) {
    const int place = static_cast<int>(first) + k;
    // Always three draws in the same order, so that each is the same whether the others count or not.
    core::Rng constants = random_stream(seed, sensor, place, Draw::kConstants);
    const double turn_on = constants.normal(), scale = constants.normal(), turn = constants.normal();
    channels_.push_back({.errors = group.errors,
                         .gain = 1.0 + group.errors.scale * scale,
                         .offset = group.errors.bias + group.errors.turn_on_bias * turn_on,
                         .drift = 0.0,
                         .drift_rng = random_stream(seed, sensor, place, Draw::kDrift),
                         .noise_rng = random_stream(seed, sensor, place, Draw::kNoise)});
    if (k < 3) phi(k) = group.errors.misalignment * turn;
  }
  if (group.errors.misalignment == 0.0) return;
  if (group.num_channels == 2) phi = {0.0, 0.0, phi.x()};
  turns_.push_back({first, static_cast<std::size_t>(group.num_channels),
                    core::Rotation<double>::from_rotation_vector(phi).matrix()});
}

void SensorErrorModel::check(core::Instant t, std::span<const double> values) const {
  const auto fail = [](std::string what, std::string expected, std::string actual, std::string next) {
    throw core::ContractError({.what = std::move(what),
                               .where = "SensorErrorModel::read",
                               .expected = std::move(expected),
                               .actual = std::move(actual),
                               .next = std::move(next)});
  };
  if (values.size() != channels_.size())
    fail("a reading of a wrong size", std::to_string(channels_.size()) + " values",
         std::to_string(values.size()), "Give one value for each channel.");
  if (last_t_ && t < *last_t_)
    fail("readings go back in time", "t >= " + core::number_text(last_t_->seconds()) + " s",
         core::number_text(t.seconds()) + " s", "Give readings in the order of time.");
  for (const double value : values)
    if (!std::isfinite(value))
      fail("a perfect reading is not a number", "finite values", core::number_text(value),
           "Leave out instants at which the mechanism has no state.");
}

double SensorErrorModel::read_channel(Channel& channel, double elapsed, double value) const {
  const model::SensorErrors& errors = channel.errors;
  double y = channel.gain * value + channel.offset;  // (2), (3)
  if (errors.drift > 0.0) {
    const double n = channel.drift_rng.normal();
    const double ratio = elapsed / errors.drift_time;
    channel.drift =
        last_t_ ? std::exp(-ratio) * channel.drift + errors.drift * std::sqrt(-std::expm1(-2.0 * ratio)) * n
                : errors.drift * n;  // (4)
    y += channel.drift;
  }
  if (errors.noise > 0.0) y += errors.noise * channel.noise_rng.normal();  // (5)
  if (errors.resolution > 0.0) y = quantised(y, errors.resolution);
  return std::clamp(y, -errors.range, errors.range);  // (7)
}

void SensorErrorModel::read(core::Instant t, std::span<double> values) {
  check(t, values);
  for (const Turn& turn : turns_) {
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < turn.count; ++k) y(static_cast<Eigen::Index>(k)) = values[turn.first + k];
    const Eigen::Vector3d turned = turn.R * y;  // (1)
    for (std::size_t k = 0; k < turn.count; ++k)
      values[turn.first + k] = turned(static_cast<Eigen::Index>(k));
  }
  const double elapsed = last_t_ ? (t - *last_t_).seconds() : 0.0;
  for (std::size_t k = 0; k < channels_.size(); ++k)
    values[k] = read_channel(channels_[k], elapsed, values[k]);
  last_t_ = t;
}

}  // namespace eslabon::sensing
