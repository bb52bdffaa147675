#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <Eigen/Core>

#include "eslabon/model/force_elements.hpp"
#include "eslabon/model/indices.hpp"
#include "eslabon/model/variable.hpp"

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

/// "gyroscope", …: the word for the kind in files.
std::string_view name(SensorKind kind);
std::optional<SensorKind> find_sensor_kind(std::string_view name);

/// Whether the readings are components of one vector, which turn together when the sensor is mounted askew. Of an
/// imu: its accelerometer; its gyroscope is asked as one.
bool is_vector_sensor(SensorKind kind, bool is_planar);

/// Whether the readings depend on how the sensor is turned in its body, so that it may have a frame.
bool has_axes(SensorKind kind);

}  // namespace eslabon::model
