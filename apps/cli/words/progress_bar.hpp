#pragma once

#include <chrono>
#include <string>

namespace eslabon::cli {

/// One line that shows how far a long run is, `  42 %  ████████▌            12.3 s left`. The time left
/// follows from the mean speed so far.
std::string progress_line(double fraction, double elapsed_s);

/// Shows progress on stderr while it lives, if stderr is a terminal; otherwise does nothing. The line is
/// erased at the end, and before what is written after that.
///
///   ProgressBar bar;
///   while (…) bar.update(t / until);
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// fraction: work done, 0 to 1. Call it as often as you like: the line changes at most ten times per
  /// second, and appears first after a fifth of a second.
  void update(double fraction);

  /// Erases the line; a later update shows it again.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point start_;
  Clock::time_point next_;  ///< not before that is the line written again
};

}  // namespace eslabon::cli
