// Section sensors: instruments, their errors and when they read.

#include <array>
#include <optional>
#include <string_view>

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::SensorDescription;
using model::SensorErrors;
using model::SensorKind;
using model::SensorTarget;

constexpr std::array kSensorKinds{
    SensorKind::kGyroscope,  SensorKind::kAccelerometer, SensorKind::kImu,          SensorKind::kEncoder,
    SensorKind::kTachometer, SensorKind::kInclinometer,  SensorKind::kMagnetometer, SensorKind::kTracker,
    SensorKind::kDistance,   SensorKind::kVariable};

/// An imu has keys `gyroscope` and `accelerometer` that are no kinds.
std::vector<std::string> kinds_beside(bool is_imu) {
  std::vector<std::string> kinds;
  for (const SensorKind kind : kSensorKinds)
    if (!is_imu || (kind != SensorKind::kGyroscope && kind != SensorKind::kAccelerometer))
      kinds.emplace_back(model::name(kind));
  return kinds;
}

/// Keys of a sensor beside its kind.
constexpr std::array<std::string_view, 16> kKeysBesideKind{
    "noise", "bias",       "turn_on_bias", "drift", "drift_time", "scale",  "misalignment", "range",
    "rate",  "resolution", "pulses",       "field", "latency",    "jitter", "dropout",      "frame"};

/// What the kinds are called elsewhere.
constexpr std::array<KindSynonym, 11> kSensorSynonyms{{{"gyro", "gyroscope"},
                                                       {"rate_gyro", "gyroscope"},
                                                       {"accel", "accelerometer"},
                                                       {"resolver", "encoder"},
                                                       {"potentiometer", "encoder"},
                                                       {"tacho", "tachometer"},
                                                       {"tilt", "inclinometer"},
                                                       {"compass", "magnetometer"},
                                                       {"camera", "tracker"},
                                                       {"marker", "tracker"},
                                                       {"laser", "distance"}}};

constexpr std::array<std::string_view, 9> kErrorKeys{
    "noise", "bias", "turn_on_bias", "drift", "drift_time", "scale", "misalignment", "range", "resolution"};

SensorErrors read_errors(MapReader& map, const Dimension& reading) {
  SensorErrors errors;
  errors.noise = map.number_or("noise", reading, errors.noise);
  errors.bias = map.number_or("bias", reading, errors.bias);
  errors.turn_on_bias = map.number_or("turn_on_bias", reading, errors.turn_on_bias);
  errors.drift = map.number_or("drift", reading, errors.drift);
  errors.drift_time = map.number_or("drift_time", kTime, errors.drift_time);
  errors.scale = map.number_or("scale", kNumber, errors.scale);
  errors.misalignment = map.number_or("misalignment", kAngle, errors.misalignment);
  errors.range = map.number_or("range", reading, errors.range);
  errors.resolution = map.number_or("resolution", reading, errors.resolution);
  return errors;
}

/// The errors of an imu stand in its halves.
void reject_errors_of_imu(const MapReader& map) {
  for (const std::string_view key : kErrorKeys) {
    if (!map.has(key)) continue;
    const std::string word(key);
    map.reading().fail(
        *map.node().find(key), map.element(), word + " of an imu as a whole",
        word + " of its gyroscope or its accelerometer", "'" + word + ":'",
        "Write 'gyroscope: {" + word + ": ...}', 'accelerometer: {" + word + ": ...}' or both.");
  }
}

/// The errors of one half of an imu: `gyroscope: {noise: …}`.
SensorErrors read_half(MapReader& map, const std::string& key, const Dimension& dimension) {
  const Node* node = map.find(key);
  if (node == nullptr) return {};
  MapReader half(map.reading(), *node, map.element() + ", " + key);
  const SensorErrors errors = read_errors(half, dimension);
  half.finish();
  return errors;
}

class SensorReader {
 public:
  SensorReader(Reading& reading, const PartBuilder& builder, std::optional<model::Mechanism>& so_far)
      : reading_(reading), types_(builder.scope().types), builder_(builder), so_far_(so_far) {}

