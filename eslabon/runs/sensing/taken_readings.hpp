#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/runs/sensing/sensor_choice.hpp"
#include "eslabon/runs/sensing/true_motion.hpp"

namespace eslabon::runs {

/// A reading and when it comes.
struct Arriving {
  core::Instant arrival;
  sensing::Reading reading;
};

/// What one sensor has done.
struct SensorTally {
  std::size_t readings = 0, lost = 0;
};

struct TakenReadings {
  std::vector<Arriving> arriving;    ///< in the order of arrival, then of time, then of the sensors
  std::vector<SensorTally> tallies;  ///< (sensors)
};

/// Readings of one time that come together share a row: where the one that begins at `first` ends.
std::size_t end_of_row(const std::vector<Arriving>& arriving, std::size_t first);
/// Gives the readings row by row, and tells how many rows there are.
std::size_t for_each_row(const std::vector<Arriving>& arriving,
                         const std::function<void(const std::vector<sensing::Reading>& row)>& take);

/// What the sensors, with their errors, read of a motion from its begin to its end; they are numbered as they stand here. `step`: from reading to reading of sensors without a
/// rate. The same seed gives the same readings, bit for bit. `progress` is told how far it is, 0 to 1; where
/// it returns false the sensors read no further.
TakenReadings take_readings(const std::vector<ChosenSensor>& sensors, TrueMotion& motion, core::Duration step,
                            std::uint64_t seed, const std::function<bool(double)>& progress = {});

}  // namespace eslabon::runs
