#pragma once

#include <cstdint>
#include <optional>

#include "eslabon/core/time/time.hpp"

namespace eslabon::sensing {

/// Times of readings beyond this [ns], 126 years either way, are no times: what is computed from others cannot overflow.
inline constexpr std::int64_t kFarthestTime = 4'000'000'000'000'000'000;

/// When the times of a sensor are believed. Both spans count as twice the longest period where that is longer.
struct ClockRules {
  core::Duration longest_gap = core::Duration::from_nanoseconds(2'000'000'000);
  /// A sensor that leaves out time gets ahead of the others by so much at most, as long as those go on.
  core::Duration most_ahead = core::Duration::from_nanoseconds(200'000'000);
  int agreeing = 5;  ///< readings in a row that show that a clock has jumped
};

/// The clock of one sensor against those of the others. The time of a reading is
///   t = raw + shift                                                                                       (1)
/// and shift is zero until the clock jumps. It has jumped
///   back: `agreeing` readings in a row that are late, or that repeat the time of another reading, go on at the sensor's period and
///     are not newer than the sensor's newest. Late readings that are newer than it come from a slow line, unless they come as fast as
///     the time of the stream goes on and are late by more than longest_gap; or by more than most_ahead, for longer than longest_gap;
///     or at all, where clocks have jumped before: by how much is then known to a period only.
///   ahead: as many in a row go on at the sensor's period, farther than longest_gap beyond the sensor's newest and the others';
///     or farther than most_ahead, if the others have gone on meanwhile where they were. Others that have not gone on by the time that
///     the slowest sensor takes for two readings show that there was a gap, as do others that come back at the same time.
/// Then shift puts the first of these readings one period after the sensor's newest, or where the others were when it came, if that is
/// later by more than a period and the reordering window. All times in nanoseconds.
class SensorClock {
 public:
  /// period: zero if it is not known. slowest: the longest period of all sensors.
  SensorClock(const ClockRules& rules, core::Duration period, core::Duration window, core::Duration slowest);

  /// What the rest of the stream says.
  struct Others {
    std::optional<std::int64_t> newest;   ///< of the others' readings
    std::optional<std::int64_t> doubted;  ///< newest of those whose times are in doubt for being ahead
    std::optional<std::int64_t> settled;  ///< older readings are late
    bool has_jumped = false;              ///< one of the clocks, this one or another, was shifted before
  };
  enum class Verdict {
    kGood,
    kLate,
    kDoubted,         ///< ahead, not decided yet
    kResynchronised,  ///< good, with a new shift
  };
  /// A reading with this raw time came. repeats: there was one of the same time with other values already.
  Verdict judge(std::int64_t raw, const Others& others, bool repeats);

  /// (1), within ±kFarthestTime.
  std::int64_t time(std::int64_t raw) const;
  std::int64_t shift() const { return shift_; }
  /// (1) of the newest good reading.
  std::optional<std::int64_t> newest() const { return newest_; }
  /// Of the newest reading that is doubted for being ahead.
  std::optional<std::int64_t> doubted() const;

 private:
  enum class Direction { kNone, kBack, kAhead };
  /// Readings that say the same.
  struct Run {
    Direction direction = Direction::kNone;
    int count = 0;
    std::int64_t first = 0, last = 0;  ///< raw
    std::int64_t target = 0;           ///< time of the first if the clock has jumped
    std::optional<std::int64_t> others_at_start = std::nullopt;  ///< newest
    std::int64_t settled_at_start = 0;
  };
  bool is_alone(const Others& others) const;
  bool is_ahead(std::int64_t t, const Others& others) const;
  void extend(Direction direction, std::int64_t raw, const Others& others);
  Verdict decide_back(std::int64_t raw, std::int64_t t, const Others& others);
  Verdict decide_ahead(std::int64_t raw, std::int64_t t, const Others& others);
  Verdict believe(std::int64_t raw);
  Verdict resynchronise(std::int64_t raw, const Others& others);

  std::int64_t longest_gap_, most_ahead_, window_, slowest_;
  int agreeing_;
  std::int64_t period_;  ///< the newest step where the sensor has none
  bool has_period_;
  std::int64_t shift_ = 0;
  std::optional<std::int64_t> newest_;
  std::int64_t newest_raw_ = 0;  ///< of newest_
  Run run_;
};

}  // namespace eslabon::sensing
