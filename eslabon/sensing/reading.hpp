#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "eslabon/core/dimension.hpp"
#include "eslabon/core/time/time.hpp"

namespace eslabon::sensing {

inline constexpr std::size_t kMostChannels = 9;  ///< of one sensor

/// One number that a sensor gives.
struct Channel {
  std::string name;                ///< "imu1.wz"; the sensor's own name when it has one channel
  core::Dimension dimension = {};  ///< of a reading, which is in SI units
  bool is_angle = false;           ///< values that differ by whole turns are the same
  double noise = 0.0;              ///< standard deviation of a reading
  double resolution = 0.0;         ///< smallest step of the reading; 0: none
  double range = std::numeric_limits<double>::infinity();  ///< largest magnitude that it can give
  double bias = 0.0;                                       ///< constant and known, in every reading
  double origin =
      0.0;  ///< what readings have beside what the instrument reads: a position from the user's origin [m]
};

/// What is known about a sensor by those who handle its readings, whatever it reads.
struct SensorFacts {
  std::string name;
  std::vector<Channel> channels;
  core::Duration period;  ///< from reading to reading; zero: one at every step
};

/// One reading of one sensor.
struct Reading {
  core::Instant t;                                ///< when it was taken, by the sensor's clock
  int sensor = 0;                                 ///< position in the list of sensors
  std::array<double, kMostChannels> values = {};  ///< the first of them, as many as the sensor has channels
};

}  // namespace eslabon::sensing
