#pragma once

#include <atomic>

namespace eslabon::cli {

/// While one of these lives SIGINT and SIGTERM only ask the program to end; a second one ends it at once. Signals interrupt sleeping
/// and reading, but not the threads that live::BlockedSignals keeps them from. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether a signal has come.
  static bool requested();
  /// Which was the first; as long as requested() is true.
  static int signal();
  /// What requested() tells, for who looks at it from another thread.
  static const std::atomic<bool>& flag();
};

/// From now on a signal that ends the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE) removes files that are not complete before it does.
void leave_nothing_at_signals();

}  // namespace eslabon::cli
