#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "eslabon/core/time/time.hpp"
#include "eslabon/live/live_log.hpp"
#include "eslabon/live/live_source.hpp"
#include "eslabon/live/step_clock.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::live {

/// What a live run does at every step.
class LiveTask {
 public:
  virtual ~LiveTask() = default;
  /// Numbers in a row of the log, with the time.
  virtual std::size_t width() const = 0;
  /// Whether a reading can be taken now; if not, readings wait where they are.
  virtual bool can_receive() const { return true; }
  /// The next reading in the order of arrival. The first is given before any step.
  virtual void receive(const sensing::Reading& reading) = 0;
  /// No reading will come any more. Once.
  virtual void end_readings() {}
  /// After end_readings: whether there is nothing left to do.
  virtual bool is_done() const { return true; }
  /// It is time t. Fills a row of the log, time [s] first, and shows it to who wants it at once. False when there is nothing to write.
  virtual bool step(core::Instant t, std::span<double> row) = 0;
};

struct LiveOptions {
  core::Duration step = core::Duration::from_nanoseconds(1'000'000);
  /// Steps are so much behind the readings: what is on the way, or waits for its order, is there in time.
  core::Duration delay = {};
  core::Duration spin = {};
  bool prefers_thread = true;  ///< see prefer_this_thread
  std::optional<core::Duration> until =
      {};  ///< length of the run; without it to the end of the readings, or `stop`
  const std::atomic<bool>* stop = nullptr;  ///< the run ends when it becomes true; looked at in each step

  bool must_stop() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

struct LiveReport {
  std::string_view priority = "no priority";  ///< what prefer_this_thread was granted
  enum class End { kReadings, kTime, kStopped } end = End::kReadings;
  bool has_started = false;   ///< a reading came
  core::Instant first, last;  ///< times of the steps
  StepClock clock;
  explicit LiveReport(const StepClock& used) : clock(used) {}
};

/// Waits for the first reading, not longer than `until`, then steps at a fixed rate: step k is due k steps after that one came, and its time is
///   t_k = t_first + k step − delay                                                                        (1)
/// with t_first the time of that reading. Ends when the readings and the task do, `until` has passed, or `stop` is true. `log` may be null,
/// and has the width of the task.
/// What the steps cost is in the clock of the report. The calling thread does the steps.
LiveReport run_live(LiveSource& source, LiveLog* log, LiveTask& task, const LiveOptions& options);

}  // namespace eslabon::live
