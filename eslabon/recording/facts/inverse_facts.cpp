#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/facts/run_facts.hpp"

namespace eslabon::recording {

namespace {

std::string actuators_text(const runs::InverseSummary& summary) {
  std::vector<std::string> names, shared;
  for (std::size_t k = 0; k < summary.actuators.size(); ++k) {
    const std::string& column = summary.actuators[k].column.name;
    names.push_back(column.substr(0, column.rfind('.')));
    if (!summary.actuators[k].was_unique) shared.push_back(names.back());
  }
  std::string text =
      core::listed(names) + ", for " + core::counted(static_cast<std::size_t>(summary.most_freedoms), "DOF");
  if (!summary.motion.held.empty()) text += ", idle spins included";
  if (!shared.empty())
    text += fmt::format("; {} share the load: the minimum-norm efforts", core::listed(shared));
  return text;
}

std::string energy_account_text(const runs::InverseSummary& summary) {
  const dynamics::EnergyAccount& energy = summary.energy;
  const double passed = summary.passed_energy(), measure = summary.energy_measure();
  if (passed == 0.0) return "none was supplied, stored or dissipated";
  // What is roundoff is shown as 0; a change is the difference of all that is in play.
  const double roundoff = 1e-13 * std::max(passed, summary.of_rows.largest_kinetic),
               of_change = std::max(roundoff, 1e-15 * summary.of_rows.in_play);
  const auto joule = [](double value, double least) {
    return fmt::format("{:.9g} J", std::abs(value) <= least ? 0.0 : value);
  };
  return fmt::format(
             "{} put in by the actuators = {} more energy + {} lost in dampers and friction + {} given to "
             "loads; ",
             joule(energy.actuators, roundoff), joule(summary.energy_change(), of_change),
             joule(energy.lost, roundoff), joule(energy.loads, roundoff)) +
         (measure == passed
              ? fmt::format("difference {:.2g} of the {:.4g} J exchanged", summary.open_energy() / passed,
                            passed)
              : fmt::format("{:.4g} J exchanged, difference {:.2g} J", passed, summary.open_energy()));
}

}  // namespace

std::vector<report::Fact> inverse_facts(const runs::InverseSummary& summary, double seconds) {
  std::vector<report::Fact> facts = motion_facts(summary.motion, seconds);
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  add("Actuators", actuators_text(summary));
  if (!summary.motion.held.empty())
    add("Holding",
        fmt::format("up to {:.3g} N m hold the idle spins, at zero power", summary.largest_holding));
  add("Power", fmt::format("balance error at most {:.2g} W, of up to {:.4g} W", summary.largest_balance,
                           summary.largest_power));
  add("Energy", energy_account_text(summary));
  return facts;
}

RunStory story_of(const runs::InverseSummary& summary, double seconds, ReportRecorder& recorder) {
  RunStory story = story_of(summary.motion, seconds, recorder);
  story.subtitle = fmt::format("inverse dynamics; {:.6g} s", summary.motion.rows.end);
  story.facts = inverse_facts(summary, seconds);
  return story;
}

TableRows output_rows(const runs::InverseSummary& summary) {
  std::vector<std::string> told{"power_balance"};
  for (const runs::ActuatorUse& use : summary.actuators) told.push_back(use.column.name);
  return output_rows(summary.motion.rows, told);
}

TableRows actuator_rows(const runs::InverseSummary& summary) {
  const auto rows = static_cast<double>(std::max<std::int64_t>(1, summary.motion.rows.count));
  TableRows table;
  for (const runs::ActuatorUse& use : summary.actuators) {
    std::vector<std::string>& cells = table.emplace_back();
    cells = {use.column.name, use.column.unit};
    for (const double value :
         {use.effort.least, use.effort.largest, std::sqrt(use.square / rows), use.peak_power})
      cells.push_back(fmt::format("{:.6g}", value));
  }
  return table;
}

}  // namespace eslabon::recording
