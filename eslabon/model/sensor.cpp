#include "eslabon/model/sensor.hpp"

#include <algorithm>
#include <array>

namespace eslabon::model {

namespace {

// In the order of SensorKind.
constexpr std::array<std::string_view, 10> kNames{"gyroscope",    "accelerometer", "encoder",  "tachometer",
                                                  "inclinometer", "tracker",       "distance", "imu",
                                                  "magnetometer", "reads"};

}  // namespace

std::string_view name(SensorKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<SensorKind> find_sensor_kind(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<SensorKind>(found - kNames.begin());
}

bool is_vector_sensor(SensorKind kind, bool is_planar) {
  switch (kind) {
    case SensorKind::kAccelerometer:
    case SensorKind::kImu:
    case SensorKind::kTracker:
      return true;
    case SensorKind::kGyroscope:
    case SensorKind::kMagnetometer:
      return !is_planar;
    case SensorKind::kEncoder:
    case SensorKind::kTachometer:
    case SensorKind::kInclinometer:
    case SensorKind::kDistance:
    case SensorKind::kVariable:
      break;
  }
  return false;
}

bool has_axes(SensorKind kind) {
  return kind == SensorKind::kGyroscope || kind == SensorKind::kAccelerometer || kind == SensorKind::kImu ||
         kind == SensorKind::kMagnetometer || kind == SensorKind::kInclinometer;
}

}  // namespace eslabon::model
