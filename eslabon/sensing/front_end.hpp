#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/sensing/reading.hpp"
#include "eslabon/sensing/stream_clock.hpp"
#include "eslabon/sensing/stream_log.hpp"
#include "eslabon/sensing/stream_stuck.hpp"

namespace eslabon::sensing {

/// Choices of a front end.
struct FrontEndOptions {
  /// Readings wait until one of the stream is newer by so much; those that are older than that are late. Zero: nothing waits, and
  /// what comes after a newer one is late.
  core::Duration window = core::Duration::from_nanoseconds(20'000'000);
  ClockRules clocks = {};
  int stuck_after = 10;  ///< equal readings in a row
  /// For so long most readings are refused by the filter before should_reopen says so.
  core::Duration patience = core::Duration::from_nanoseconds(300'000'000);
  /// More than this share of them, those of all sensors together. A lost filter believes some by chance, and those of a sensor that has
  /// led it astray; a good one refuses those of the faulty sensors alone.
  double most_refused = 0.6;
  std::size_t capacity = 1024;     ///< readings that can wait
  std::size_t log_capacity = 256;  ///< events that are remembered
};

/// Stands between sensor streams and a filter: takes readings in the order in which they come, and hands out those that can be used, in
/// the order of their times. Everything else has an outcome that is counted and logged. Nothing depends on when next is called
/// between readings, on the wall clock or on chance. Memory is fixed at construction. One per stream; not for several threads.
///
///   front_end.receive(reading);                           // whenever one comes
///   while (front_end.next(now, reading)) {
///     …predict to reading.t, and what the sensor would read there…
///     if (front_end.judge(reading, predicted)) front_end.count(reading, …what the filter made of it…);
///   }
///   if (front_end.should_reopen(now)) estimator.inflate(…);
///
/// | reading | is found by | outcome |
/// | its time jumps | SensorClock | late or doubted, then shifted |
/// | same sensor and time as another | receive | dropped; if its values are others, the clock may have jumped back |
/// | older than the newest | receive | put in its place within the window, else late |
/// | after more than 1.5 periods | next | used; the gap is noted |
/// | NaN, ±∞; |value| ≥ range; stuck | next, StuckWatch | dropped |
class FrontEnd {
 public:
  /// Throws core::ContractError for options or facts that make no sense.
  explicit FrontEnd(std::vector<SensorFacts> sensors, const FrontEndOptions& options = {});
  FrontEnd(const FrontEnd&) = delete;
  FrontEnd& operator=(const FrontEnd&) = delete;

  /// The next reading in the order of arrival. Throws core::ContractError for a sensor that there is not.
  void receive(const Reading& reading);
  /// By another clock it is `now`: what is older than that by the window waits no longer, even if nothing newer has come.
  void advance(core::Instant now);
  /// Nothing that is older than what waits will come any more: all of it can be handed out.
  void flush();
  /// The oldest reading that can be handed out and is not newer than `until`, with the time that it has when its sensor's clock has
  /// jumped. False when there is none.
  [[nodiscard]] bool next(core::Instant until, Reading& out);

  /// Whether a reading that next gave may be used, given what the filter predicts for it (channels). If not, it counts as dropped and
  /// not as handed out. For stuck sensors with a resolution; call it for each of their readings.
  [[nodiscard]] bool judge(const Reading& reading, std::span<const double> predicted);
  /// What the filter made of it: kAccepted, kOutlier or kFailed. Throws core::ContractError for others.
  void count(const Reading& reading, Outcome outcome);
  /// True once per `patience` while most readings of that time have been refused: the filter is to believe itself less.
  [[nodiscard]] bool should_reopen(core::Instant now);

  /// Older readings are late; none as long as no reading was believed.
  std::optional<core::Instant> settled() const;
  std::size_t num_waiting() const { return waiting_.size(); }
  std::size_t num_waiting(int sensor) const;
  bool has_room() const { return waiting_.size() < options_.capacity; }
  const std::vector<SensorFacts>& sensors() const { return sensors_; }
  const StreamLog& log() const { return log_; }
  /// Of everything that is counted from now on, in the order in which it happens.
  void set_listener(StreamLog::Listener listener) { log_.set_listener(std::move(listener)); }

 private:
  /// Times in nanoseconds, with the shift of the sensor's clock.
  struct Waiting {
    std::int64_t t = 0;
    std::uint64_t order = 0;  ///< of arrival, for equal times
    Reading reading;
  };
  struct Remembered {
    std::int64_t t = 0;
    std::uint64_t values = 0;  ///< a number that tells values apart
  };
  /// What is kept of one sensor.
  struct Stream {
    SensorClock clock;
    StuckWatch stuck;
    std::vector<Remembered> recent;  ///< ring of times that were good
    std::size_t num_recent = 0, next_recent = 0;
    std::optional<std::int64_t> handed_out;  ///< time of the last that left the queue
  };
  static bool comes_later(const Waiting& a, const Waiting& b);
  void check(const SensorFacts& facts) const;
  const Remembered* recall(const Stream& stream, std::int64_t t) const;
  SensorClock::Others others_of(std::size_t sensor) const;
  void enqueue(std::size_t sensor, std::int64_t t, const Reading& reading);
  void note_gap(std::size_t sensor, std::int64_t t);
  std::optional<Outcome> fault_of(std::size_t sensor, const Reading& reading);

  const std::vector<SensorFacts> sensors_;
  const FrontEndOptions options_;
  StreamLog log_;
  std::vector<Stream> streams_;   ///< (sensors)
  std::vector<Waiting> waiting_;  ///< heap, the oldest on top
  std::uint64_t order_ = 0;
  std::optional<std::int64_t> newest_;               ///< time of the newest good reading
  std::optional<std::int64_t> settled_;              ///< older ones are late; never decreases
  std::optional<core::Instant> refused_since_;       ///< the first refusal of the time that is looked at
  std::int64_t num_refused_ = 0, num_believed_ = 0;  ///< since then
};

}  // namespace eslabon::sensing
