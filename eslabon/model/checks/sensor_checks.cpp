#include "eslabon/model/checks/sensor_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/model/checks/value_checks.hpp"

namespace eslabon::model::detail {

namespace {

constexpr double kFastestRate = 1e9;   ///< [Hz]; time is counted in nanoseconds
constexpr double kSlowestRate = 1e-9;  ///< [Hz]; and ends after 9.2e9 s
constexpr double kLongestTime = 1e9;   ///< [s]

std::string a_sensor(SensorKind kind) { return std::string(facts(kind).a_sensor); }

/// The key of the target in files is the kind: {gyroscope: coupler}.
Field target_field(SensorKind kind) { return {name(kind)}; }

/// The errors of one sensor, or of one half of an imu.
class ErrorsCheck {
 public:
  /// `half`: "gyroscope, " or "accelerometer, " of an imu; empty for other sensors.
  ErrorsCheck(const SensorErrors& errors, const Place& place, std::string half, bool is_vector)
      : errors_(errors), place_(place), half_(std::move(half)), is_vector_(is_vector) {}

  void check() const {
    not_negative(errors_.noise, "noise");
    const std::string bias = half_ + "bias";
    check_finite(errors_.bias, "", place_, {bias});
    not_negative(errors_.turn_on_bias, "turn_on_bias");
    not_negative(errors_.drift, "drift");
    not_negative(errors_.drift_time, "drift_time", "s");
    not_negative(errors_.scale, "scale");
    not_negative(errors_.misalignment, "misalignment", "rad");
    not_negative(errors_.resolution, "resolution");
    const std::string range = half_ + "range";
    if (errors_.range != std::numeric_limits<double>::infinity())
      check_positive(errors_.range, "", place_, {range});
    check_drift();
    check_misalignment();
  }

 private:
  void not_negative(double value, const char* key, std::string_view unit = "") const {
    const std::string field = half_ + key;
    check_not_negative(value, unit, place_, {field});
  }

  void check_drift() const {
    if ((errors_.drift > 0.0) == (errors_.drift_time > 0.0)) return;
    const bool has_drift = errors_.drift > 0.0;
    const std::string field = half_ + (has_drift ? "drift" : "drift_time");
    fail(place_, {field},
         {has_drift ? "a drift without its correlation time" : "a correlation time without drift",
          "'drift' and 'drift_time', both above 0",
          "drift " + with_unit(errors_.drift, "") + " and drift_time " + with_unit(errors_.drift_time, "s"),
          has_drift ? "Add 'drift_time:'." : "Add 'drift:', or remove 'drift_time:'."});
  }

  void check_misalignment() const {
    if (errors_.misalignment == 0.0 || is_vector_) return;
    const std::string field = half_ + "misalignment";
    fail(place_, {field},
         {"a misalignment of a sensor that reads no vector",
          "an accelerometer or a tracker, or in space a gyroscope or a magnetometer",
          with_unit(errors_.misalignment, "rad"), "Remove the misalignment."});
  }