  SensorDescription read(MapReader& map, const std::string& name) {
    const std::string key = map.need_kind({.what = "kind of sensor",
                                           .kinds = kinds_beside(map.has("imu")),
                                           .what_for = "with what it measures",
                                           .others = kKeysBesideKind,
                                           .synonyms = kSensorSynonyms});
    SensorDescription sensor{name, *model::find_sensor_kind(key), {}};
    read_target(map, key, sensor);
    if (sensor.kind == SensorKind::kImu) {
      reject_errors_of_imu(map);
      sensor.errors = read_half(map, "gyroscope", kAngularVelocity);
      sensor.accelerometer_errors = read_half(map, "accelerometer", kAcceleration);
    } else {
      sensor.errors = read_errors(map, dimension_of_reading(map, sensor));
    }
    if (sensor.kind == SensorKind::kEncoder) sensor.pulses = map.number("pulses", kNumber);
    if (sensor.kind == SensorKind::kMagnetometer) sensor.field = map.vector("field", kNumber);
    sensor.rate = map.number_or("rate", kFrequency, 0.0);
    sensor.latency = map.number_or("latency", kTime, 0.0);
    sensor.jitter = map.number_or("jitter", kTime, 0.0);
    sensor.dropout = map.number_or("dropout", kNumber, 0.0);
    sensor.frame = map.text("frame");
    map.finish();
    return sensor;
  }

 private:
  void read_target(MapReader& map, const std::string& key, SensorDescription& sensor) const {
    const Node& target = *map.find(key);
    reading_.remember(map.element() + ", target", target.position());
    const SensorTarget of = model::facts(sensor.kind).target;
    if (of == SensorTarget::kPointPair) {
      const auto ends = reading_.texts(target, map.element(), key, 2);
      sensor.target = ends[0];
      sensor.second_target = ends[1];
    } else if (of == SensorTarget::kJointCoordinate) {
      sensor.target = read_joint_coordinate(map, key, types_);
    } else {
      sensor.target = reading_.text(target, map.element(), key);
      if (of == SensorTarget::kVariable) sensor.target = full_variable(types_, sensor.target);
    }
  }

  Dimension dimension_of_reading(const MapReader& map, const SensorDescription& sensor) {
    const SensorTarget of = model::facts(sensor.kind).target;
    const Dimension target = of == SensorTarget::kJointCoordinate
                                 ? dimension_of_position(types_, sensor.target)
                             : of == SensorTarget::kVariable ? dimension_of_variable(map, sensor.target)
                                                             : kNumber;
    return model::reading_dimension(sensor.kind, reading_.is_planar(), target);
  }

  /// The mechanism so far tells the unit; what is wrong with it ends the reading here as it would at the end.
  Dimension dimension_of_variable(const MapReader& map, const std::string& variable) {
    return reading_.at_place([&] {
      if (!so_far_) so_far_ = builder_.whole().build();
      const std::string full = builder_.full_name(variable, reading_.full_element(map.element()) + ", reads");
      try {
        return model::dimension(*so_far_, model::find_variable(*so_far_, full));
      } catch (const core::ModelError& error) {
        core::ErrorText text = error.text();
        text.where = reading_.full_element(map.element()) + ", reads";
        throw core::ModelError(text);
      }
    });
  }

  Reading& reading_;
  const JointTypeTable& types_;
  const PartBuilder& builder_;
  std::optional<model::Mechanism>& so_far_;  ///< what the files say before the first variable that is read
};

/// Whether the sensor is `reads: NAME` with one of these names.
bool reads_one_of(MapReader& map, std::span<const std::string> names) {
  const Node* const target = map.has("reads") ? map.find("reads") : nullptr;
  return target != nullptr && target->is_scalar() && std::ranges::find(names, target->text()) != names.end();
}

}  // namespace

void read_sensors(Reading& reading, const Node& node, PartBuilder& builder,
                  std::optional<model::Mechanism>& so_far, std::span<const std::string> formulas) {
  SensorReader sensors(reading, builder, so_far);
  read_named(reading, node, "sensors", "sensor", [&](MapReader& map, const std::string& name) {
    if (reads_one_of(map, formulas)) return;
    SensorDescription sensor = sensors.read(map, name);
    reading.at_place([&] { builder.add_sensor(std::move(sensor)); });
  });
}

model::Mechanism with_sensors_of_formulas(Reading& reading, const Node& node, const PartBuilder& builder,
                                          std::span<const std::string> formulas,
                                          const model::Mechanism& mechanism) {
  std::optional<model::Mechanism> result = mechanism;
  SensorReader sensors(reading, builder, result);
  read_named(reading, node, "sensors", "sensor", [&](MapReader& map, const std::string& name) {
    if (!reads_one_of(map, formulas)) return;
    const SensorDescription sensor = sensors.read(map, name);
    result = reading.at_place([&] { return model::MechanismBuilder::with_sensor(*result, sensor); });
  });
  return *result;
}

}  // namespace eslabon::io
