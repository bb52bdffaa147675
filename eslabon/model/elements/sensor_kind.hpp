#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "eslabon/core/dimension.hpp"

namespace eslabon::model {

/// What an instrument reads. Its target is a body, a point, a joint coordinate, two points or a variable.
enum class SensorKind {
  kGyroscope,      ///< of a body: angular velocity, sensor axes [rad/s]
  kAccelerometer,  ///< at a point: proper acceleration, sensor axes [m/s²]
  kEncoder,        ///< of a joint coordinate: its position [rad] or [m]
  kTachometer,     ///< of a joint coordinate: its rate [rad/s] or [m/s]
  kInclinometer,   ///< of a body: planar: angle of the sensor's x axis; spatial: its roll and pitch [rad]
  kTracker,        ///< of a point: its position, world axes [m]
  kDistance,       ///< of two points: their distance [m]
  kImu,            ///< at a point: what a gyroscope, then what an accelerometer reads there
  kMagnetometer,  ///< of a body: planar: angle of the sensor's x axis [rad]; spatial: a direction of the world,
                  ///< sensor axes [1]
  kVariable,      ///< any variable of the mechanism, in its unit; "reads" in files
};

/// What a sensor is of.
enum class SensorTarget { kBody, kPoint, kJointCoordinate, kPointPair, kVariable };

/// The readings of a kind of sensor in the plane or in space.
struct SensorReadings {
  int num_channels = 1;
  bool is_vector = false;  ///< components of one vector, which turn together when the sensor is mounted askew
  core::Dimension
      dimension;  ///< of the first channel; of targets with a dimension of their own: what it is multiplied by
};

/// The facts about one kind of sensor.
struct SensorKindFacts {
  SensorKind kind;
  std::string_view name;      ///< in files: "gyroscope"
  std::string_view a_sensor;  ///< in sentences: "a gyroscope"
  SensorTarget target;
  bool
      has_axes;  ///< the readings depend on how the sensor is turned in its body, so that it may have a frame
  SensorReadings in_plane,
      in_space;  ///< of an imu: is_vector of its accelerometer; its gyroscope is asked as one
};

namespace detail {

// In the order of SensorKind.
inline constexpr std::array<SensorKindFacts, 10> kSensorKinds{{
    // clang-format off
    {SensorKind::kGyroscope, "gyroscope", "a gyroscope", SensorTarget::kBody, true,
     {1, false, core::kAngularVelocity}, {3, true, core::kAngularVelocity}},
    {SensorKind::kAccelerometer, "accelerometer", "an accelerometer", SensorTarget::kPoint, true,
     {2, true, core::kAcceleration}, {3, true, core::kAcceleration}},
    {SensorKind::kEncoder, "encoder", "an encoder", SensorTarget::kJointCoordinate, false,
     {1, false, core::kNumber}, {1, false, core::kNumber}},
    {SensorKind::kTachometer, "tachometer", "a tachometer", SensorTarget::kJointCoordinate, false,
     {1, false, core::kFrequency}, {1, false, core::kFrequency}},
    {SensorKind::kInclinometer, "inclinometer", "an inclinometer", SensorTarget::kBody, true,
     {1, false, core::kAngle}, {2, false, core::kAngle}},
    {SensorKind::kTracker, "tracker", "a tracker", SensorTarget::kPoint, false,
     {2, true, core::kLength}, {3, true, core::kLength}},
    {SensorKind::kDistance, "distance", "a distance sensor", SensorTarget::kPointPair, false,
     {1, false, core::kLength}, {1, false, core::kLength}},
    {SensorKind::kImu, "imu", "an imu", SensorTarget::kPoint, true,
     {3, true, core::kAngularVelocity}, {6, true, core::kAngularVelocity}},
    {SensorKind::kMagnetometer, "magnetometer", "a magnetometer", SensorTarget::kBody, true,
     {1, false, core::kAngle}, {3, true, core::kNumber}},
    {SensorKind::kVariable, "reads", "a sensor of a variable", SensorTarget::kVariable, false,
     {1, false, core::kNumber}, {1, false, core::kNumber}},
    // clang-format on
}};

}  // namespace detail

constexpr const SensorKindFacts& facts(SensorKind kind) {
  return detail::kSensorKinds[static_cast<std::size_t>(kind)];
}

/// Every kind, in the order of SensorKind.
constexpr const std::array<SensorKindFacts, 10>& all_sensor_kinds() { return detail::kSensorKinds; }

constexpr const SensorReadings& readings(SensorKind kind, bool is_planar) {
  return is_planar ? facts(kind).in_plane : facts(kind).in_space;
}

/// What the first channel measures. `target`: the position of a joint coordinate, or the variable; not read of other targets.
constexpr core::Dimension reading_dimension(SensorKind kind, bool is_planar, const core::Dimension& target) {
  const bool is_of_target =
      facts(kind).target == SensorTarget::kJointCoordinate || facts(kind).target == SensorTarget::kVariable;
  const core::Dimension& own = readings(kind, is_planar).dimension;
  return is_of_target ? target * own : own;
}

/// "gyroscope", …: the word for the kind in files.
constexpr std::string_view name(SensorKind kind) { return facts(kind).name; }
std::optional<SensorKind> find_sensor_kind(std::string_view name);

}  // namespace eslabon::model
