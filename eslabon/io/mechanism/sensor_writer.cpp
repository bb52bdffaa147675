#include "eslabon/io/mechanism/sensor_writer.hpp"

#include <cmath>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::io {

namespace {

void add_errors(Entries& entries, const model::SensorErrors& errors, bool is_angle) {
  const auto add = [&](const char* key, double value) {
    if (value != 0.0) entries.emplace_back(key, is_angle ? angle_text(value) : core::number_text(value));
  };
  add("noise", errors.noise);
  add("bias", errors.bias);
  add("turn_on_bias", errors.turn_on_bias);
  add("drift", errors.drift);
  add_nonzero(entries, "drift_time", errors.drift_time);
  add_nonzero(entries, "scale", errors.scale);
  if (errors.misalignment != 0.0) entries.emplace_back("misalignment", angle_text(errors.misalignment));
  if (std::isfinite(errors.range)) add("range", errors.range);
  add("resolution", errors.resolution);
}

void add_half(Entries& entries, const char* key, const model::SensorErrors& errors) {
  Entries half;
  add_errors(half, errors, false);
  if (!half.empty()) entries.emplace_back(key, flow_map(half));
}

}  // namespace

void add_readings(Entries& entries, const model::Sensor& sensor, bool reads_angle) {
  if (sensor.kind == model::SensorKind::kImu) {
    add_half(entries, "gyroscope", sensor.errors);
    add_half(entries, "accelerometer", *sensor.accelerometer_errors);
  } else {
    add_errors(entries, sensor.errors, reads_angle);
  }
  add_nonzero(entries, "rate", sensor.rate);
  add_nonzero(entries, "latency", sensor.latency);
  add_nonzero(entries, "jitter", sensor.jitter);
  add_nonzero(entries, "dropout", sensor.dropout);
}

}  // namespace eslabon::io
