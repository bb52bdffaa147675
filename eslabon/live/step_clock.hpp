#pragma once

#include <cstdint>

#include "eslabon/core/time/time.hpp"
#include "eslabon/estimation/latency_histogram.hpp"

namespace eslabon::live {

/// Nanoseconds of the clock that never jumps.
std::int64_t monotonic_now();

/// Calls a thread at instants that lie a step apart, counted from start(): the deadlines. They do not move when a step is late, so
/// nothing drifts; a thread that is behind is not made to wait until it has caught up.
class StepClock {
 public:
  /// spin: how long before a deadline waiting goes on without sleeping; costs a core, and spares what it takes to wake up.
  /// Throws core::ContractError unless step > 0 and 0 ≤ spin.
  explicit StepClock(core::Duration step, core::Duration spin = {});

  /// The first deadline is one step from now.
  void start();
  /// Sleeps until the next deadline. False when a signal came before it; call it again to go on waiting.
  [[nodiscard]] bool wait();
  /// The step that wait began has its answer: the time since its deadline is recorded.
  void finish_step();

  std::int64_t num_steps() const { return num_steps_; }  ///< begun
  /// Steps that began later than a whole step after their deadline.
  std::int64_t num_missed() const { return num_missed_; }
  std::int64_t deadline() const { return deadline_; }  ///< of the step that is on [ns], monotonic
  const estimation::LatencyHistogram& wake() const {
    return wake_;
  }  ///< from deadlines to the begin of steps
  const estimation::LatencyHistogram& latency() const { return latency_; }  ///< from deadlines to finish_step

 private:
  std::int64_t step_, spin_;
  std::int64_t deadline_ = 0;
  bool is_waiting_ = false;  ///< for deadline_
  std::int64_t num_steps_ = 0, num_missed_ = 0;
  estimation::LatencyHistogram wake_, latency_;
};

}  // namespace eslabon::live
