#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::sensing {

/// What becomes of a reading, and what is noted about a stream.
enum class Outcome {
  // What the filter makes of a reading that was handed to it.
  kAccepted,
  kOutlier,
  kFailed,
  // Dropped before that.
  kDuplicate,     ///< this sensor has given a reading of this time already
  kLate,          ///< older than what has been handed out, or may have been
  kClockDoubted,  ///< its time jumps, and not enough of them agree yet
  kNotFinite,
  kSaturated,
  kStuck,
  kNoRoom,  ///< as many are waiting as there is room for
  // Notes: no reading is dropped by them.
  kReordered,       ///< came after a newer one of the stream, and was put in its place
  kGap,             ///< more than 1.5 periods since the sensor's last
  kResynchronised,  ///< the sensor's clock has jumped: its times are shifted from here on
};
inline constexpr std::size_t kNumOutcomes = 13;

/// "duplicate", "clock doubted", …
std::string_view name(Outcome outcome);
/// Whether the front end drops a reading for it.
constexpr bool is_drop(Outcome outcome) {
  return outcome >= Outcome::kDuplicate && outcome <= Outcome::kNoRoom;
}

/// How many readings of one sensor met which fate.
///   received = handed_out + dropped() + those still waiting                                               (1)
///   handed_out = accepted + outliers + failed, once the filter has reported on all                        (2)
struct StreamCounts {
  std::int64_t received = 0;
  std::int64_t handed_out = 0;
  std::int64_t missing = 0;  ///< readings that gaps have left out
  std::array<std::int64_t, kNumOutcomes> by_outcome = {};

  std::int64_t of(Outcome outcome) const { return by_outcome[static_cast<std::size_t>(outcome)]; }
  std::int64_t dropped() const;  ///< by the front end
};

/// Things of one kind that happened to one sensor, one soon after the other.
struct StreamEvent {
  core::Instant first, last;  ///< times of the readings
  int sensor = 0;
  Outcome kind = Outcome::kAccepted;
  std::int64_t count = 0;
  std::int64_t amount = 0;  ///< of kGap: readings missing; of kResynchronised: the shift [ns]
};

/// Counts everything, and remembers the newest events: of those of a kind that follow each other within a second one is made. Memory
/// is fixed at construction.
class StreamLog {
 public:
  /// Throws core::ContractError unless capacity > 0.
  StreamLog(const std::vector<SensorFacts>& sensors, std::size_t capacity);

  StreamCounts& counts(int sensor) { return counts_[static_cast<std::size_t>(sensor)]; }
  const StreamCounts& counts(int sensor) const { return counts_[static_cast<std::size_t>(sensor)]; }
  /// Of all sensors.
  StreamCounts total() const;

  /// Counts it, and unless it is kAccepted makes an event of it.
  void add(core::Instant t, int sensor, Outcome kind, std::int64_t amount = 0);

  /// Told of each reading by itself, those that are accepted too; with what add was given. Nothing: nobody listens.
  using Listener = std::function<void(core::Instant t, int sensor, Outcome kind, std::int64_t amount)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }

  std::size_t num_events() const { return num_kept_; }
  /// The oldest that is kept is number 0.
  const StreamEvent& event(std::size_t k) const;
  std::int64_t num_forgotten() const;  ///< events that made room for newer ones
  /// "gyro: 3 readings not finite, 1.2 s … 1.22 s".
  std::string text(const StreamEvent& event) const;

 private:
  Listener listener_;
  std::vector<std::string> names_;
  std::vector<StreamCounts> counts_;      ///< (sensors)
  std::vector<StreamEvent> events_;       ///< ring
  std::vector<std::int64_t> last_event_;  ///< (sensors) number of its newest event since the start; −1: none
  std::int64_t num_events_ = 0;           ///< since the start
  std::size_t num_kept_ = 0;
};

}  // namespace eslabon::sensing
