#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>

#include <Eigen/Core>

#include "eslabon/model/elements/force_elements.hpp"
#include "eslabon/model/elements/sensor_kind.hpp"
#include "eslabon/model/indices.hpp"
#include "eslabon/model/variables/variable.hpp"

namespace eslabon::model {

/// How the readings of one sensor, or of one half of an imu, differ from the truth. Every channel has errors of
/// its own with these figures. Units are those of the reading unless said otherwise; 0 is none.
struct SensorErrors {
  double noise = 0.0;         ///< standard deviation of what is new in each reading
  double bias = 0.0;          ///< constant, known
  double turn_on_bias = 0.0;  ///< standard deviation of a constant drawn once in each run
  double drift = 0.0;         ///< standard deviation of a bias that wanders: Gauss–Markov of first order
  double drift_time = 0.0;    ///< correlation time of the drift [s]; 0 only without drift
  double scale = 0.0;  ///< standard deviation of the relative error of gain, drawn once in each run [1]
  double misalignment =
      0.0;  ///< standard deviation of each of the angles of a wrong mounting, drawn once [rad]
  double range = std::numeric_limits<double>::infinity();  ///< largest magnitude that the sensor gives
  double resolution = 0.0;                                 ///< smallest step of the reading
  friend bool operator==(const SensorErrors&, const SensorErrors&) = default;
};

/// An instrument as the user described it; how it reads belongs to layer sensing.
struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::kGyroscope;
  std::variant<BodyIndex, PointRef, JointCoordinate, PointPair, Variable> target;
  std::optional<std::string> frame;  ///< frame of the body that gives the sensor's axes; none: body axes
  Eigen::Vector3d field_W =
      Eigen::Vector3d::UnitX();  ///< (3) what a magnetometer in space looks for; any length
  SensorErrors errors;           ///< imu: of its gyroscope
  std::optional<SensorErrors> accelerometer_errors;  ///< imu: of its accelerometer; none in every other kind
  double rate = 0.0;                                 ///< readings per second [Hz]; 0: one at every step
  double latency = 0.0;                              ///< from the event to the reading [s]
  double jitter = 0.0;   ///< standard deviation of the instant of a reading [s]; only beside a rate
  double dropout = 0.0;  ///< probability that a reading is lost, 0 ≤ dropout < 1
  friend bool operator==(const Sensor&, const Sensor&) = default;
};

/// What the first channel of the sensor measures.
core::Dimension reading_dimension(const Mechanism& mechanism, const Sensor& sensor);

}  // namespace eslabon::model
