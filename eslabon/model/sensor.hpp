#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "eslabon/model/force_elements.hpp"
#include "eslabon/model/indices.hpp"

namespace eslabon::model {

/// What an instrument reads. Its target is a body, a point, a joint coordinate or two points.
enum class SensorKind {
  kGyroscope,      ///< of a body: angular velocity [rad/s]
  kAccelerometer,  ///< at a point: proper acceleration, sensor axes [m/s²]
  kEncoder,        ///< of a joint coordinate: its position [rad] or [m]
  kTachometer,     ///< of a joint coordinate: its rate [rad/s] or [m/s]
  kInclinometer,   ///< of a planar body: its angle [rad]
  kTracker,        ///< of a point: its position, world axes [m]
  kDistance,       ///< of two points: their distance [m]
};

/// An instrument as the user described it; how it reads belongs to layer sensing.
struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::kGyroscope;
  std::variant<BodyIndex, PointRef, JointCoordinate, PointPair> target;
  std::optional<std::string> frame;  ///< frame of the body that gives the sensor's axes; none: body axes
  double noise = 0.0;                ///< standard deviation of one reading, in the unit of the kind
  double bias = 0.0;                 ///< constant offset, in the unit of the kind
  double rate = 0.0;                 ///< readings per second [Hz]; 0: one at every step
  double latency = 0.0;              ///< from the event to the reading [s]
  double resolution = 0.0;           ///< smallest step of the reading, in the unit of the kind; 0: none
  friend bool operator==(const Sensor&, const Sensor&) = default;
};

/// "gyroscope", …: the word for the kind in files.
std::string_view name(SensorKind kind);
std::optional<SensorKind> find_sensor_kind(std::string_view name);

}  // namespace eslabon::model
