#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/stop_signals.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The options --most-seconds and --most-steps, as they were typed.
struct LimitOptions {
  std::optional<std::string> seconds, steps;
};

/// `steps`: what is counted, "positions".
void add_limit_options(CLI::App& command, LimitOptions& options, const std::string& steps,
                       const char* heading);

/// Throws CommandLineError for words without sense.
void check_limits(const LimitOptions& options);
/// "12.5 s of motion", for messages.
std::string seconds_of_motion(double seconds);

/// A run was cut by a signal or a limit: its rows so far are kept, but it is not what was asked for.
class CutRun : public core::ModelError {
 public:
  CutRun(core::ErrorText text, int status) : core::ModelError(std::move(text)), status_(status) {}
  int status() const { return status_; }  ///< of the program: 130, 143 or 1

 private:
  int status_;
};

/// What ends a run before its time: SIGINT and SIGTERM, which only ask for it while this lives (a second one ends the program at once),
/// --most-seconds and --most-steps.
class RunLimit {
 public:
  /// Time counts from here on.
  explicit RunLimit(const LimitOptions& options = {});

  /// Whether the run is to end now, with so many steps taken; once it is, it stays so.
  bool is_reached(std::int64_t steps = 0);
  bool was_reached() const { return !reason_.empty(); }

  /// The sentence of the run that was cut: of `expected`, "10 s of motion", there is `done`, "3.2 s".
  core::ErrorText error_text(const std::string& where, const std::string& expected, const std::string& done,
                             const std::string& next = "Rows up to there are kept.") const;
  /// 128 and the number of the signal, as shells say it; 1 for a limit.
  int status() const { return status_; }

 private:
  StopSignals signals_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  std::optional<std::int64_t> most_steps_;
  LimitOptions options_;
  std::string reason_;  ///< "SIGINT", "--most-seconds 5"
  int status_ = 1;
};

}  // namespace eslabon::cli
