#include "eslabon/live/live_run.hpp"

#include <vector>

#include "eslabon/live/live_priority.hpp"

namespace eslabon::live {

namespace {

/// The first reading, if one comes in time.
std::optional<Arrival> wait_for_first(LiveSource& source, const LiveOptions& options) {
  Arrival arrival;
  StepClock look(core::Duration::from_nanoseconds(1'000'000));
  const std::int64_t begin = monotonic_now();
  look.start();
  while (!options.must_stop()) {
    if (source.next(arrival)) return arrival;
    if (source.is_over()) return std::nullopt;
    if (options.until && monotonic_now() - begin >= options.until->nanoseconds()) return std::nullopt;
    static_cast<void>(look.wait());
  }
  return std::nullopt;
}

}  // namespace

LiveReport run_live(LiveSource& source, LiveLog* log, LiveTask& task, const LiveOptions& options) {
  StepClock clock(options.step, options.spin);
  LiveReport report(clock);
  std::vector<double> row(task.width());
  if (options.prefers_thread) report.priority = prefer_this_thread();
  const auto first = wait_for_first(source, options);
  if (!first) {
    report.end = options.must_stop() ? LiveReport::End::kStopped
                 : source.is_over()  ? LiveReport::End::kReadings
                                     : LiveReport::End::kTime;
    return report;
  }
  report.has_started = true;
  task.receive(first->reading);
  core::Instant t = first->reading.t - options.delay;
  const core::Instant begin = t;
  report.first = report.last = t + options.step;
  Arrival arrival;
  bool has_ended = false;
  const auto finished = [&](LiveReport::End end) {
    report.end = end;
    report.clock = clock;
    return report;
  };
  clock.start();
  for (;;) {
    while (!clock.wait())
      if (options.must_stop()) return finished(LiveReport::End::kStopped);
    t = t + options.step;
    while (task.can_receive() && source.next(arrival)) task.receive(arrival.reading);
    if (source.is_over() && !has_ended) {
      has_ended = true;
      task.end_readings();
    }
    const bool has_row = task.step(t, row);
    clock.finish_step();
    report.last = t;
    if (has_row && log != nullptr) log->add(row);
    if (options.must_stop()) return finished(LiveReport::End::kStopped);
    if (options.until && t - begin >= *options.until) return finished(LiveReport::End::kTime);
    if (has_ended && task.is_done()) return finished(LiveReport::End::kReadings);
  }
}

}  // namespace eslabon::live
