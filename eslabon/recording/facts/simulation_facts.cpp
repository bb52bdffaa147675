#include <algorithm>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

using integration::LogEntry;

constexpr std::size_t kMostEvents = 20;

std::string steps_text(const integration::RunStatistics& statistics, bool is_adaptive) {
  std::string text = fmt::format("{} taken", statistics.steps);
  if (is_adaptive) text += fmt::format(", {} rejected", statistics.rejected);
  text += fmt::format(", {} evaluations of accelerations", statistics.evaluations);
  if (statistics.iterations > 0)
    text += fmt::format(
        ", {:.2f} Newton iterations each, {}",
        static_cast<double>(statistics.iterations) / static_cast<double>(std::max(1L, statistics.steps)),
        core::counted(static_cast<std::size_t>(statistics.tangents), "tangent"));
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

std::string evaluation_time_text(const runs::SimulationSummary& summary, double seconds) {
  const double evaluations = static_cast<double>(std::max(1L, summary.statistics.evaluations));
  return fmt::format("{:.3g} s, {:.2f} µs per evaluation, everything included, {:.3g} × real time", seconds,
                     1e6 * seconds / evaluations, summary.rows.end / std::max(seconds, 1e-9));
}

/// How often what happened; the messages say more about each.
std::string events_text(const std::vector<LogEntry>& log) {
  std::size_t choices = 0;
  std::vector<std::string> events;
  for (const LogEntry& entry : log)
    if (entry.kind == LogEntry::Kind::kChoice)
      ++choices;
    else
      events.push_back(fmt::format("{} at {:.9g} s", entry.text, entry.t));
  std::string text;
  if (choices > 0)
    text = fmt::format("{} of the integrated coordinates", core::counted(choices, "new choice"));
  if (!events.empty())
    text += (text.empty() ? "" : "; ") + core::listed(events) +
            (events.size() > core::kMostListed ? "; " + runs::field("events") + " writes all" : "");
  return text.empty() ? "none" : text;
}

/// What the file has beside the outputs, and what for.
std::string states_text(const runs::SimulationSummary& summary) {
  std::string text = core::listed(summary.states);
  if (!summary.has_all_states)
    return text +
           ": also written. Balls and free bodies have degrees of freedom that no column holds: with " +
           runs::field("until") + " 'sense' simulates the motion itself";
  return text + ": also written, the states that let this file be the " + runs::field("truth") +
         " of 'sense' and 'estimate'";
}

}  // namespace

std::vector<report::Fact> simulation_facts(const runs::SimulationSummary& summary, double seconds) {
  std::vector<report::Fact> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  add("Formulation", summary.formulation + ", " + summary.description +
                         (summary.reason.empty() ? "" : "; picked because " + summary.reason));
  if (!summary.compiled.empty()) add("Compiled", summary.compiled);
  add("Integrator", summary.integrator + ", " + stepping_text(summary));
  if (!summary.released.empty()) add("Released", core::listed(summary.released));
  add("Motion", motion_text(summary.rows));
  add("Steps", steps_text(summary.statistics, summary.is_adaptive));
  add("Constraints", fmt::format("max error {:.2g} m", summary.statistics.worst_constraint_error));
  add("Energy", energy_text(summary));
  if (summary.verified) add("Verified", *summary.verified);
  add("Time taken", evaluation_time_text(summary, seconds));
  add("Events", events_text(summary.log));
  if (summary.rows.has_default_outputs) add("Outputs", default_outputs_text());
  if (!summary.states.empty()) add("States", states_text(summary));
  return facts;
}

RunStory story_of(const runs::SimulationSummary& summary, double seconds, ReportRecorder& recorder) {
  for (const LogEntry& entry : summary.log)
    if (entry.kind != LogEntry::Kind::kChoice)
      recorder.add_mark({entry.t, report::Mark::Kind::kEvent, entry.text, ""});
  return {.subtitle = fmt::format("simulated by {}, {}; {:.6g} s", summary.formulation, summary.integrator,
                                  summary.rows.end),
          .facts = simulation_facts(summary, seconds),
          .notes = {},
          .failure = {}};
}

std::vector<std::string> log_notes(const std::vector<LogEntry>& log) {
  std::vector<const LogEntry*> events, choices;
  for (const LogEntry& entry : log) {
    if (entry.kind == LogEntry::Kind::kEvent) events.push_back(&entry);
    if (entry.kind == LogEntry::Kind::kChoice) choices.push_back(&entry);
  }
  std::vector<std::string> notes;
  const auto tell = [&](const LogEntry& entry, const std::string& more = "") {
    notes.push_back(fmt::format("t = {:.9g} s: {}{}.", entry.t, entry.text, more));
  };
  for (std::size_t k = 0; k < std::min(events.size(), kMostEvents); ++k) tell(*events[k]);
  if (events.size() > kMostEvents)
    notes.push_back(fmt::format("… and {} more events.", events.size() - kMostEvents));
  if (choices.size() == 1) tell(*choices.front());
  if (choices.size() > 1)
    tell(*choices.back(), fmt::format(", the last of {} choices since t = {:.9g} s; {} writes all",
                                      choices.size(), choices.front()->t, runs::field("events")));
  return notes;
}

TableRows output_rows(const runs::SimulationSummary& summary) {
  return output_rows(summary.rows, summary.states, summary.errors);
}

TableRows step_time_rows(const runs::SimulationSummary& summary) {
  const auto& times = summary.step_times.value().seconds();
  const double evaluations = static_cast<double>(std::max(1L, summary.statistics.evaluations));
  double all = 0.0;
  for (const double seconds : times) all += seconds;
  const auto cells = [&](const std::string& step, std::string_view name, double seconds) {
    return std::vector<std::string>{step, std::string(name), fmt::format("{:.4f}", seconds),
                                    fmt::format("{:.2f}", 1e6 * seconds / evaluations)};
  };
  TableRows table;
  for (std::size_t step = 0; step < dynamics::kNumSteps; ++step) {
    table.push_back(cells(step == 0 ? "–" : std::to_string(step), dynamics::kStepNames[step], times[step]));
    table.back().push_back(fmt::format("{:.0f} %", 100.0 * times[step] / std::max(all, 1e-12)));
  }
  table.push_back(cells("", "all", all));
  return table;
}

}  // namespace eslabon::recording
