#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eslabon/runs/sensing/recorded_truth.hpp"
#include "eslabon/runs/sensing/sensor_choice.hpp"

namespace eslabon::runs {

using Instruments = std::vector<std::shared_ptr<const sensing::Instrument>>;

/// What is read between rows of a file may be wrong by this.
struct RowError {
  double error = 0.0;  ///< root of the mean square, in the unit of the channel
  double order = 0.0;  ///< with which it falls when rows are nearer
  double span = 0.0;   ///< of all readings
  /// False: without every second row the motion goes astray, so that nothing is known of what is between the rows.
  bool is_known = true;
};
/// Of the channels of all instruments, one after the other. The motion without every second row, and by every third and fourth alone, is
/// compared with the rows that were left out: by how fast that falls, the error between the rows themselves follows.
std::vector<RowError> row_errors(RecordedTruth& truth, const Instruments& instruments);

/// Whether rows of a file are near enough to each other for what sensors read between them. More than a tenth of a sensor's noise, or of its resolution (of one without: 1e-4 of what its
/// readings span), is told as a note, and more than all of it (1e-2) throws core::DataError that says how near they must be. Jumps of rates
/// are told too.
std::vector<std::string> check_rows(RecordedTruth& truth, const std::vector<ChosenSensor>& sensors);

/// A time from row to row of at most this [s], as people write it: 1, 2 or 5 times a power of ten.
double round_distance(double seconds);
/// "20 ms", "2 s".
std::string distance_text(double seconds);

}  // namespace eslabon::runs
