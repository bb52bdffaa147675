#pragma once

#include <vector>

#include "eslabon/sensing/reading.hpp"

namespace eslabon::test {

/// Sensors whose readings are fuzzed: one channel, two channels, an angle.
inline std::vector<sensing::SensorFacts> measured_sensors() {
  std::vector<sensing::SensorFacts> sensors(3);
  sensors[0].name = "gyro";
  sensors[0].channels = {{"gyro", core::kAngularVelocity, false}};
  sensors[1].name = "imu";
  sensors[1].channels = {{"imu.ax", core::kAcceleration, false}, {"imu.ay", core::kAcceleration, false}};
  sensors[2].name = "encoder";
  sensors[2].channels = {{"encoder", core::kAngle, true}};
  return sensors;
}

/// The same sensor, time and bits; one NaN is as good as another.
inline bool are_same(const sensing::Reading& a, const sensing::Reading& b, std::size_t channels) {
  if (a.sensor != b.sensor || a.t != b.t) return false;
  for (std::size_t c = 0; c < channels; ++c)
    if (a.values[c] != b.values[c] && (a.values[c] == a.values[c] || b.values[c] == b.values[c]))
      return false;
  return true;
}

}  // namespace eslabon::test
