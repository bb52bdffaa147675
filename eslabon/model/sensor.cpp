#include "eslabon/model/sensor.hpp"

#include <algorithm>
#include <array>

namespace eslabon::model {

namespace {

// In the order of SensorKind.
constexpr std::array<std::string_view, 7> kNames{"gyroscope",    "accelerometer", "encoder", "tachometer",
                                                 "inclinometer", "tracker",       "distance"};

}  // namespace

std::string_view name(SensorKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<SensorKind> find_sensor_kind(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<SensorKind>(found - kNames.begin());
}

}  // namespace eslabon::model
