#include <algorithm>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/facts/run_facts.hpp"

namespace eslabon::recording {

namespace {

constexpr std::size_t kMostPassed = 20;

std::string positions_text(const runs::MotionSummary& summary) {
  const kinematics::MotionStatistics& statistics = summary.statistics;
  const double steps = static_cast<double>(std::max(1L, statistics.steps));
  std::string text =
      fmt::format("{} positions, {} repeated with half the step", statistics.steps, statistics.rejected);
  if (summary.iterates)
    text +=
        fmt::format(", {:.2f} Newton iterations each", static_cast<double>(statistics.iterations) / steps);
  return text;
}

std::string position_time_text(const runs::MotionSummary& summary, double seconds) {
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
                        core::counted(passed.size(), "position"), core::listed(passed));
  if (summary.singular_positions.size() > passed.size())
    text +=
        fmt::format(", up to t = {:.9g} s, where the motion ends early", summary.singular_positions.back().t);
  else if (passed.empty())
    text += " throughout; no singular position was met";
  return text;
}

std::string events_text(const runs::MotionSummary& summary) {
  std::vector<std::string> events;
  for (const runs::PassedEvent& event : summary.events)
    events.push_back(fmt::format("{} at {:.9g} s", event.name, event.t));
  return core::listed(events);
}

}  // namespace

std::vector<report::Fact> motion_facts(const runs::MotionSummary& summary, double seconds) {
  std::vector<report::Fact> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  const runs::RowSummary& rows = summary.rows;
  add("Method", summary.method + (summary.reason.empty() ? "" : ", picked because " + summary.reason));
  add(summary.has_coordinates ? "Coordinates" : "Groups", summary.description);
  if (!summary.compiled.empty()) add("Compiled", summary.compiled);
  add("Motion", motion_text(rows));
  add("Steps", positions_text(summary));
  add("Residual", fmt::format("max constraint error {:.2g} m", summary.worst_residual));
  add("Time taken", position_time_text(summary, seconds));
  if (!summary.events.empty()) add("Events", events_text(summary));
  if (!summary.held.empty())
    add("Held", "spin of " + core::listed(summary.held) + ": idle, kept at its start value");
  add("Branch", branch_text(summary));
  if (rows.has_default_outputs) add("Outputs", default_outputs_text());
  return facts;
}

RunStory story_of(const runs::MotionSummary& summary, double seconds, ReportRecorder& recorder) {
  for (const runs::SingularPosition& position : summary.singular_positions)
    recorder.add_mark({position.t, report::Mark::Kind::kEvent, position.text, ""});
  for (const runs::PassedEvent& event : summary.events)
    recorder.add_mark({event.t, report::Mark::Kind::kEvent, event.name, ""});
  return {.subtitle = fmt::format("kinematics by {}; {:.6g} s", summary.method, summary.rows.end),
          .facts = motion_facts(summary, seconds),
          .notes = {},
          .failure = {}};
}

std::vector<std::string> passed_notes(const runs::MotionSummary& summary) {
  std::vector<std::string> notes;
  std::size_t passed = 0;
  for (const runs::SingularPosition& position : summary.singular_positions)
    if (position.was_passed && ++passed <= kMostPassed) notes.push_back(position.text + ".");
  if (passed > kMostPassed)
    notes.push_back(fmt::format("… and {} more such positions.", passed - kMostPassed));
  return notes;
}

}  // namespace eslabon::recording
