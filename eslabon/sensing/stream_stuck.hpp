#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "eslabon/sensing/reading.hpp"

namespace eslabon::sensing {

/// Sees whether a sensor still measures. Stuck is one that repeats all bits of a reading `patience` times or more, and
///   has a channel with noise and without resolution: that does not happen by chance;                      (1)
///   or the readings that a filter predicts have moved meanwhile, in a channel with a resolution, by more than
///   3 resolution + 6 noise.                                                                               (2)
/// A sensor with neither is never called stuck.
class StuckWatch {
 public:
  /// Lives beside `facts`.
  StuckWatch(const SensorFacts& facts, int patience) : facts_(&facts), patience_(patience) {}

  /// The next reading in order of time. True when it is stuck by (1).
  bool see(const Reading& reading);
  /// What a filter predicted (channels) for the reading seen last. True when it is stuck by (2); it is so until the reading changes.
  bool compare(std::span<const double> predicted);

 private:
  const SensorFacts* facts_;
  int patience_;
  int repeats_ = 0;  ///< readings seen with these values; 0: none yet
  std::array<double, kMostChannels> values_ = {};
  bool has_prediction_ = false;                       ///< since values_ came
  std::array<double, kMostChannels> predicted_ = {};  ///< the last; angles as they are
  std::array<double, kMostChannels> moved_ = {}, least_ = {},
                                    most_ = {};  ///< way from the first prediction, and its range
};

}  // namespace eslabon::sensing
