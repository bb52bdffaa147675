#include <algorithm>

#include "command_line.hpp"
#include "kinematics.hpp"
#include "motion_output.hpp"
#include "terminal_observer.hpp"
#include "text_page.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostPassed = 20;

std::string steps_text(const runs::MotionSummary& summary) {
  const kinematics::MotionStatistics& statistics = summary.statistics;
  const double steps = static_cast<double>(std::max(1L, statistics.steps));
  std::string text =
      fmt::format("{} positions, {} repeated with half the step", statistics.steps, statistics.rejected);
  if (summary.iterates)
    text +=
        fmt::format(", {:.2f} Newton iterations each", static_cast<double>(statistics.iterations) / steps);
  return text;
}

std::string time_text(const runs::MotionSummary& summary, double seconds) {
  const double steps = static_cast<double>(std::max(1L, summary.statistics.steps));
  const double each = 1e6 * seconds / steps;
  return fmt::format("{:.3g} s, {:.{}f} µs per position", seconds, each, each < 100.0 ? 1 : 0);
}

/// Which positions were special; the messages say more about each.
std::string branch_text(const runs::MotionSummary& summary) {
  std::vector<std::string> passed;
  for (const runs::SingularPosition& position : summary.singular_positions)
    if (position.was_passed) passed.push_back(fmt::format("{:.9g} s", position.t));
  constexpr std::size_t kLongest = 24;
  std::string text = summary.branch.empty() || summary.branch.size() > kLongest
                         ? "that of the start position"
                         : "'" + summary.branch + "', that of the start position";
  if (!passed.empty())
    text += fmt::format(", continued smoothly through {} where branches meet, at {}",
                        counted(passed.size(), "position"), listed(passed));
  if (summary.singular_positions.size() > passed.size())
    text +=
        fmt::format(", up to t = {:.9g} s, where the motion ends early", summary.singular_positions.back().t);
  else if (passed.empty())
    text += " throughout; no singular position was met";
  return text;
}

}  // namespace

std::vector<report::Fact> motion_facts(const runs::MotionSummary& summary, const WrittenRun& written) {
  std::vector<report::Fact> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  const runs::RowSummary& rows = summary.rows;
  add("Method",
      summary.method + (summary.reason.empty() ? "" : ", picked because " + in_option_words(summary.reason)));
  add(summary.has_coordinates ? "Coordinates" : "Groups", summary.description);
  add("Motion", motion_text(rows));
  add("Steps", steps_text(summary));
  add("Residual", fmt::format("max constraint error {:.2g} m", summary.worst_residual));
  add("Time taken", time_text(summary, written.seconds));
  if (!summary.held.empty())
    add("Held", "spin of " + listed(summary.held) + ": idle, kept at its start value");
  add("Branch", branch_text(summary));
  if (rows.has_default_outputs) add("Outputs", kDefaultOutputs);
  return facts;
}

void mark_singular_positions(const runs::MotionSummary& summary, recording::ReportRecorder& recorder) {
  for (const runs::SingularPosition& position : summary.singular_positions)
    recorder.add_mark({position.t, report::Mark::Kind::kEvent, position.text, ""});
}

void tell_passed(const runs::MotionSummary& summary) {
  std::size_t passed = 0;
  for (const runs::SingularPosition& position : summary.singular_positions)
    if (position.was_passed && ++passed <= kMostPassed) print_note(position.text + ".");
  if (passed > kMostPassed) print_note(fmt::format("… and {} more such positions.", passed - kMostPassed));
}

std::string motion_summary(const runs::MotionSummary& summary, const WrittenRun& written,
                           const PageStyle& style) {
  TextPage page(style);
  page.title(summary.mechanism, "kinematics");
  for (const report::Fact& fact : motion_facts(summary, written)) page.fact(fact.label, fact.value);
  page.append("\n" + column_table(summary.rows.columns, summary.rows.ranges) + "\n");
  page.fact("Written", written.results);
  if (written.report) page.fact("Report", *written.report);
  return page.text();
}

}  // namespace eslabon::cli
