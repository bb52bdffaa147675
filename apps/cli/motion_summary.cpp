#include <algorithm>
#include <cmath>

#include "kinematics.hpp"
#include "text_page.hpp"
#include <fmt/format.h>

#include "eslabon/kinematics/branch.hpp"

namespace eslabon::cli {

namespace {

using kinematics::MotionEvent;

std::string steps_text(const MotionSummary& summary) {
  const kinematics::MotionStatistics& statistics = summary.motion.statistics();
  const double steps = static_cast<double>(std::max(1L, statistics.steps));
  std::string text =
      fmt::format("{} positions, {} repeated with half the step", statistics.steps, statistics.rejected);
  if (summary.motion.method().iterates())
    text +=
        fmt::format(", {:.2f} Newton iterations each", static_cast<double>(statistics.iterations) / steps);
  return text;
}

std::string time_text(const MotionSummary& summary) {
  const double steps = static_cast<double>(std::max(1L, summary.motion.statistics().steps));
  const double each = 1e6 * summary.seconds / steps;
  return fmt::format("{:.3g} s, {:.{}f} µs per position", summary.seconds, each, each < 100.0 ? 1 : 0);
}

/// The largest constraint residual: of every position, or, where a method does not look at it by itself, of the rows.
double worst_residual(const MotionSummary& summary) {
  double worst = summary.motion.statistics().worst_residual * summary.motion.method().length();
  for (std::size_t k = 0; k < summary.columns.size(); ++k)
    if (summary.columns[k].name == "constraint_error") worst = std::max(worst, summary.ranges[k].largest);
  return worst;
}

/// Which positions were special; the messages say more about each.
std::string branch_text(const MotionSummary& summary) {
  std::vector<std::string> passed;
  for (const MotionEvent& event : summary.motion.events())
    if (event.kind == MotionEvent::Kind::kPassed) passed.push_back(fmt::format("{:.9g} s", event.t));
  const std::string name =
      kinematics::branch_name(summary.driven.mechanism(), summary.driven.structure(), summary.driven.start());
  constexpr std::size_t kLongest = 24;
  std::string text = name.empty() || name.size() > kLongest ? "that of the start position"
                                                            : "'" + name + "', that of the start position";
  if (!passed.empty())
    text += fmt::format(", continued smoothly through {} where branches meet, at {}",
                        counted(passed.size(), "position"), listed(passed));
  if (summary.motion.events().size() > passed.size())
    text +=
        fmt::format(", up to t = {:.9g} s, where the motion ends early", summary.motion.events().back().t);
  else if (passed.empty())
    text += " throughout; no singular position was met";
  return text;
}

std::string held_text(const kinematics::DrivenMechanism& driven) {
  std::vector<std::string> names;
  for (const kinematics::HeldFreedom& held : driven.held())
    names.push_back(driven.mechanism().body(held.body).name);
  return "spin of " + listed(names) + ": idle, kept at its start value";
}

}  // namespace

std::vector<report::Fact> motion_facts(const MotionSummary& summary) {
  std::vector<report::Fact> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  const kinematics::KinematicMethod& method = summary.motion.method();
  const double reached = summary.motion.state().t;
  add("Method",
      std::string(method.name()) + (summary.reason.empty() ? "" : ", picked because " + summary.reason));
  add(kinematics::has_coordinates(method.name()) ? "Coordinates" : "Groups", method.description());
  add("Motion", fmt::format("0 s … {:.9g} s{}, {}", reached,
                            reached < summary.until ? fmt::format(" of {:.9g} s", summary.until) : "",
                            counted(static_cast<std::size_t>(summary.rows), "row")));
  add("Steps", steps_text(summary));
  add("Residual", fmt::format("max constraint error {:.2g} m", worst_residual(summary)));
  add("Time taken", time_text(summary));
  if (!summary.driven.held().empty()) add("Held", held_text(summary.driven));
  add("Branch", branch_text(summary));
  if (summary.has_default_outputs)
    add("Outputs",
        "none are named: every joint coordinate is written; 'outputs:' or --outputs chooses others");
  return facts;
}

std::vector<report::Mark> event_marks(const model::Mechanism& mechanism,
                                      const std::vector<MotionEvent>& events) {
  std::vector<report::Mark> marks;
  for (const MotionEvent& event : events)
    marks.push_back({event.t, report::Mark::Kind::kEvent, event.brief(mechanism), ""});
  return marks;
}

std::string motion_summary(const MotionSummary& summary, const PageStyle& style) {
  TextPage page(style);
  page.title(summary.driven.mechanism().name(), "kinematics");
  for (const report::Fact& fact : motion_facts(summary)) page.fact(fact.label, fact.value);
  page.append("\n" + column_table(summary.columns, summary.ranges) + "\n");
  page.fact("Written", summary.file);
  if (summary.report) page.fact("Report", *summary.report);
  return page.text();
}

}  // namespace eslabon::cli
