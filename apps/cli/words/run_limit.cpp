#include "apps/cli/words/run_limit.hpp"

#include <csignal>
#include <limits>

#include "apps/cli/words/command_line.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::cli {

namespace {

constexpr const char* kMostSeconds = "--most-seconds";
constexpr const char* kMostSteps = "--most-steps";

std::int64_t read_most_steps(const std::string& text) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (const auto steps = number_in<std::int64_t>(text, 1, kMost)) return *steps;
  throw CommandLineError({"not a number of steps", kMostSteps, "a whole number from 1 on",
                          io::in_quotes(text), "Write, for example, --most-steps 100000."});
}

core::Duration read_most_seconds(const std::string& text) {
  return read_time(kMostSeconds, "longest time of the run", text);
}

}  // namespace

void add_limit_options(CLI::App& command, LimitOptions& options, const std::string& steps,
                       const char* heading) {
  command
      .add_option(kMostSeconds, options.seconds,
                  "End after this much wall-clock time: rows so far are kept, exit status 1")
      ->type_name("TIME")
      ->group(heading);
  command.add_option(kMostSteps, options.steps, "The same after this many " + steps)
      ->type_name("N")
      ->group(heading);
}

void check_limits(const LimitOptions& options) {
  if (options.steps) static_cast<void>(read_most_steps(*options.steps));
  if (options.seconds) static_cast<void>(read_most_seconds(*options.seconds));
}

std::string seconds_of_motion(double seconds) { return fmt::format("{:.9g} s of motion", seconds); }

RunLimit::RunLimit(const LimitOptions& options) : options_(options) {
  if (options.steps) most_steps_ = read_most_steps(*options.steps);
  if (options.seconds)
    end_ = std::chrono::steady_clock::now() +
           std::chrono::nanoseconds(read_most_seconds(*options.seconds).nanoseconds());
}

bool RunLimit::is_reached(std::int64_t steps) {
  if (!reason_.empty()) return true;
  if (StopSignals::requested()) {
    reason_ = StopSignals::signal() == SIGINT ? "SIGINT" : "SIGTERM";
    status_ = 128 + StopSignals::signal();
  } else if (most_steps_ && steps >= *most_steps_) {
    reason_ = std::string(kMostSteps) + " " + *options_.steps;
  } else if (end_ && std::chrono::steady_clock::now() >= *end_) {
    reason_ = std::string(kMostSeconds) + " " + *options_.seconds;
  }
  return !reason_.empty();
}

core::ErrorText RunLimit::error_text(const std::string& where, const std::string& expected,
                                     const std::string& done, const std::string& next) const {
  return {.what = "the run was cut by " + reason_,
          .where = where,
          .expected = expected,
          .actual = done,
          .next = next};
}

}  // namespace eslabon::cli