  const SensorErrors& errors_;
  const Place& place_;
  std::string half_;
  bool is_vector_;
};

void check_errors(const SensorDescription& sensor, bool is_planar, const Place& place) {
  const bool is_imu = sensor.kind == SensorKind::kImu;
  const bool is_vector = readings(is_imu ? SensorKind::kGyroscope : sensor.kind, is_planar).is_vector;
  ErrorsCheck(sensor.errors, place, is_imu ? "gyroscope, " : "", is_vector).check();
  if (!sensor.accelerometer_errors) return;
  if (!is_imu)
    fail(place, {"accelerometer"},
         {"errors of an accelerometer for " + a_sensor(sensor.kind), "an imu",
          core::quoted(name(sensor.kind)), "Remove them, or make the sensor an imu."});
  ErrorsCheck(*sensor.accelerometer_errors, place, "accelerometer, ", true).check();
}

void check_timing(const SensorDescription& sensor, const Place& place) {
  check_not_negative(sensor.rate, "Hz", place, {"rate"});
  check_not_negative(sensor.latency, "s", place, {"latency"});
  check_not_negative(sensor.jitter, "s", place, {"jitter"});
  check_not_negative(sensor.dropout, "", place, {"dropout"});
  if (sensor.rate > kFastestRate)
    fail(place, {"rate"},
         {"a rate of more than one reading per nanosecond", "rate <= 1e9 Hz", with_unit(sensor.rate, "Hz"),
          "Give a lower rate."});
  if (sensor.rate > 0.0 && sensor.rate < kSlowestRate)
    fail(place, {"rate"},
         {"a rate of less than one reading in thirty years", "rate >= 1e-9 Hz", with_unit(sensor.rate, "Hz"),
          "Give a higher rate, or 0 for a reading at every step."});
  if (sensor.latency > kLongestTime)
    fail(place, {"latency"},
         {"a latency of more than thirty years", "latency <= 1e9 s", with_unit(sensor.latency, "s"),
          "Check the unit."});
  if (sensor.jitter > 0.0 && sensor.rate == 0.0)
    fail(place, {"jitter"},
         {"jitter without a rate", "rate > 0 Hz beside jitter", "no rate",
          "Add 'rate:', or remove the jitter."});
  if (sensor.dropout >= 1.0)
    fail(place, {"dropout"},
         {"every reading is lost", "0 (none is) <= dropout < 1", with_unit(sensor.dropout, ""),
          "Give a probability below 1, or remove the sensor."});
}

void check_pulses(const SensorDescription& sensor, const Place& place) {
  if (!sensor.pulses) return;
  const Field field{"pulses"};
  if (sensor.kind != SensorKind::kEncoder)
    fail(place, field,
         {a_sensor(sensor.kind) + " with pulses per turn", "pulses for encoders only",
          with_unit(*sensor.pulses, ""), "Give 'resolution:' instead."});
  check_positive(*sensor.pulses, "", place, field);
  if (std::round(*sensor.pulses) != *sensor.pulses)
    fail(place, field,
         {"pulses per turn are not whole", "a whole number", with_unit(*sensor.pulses, ""),
          "Round the number, or give 'resolution:' instead."});
  if (sensor.errors.resolution != 0.0)
    fail(place, field,
         {"pulses and resolution are both given", "one of the two",
          "pulses " + with_unit(*sensor.pulses, "") + " and resolution " +
              with_unit(sensor.errors.resolution, ""),
          "Remove one of them."});
}

void check_field(const SensorDescription& sensor, bool is_planar, const Place& place) {
  if (!sensor.field) return;
  const Field field{"field"};
  if (sensor.kind != SensorKind::kMagnetometer)
    fail(place, field,
         {a_sensor(sensor.kind) + " in a field", "a field for magnetometers only", to_text(*sensor.field),
          "Remove the field."});
  if (is_planar)
    fail(place, field,
         {"the field of a planar magnetometer", "a field in space only; in the plane the reading is an angle",
          to_text(*sensor.field), "Remove the field."});
  check_direction(*sensor.field, is_planar, place, field);
}

/// pulses per turn, as the smallest step of the angle
double resolution_of(double pulses, const JointCoordinate& coordinate, const SensorDescription& sensor,
                     const Place& place, const Mechanism& mechanism) {
  const Variable position{VariableKind::kJointPosition, coordinate.joint, coordinate.component};
  if (dimension(mechanism, position) == core::kAngle) return 2.0 * std::numbers::pi / pulses;
  fail(place, {"pulses"},
       {"pulses per turn of what does not turn", "an encoder of a rotation",
        core::quoted(sensor.target) + ", which is a length", "Give 'resolution:' instead."});
}

decltype(Sensor::target) sensor_target(const SensorDescription& sensor, const Place& place,
                                       const NameLookup& lookup) {
  const Field field = target_field(sensor.kind);
  switch (facts(sensor.kind).target) {
    case SensorTarget::kBody:
      return lookup.moving_body(sensor.target, place, field);
    case SensorTarget::kJointCoordinate:
      return lookup.coordinate(sensor.target, place, field);
    case SensorTarget::kPointPair:
      return lookup.point_pair(sensor.target, sensor.second_target, place, field);
    case SensorTarget::kVariable:
      return lookup.moving_variable(sensor.target, place, field);
    case SensorTarget::kPoint:
      break;
  }
  return lookup.moving_point(sensor.target, place, field);
}

void check_sensor_frame(const Sensor& sensor, const Place& place, const Mechanism& mechanism) {
  if (!sensor.frame) return;
  const auto* of_body = std::get_if<BodyIndex>(&sensor.target);
  const BodyIndex body = of_body != nullptr ? *of_body : std::get<PointRef>(sensor.target).body;
  std::vector<std::string> known;
  for (const NamedFrame& frame : mechanism.body(body).frames) known.push_back(frame.name);
  if (std::ranges::find(known, *sensor.frame) != known.end()) return;
  const auto nearest = core::nearest_name(*sensor.frame, known);
  const std::string& body_name = mechanism.body(body).name;
  fail(place, {"frame"},
       {"no such frame",
        "a frame of '" + body_name + "'" +
            (known.empty() ? ", which has none" : ": " + core::quoted_list(known)),
        core::quoted(*sensor.frame),
        nearest ? "Did you mean '" + *nearest + "'?" : "Add the frame to '" + body_name + "'."});
}

}  // namespace

void check_sensor(const SensorDescription& sensor, bool is_planar) {
  const Place place{kSensorWord, sensor.name};
  check_element_name(place);
  check_errors(sensor, is_planar, place);
  check_timing(sensor, place);
  check_pulses(sensor, place);
  check_field(sensor, is_planar, place);
  const bool has_pair = facts(sensor.kind).target == SensorTarget::kPointPair;
  if (has_pair == sensor.second_target.empty())
    fail(place, target_field(sensor.kind),
         {a_sensor(sensor.kind) + " with a wrong number of targets", has_pair ? "two points" : "one target",
          sensor.second_target.empty() ? "1" : "2",
          has_pair ? "Add the second point." : "Remove the second target."});
  if (sensor.frame && !facts(sensor.kind).has_axes)
    fail(place, {"frame"},
         {a_sensor(sensor.kind) + " has no axes",
          "a frame for gyroscopes, accelerometers, imus, magnetometers and inclinometers only",
          core::quoted(*sensor.frame), "Remove the frame."});
}

Sensor make_sensor(const SensorDescription& description, const Mechanism& mechanism,
                   const NameLookup& lookup) {
  const Place place{kSensorWord, description.name};
  Sensor sensor{.name = description.name,
                .kind = description.kind,
                .target = sensor_target(description, place, lookup),
                .frame = description.frame,
                .field_W = description.field.value_or(Eigen::Vector3d::UnitX()),
                .errors = description.errors,
                .accelerometer_errors = description.accelerometer_errors,
                .rate = description.rate,
                .latency = description.latency,
                .jitter = description.jitter,
                .dropout = description.dropout};
  if (sensor.kind == SensorKind::kImu && !sensor.accelerometer_errors) sensor.accelerometer_errors.emplace();
  if (description.pulses)
    sensor.errors.resolution = resolution_of(*description.pulses, std::get<JointCoordinate>(sensor.target),
                                             description, place, mechanism);
  check_sensor_frame(sensor, place, mechanism);
  return sensor;
}

}  // namespace eslabon::model::detail
