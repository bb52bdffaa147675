#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

/// How everything is timed that tables put side by side.
namespace eslabon::benchmarks {

/// Time that this process has had on a core: what others do on the machine meanwhile does not count. One thread.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  static time_point now() {
    std::timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
  }
};

constexpr double kShortest = 0.02;  // of one measurement [s]
constexpr int kRepeats = 5;         // the best counts: others were disturbed
constexpr double kPatience = 1.0;   // after which no repeat begins [s]

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of one call, the best of some measurements that take kShortest or more.
template <class Work>
double time_of(Work work) {
  const Clock::time_point begin = Clock::now();
  double best = std::numeric_limits<double>::infinity();
  long calls = 1;
  for (int i = 0; i < kRepeats && (i == 0 || seconds_since(begin) < kPatience); ++i) {
    while (true) {
      const Clock::time_point start = Clock::now();
      for (long k = 0; k < calls; ++k) work();
      const double seconds = seconds_since(start);
      if (seconds >= kShortest) {
        best = std::min(best, seconds / static_cast<double>(calls));
        break;
      }
      calls = seconds > 0.1 * kShortest
                  ? 1 + static_cast<long>(1.5 * kShortest / seconds * static_cast<double>(calls))
                  : 10 * calls;
    }
  }
  return best;
}

}  // namespace eslabon::benchmarks
