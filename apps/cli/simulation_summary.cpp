#include <algorithm>

#include "command_line.hpp"
#include "motion_output.hpp"
#include "simulate.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

std::string steps_text(const integration::RunStatistics& statistics, bool is_adaptive) {
  std::string text = fmt::format("{} taken", statistics.steps);
  if (is_adaptive) text += fmt::format(", {} rejected", statistics.rejected);
  text += fmt::format(", {} evaluations of accelerations", statistics.evaluations);
  if (statistics.iterations > 0)
    text += fmt::format(
        ", {:.2f} Newton iterations each, {}",
        static_cast<double>(statistics.iterations) / static_cast<double>(std::max(1L, statistics.steps)),
        counted(static_cast<std::size_t>(statistics.tangents), "tangent"));
  return text;
}

/// What was asked for.
std::string stepping_text(const runs::SimulationSummary& summary) {
  const integration::IntegratorOptions& stepping = summary.stepping;
  if (!summary.is_adaptive) return fmt::format("steps of {:g} s", stepping.step);
  return fmt::format("tolerances {:g} relative and {:g} of the size of the motion", stepping.rtol,
                     stepping.atol) +
         (stepping.largest_step > 0.0 ? fmt::format(", steps of at most {:g} s", stepping.largest_step) : "");
}

std::string energy_text(const runs::SimulationSummary& summary) {
  const integration::EnergyRange& energy = summary.energy;
  const runs::EnergyVerdict& verdict = summary.energy_verdict;
  std::string text =
      fmt::format("{:.9g} J at the start, {:.9g} J at the end", energy.told_start(), energy.told_end());
  if (!summary.energy_flows.empty()) return text + "; " + summary.energy_flows;
  if (!summary.is_conservative) return text;
  return text +
         (verdict.is_known ? fmt::format("; drift {:.2g} of the max kinetic energy, {:.4g} J", verdict.part(),
                                         verdict.passed)
                           : fmt::format("; drift {:.2g} J, max kinetic energy {:.2g} J",
                                         energy.largest_change, energy.largest_kinetic)) +
         ": no element adds or removes energy";
}

std::string time_text(const runs::SimulationSummary& summary, double seconds) {
  const double evaluations = static_cast<double>(std::max(1L, summary.statistics.evaluations));
  return fmt::format("{:.3g} s, {:.2f} µs per evaluation, everything included, {:.3g} × real time", seconds,
                     1e6 * seconds / evaluations, summary.rows.end / std::max(seconds, 1e-9));
}

/// How often what happened; the messages say more about each.
std::string events_text(const std::vector<integration::LogEntry>& log) {
  std::size_t choices = 0;
  std::vector<std::string> events;
  for (const integration::LogEntry& entry : log)
    if (entry.kind == integration::LogEntry::Kind::kChoice)
      ++choices;
    else
      events.push_back(fmt::format("{} at {:.9g} s", entry.text, entry.t));
  std::string text;
  if (choices > 0) text = fmt::format("{} of the integrated coordinates", counted(choices, "new choice"));
  if (!events.empty())
    text += (text.empty() ? "" : "; ") + listed(events) +
            (events.size() > kMostListed ? "; --events writes all" : "");
  return text.empty() ? "none" : text;
}

/// What the file has beside the outputs, and what for.
std::string states_text(const runs::SimulationSummary& summary) {
  std::string text = listed(summary.states);
  if (!summary.has_all_states)
    return text +
           ": also written. Balls and free bodies have degrees of freedom that no column holds: with --until "
           "'sense' simulates the motion itself";
  return text + ": also written, the states that let this file be the --truth of 'sense' and 'estimate'";
}

/// What the outputs did that were asked for.
std::string output_table(const runs::SimulationSummary& summary) {
  std::vector<core::Column> columns;
  std::vector<runs::ColumnRange> ranges;
  std::vector<double> errors;
  for (std::size_t c = 0; c < summary.rows.columns.size(); ++c) {
    if (std::ranges::find(summary.states, summary.rows.columns[c].name) != summary.states.end()) continue;
    columns.push_back(summary.rows.columns[c]);
    ranges.push_back(summary.rows.ranges[c]);
    if (!summary.errors.empty()) errors.push_back(summary.errors[c]);
  }
  return column_table(columns, ranges, errors);
}

/// The table of [Seed004, tables 1 and 2].
std::string step_times_text(const dynamics::StepTimer& timer, long evaluations) {
  double all = 0.0;
  for (const double seconds : timer.seconds()) all += seconds;
  TextTable table({">step", "what", ">s", ">µs each", ">part"});
  for (std::size_t step = 0; step < dynamics::kNumSteps; ++step) {
    const double seconds = timer.seconds()[step];
    table.add_row({step == 0 ? "–" : std::to_string(step), std::string(dynamics::kStepNames[step]),
                   fmt::format("{:.4f}", seconds),
                   fmt::format("{:.2f}", 1e6 * seconds / static_cast<double>(std::max(1L, evaluations))),
                   fmt::format("{:.0f} %", 100.0 * seconds / std::max(all, 1e-12))});
  }
  table.add_row({"", "all", fmt::format("{:.4f}", all),
                 fmt::format("{:.2f}", 1e6 * all / static_cast<double>(std::max(1L, evaluations))), ""});
  return table.text();
}

}  // namespace

std::vector<report::Fact> simulation_facts(const runs::SimulationSummary& summary,
                                           const WrittenRun& written) {
  std::vector<report::Fact> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  add("Formulation",
      summary.formulation + ", " + summary.description +
          (summary.reason.empty() ? "" : "; picked because " + in_option_words(summary.reason)));
  add("Integrator", summary.integrator + ", " + stepping_text(summary));
  if (!summary.released.empty()) add("Released", listed(summary.released));
  add("Motion", motion_text(summary.rows));
  add("Steps", steps_text(summary.statistics, summary.is_adaptive));
  add("Constraints", fmt::format("max error {:.2g} m", summary.statistics.worst_constraint_error));
  add("Energy", energy_text(summary));
  if (summary.verified) add("Verified", *summary.verified);
  add("Time taken", time_text(summary, written.seconds));
  add("Events", events_text(summary.log));
  if (summary.rows.has_default_outputs) add("Outputs", kDefaultOutputs);
  if (!summary.states.empty()) add("States", states_text(summary));
  return facts;
}

std::string simulation_summary(const runs::SimulationSummary& summary, const WrittenRun& written,
                               const PageStyle& style) {
  const long evaluations = summary.statistics.evaluations;
  TextPage page(style);
  page.title(summary.mechanism, "simulation");
  for (const report::Fact& fact : simulation_facts(summary, written)) page.fact(fact.label, fact.value);
  if (summary.step_times) {
    page.heading("Where the time of " + counted(static_cast<std::size_t>(evaluations), "evaluation") +
                 " went");
    page.append(step_times_text(*summary.step_times, evaluations));
  }
  page.append("\n" + output_table(summary) + "\n");
  page.fact("Written", written.results);
  if (written.report) page.fact("Report", *written.report);
  return page.text();
}

}  // namespace eslabon::cli
