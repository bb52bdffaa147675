#include <algorithm>
#include <cmath>

#include "inverse.hpp"
#include "kinematics.hpp"
#include "motion_output.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostActuators = 24;

std::string actuators_text(const runs::InverseSummary& summary) {
  std::vector<std::string> names, shared;
  for (std::size_t k = 0; k < summary.actuators.size(); ++k) {
    const std::string& column = summary.actuators[k].column.name;
    names.push_back(column.substr(0, column.rfind('.')));
    if (!summary.actuators[k].was_unique) shared.push_back(names.back());
  }
  std::string text =
      listed(names) + ", for " + counted(static_cast<std::size_t>(summary.most_freedoms), "DOF");
  if (!summary.motion.held.empty()) text += ", idle spins included";
  if (!shared.empty()) text += fmt::format("; {} share the load: the minimum-norm efforts", listed(shared));
  return text;
}

std::string energy_text(const runs::InverseSummary& summary) {
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

std::string actuator_table(const runs::InverseSummary& summary) {
  const auto rows = static_cast<double>(std::max<std::int64_t>(1, summary.motion.rows.count));
  TextTable table({"actuator", "unit", ">min", ">max", ">RMS", ">peak power, W"});
  for (std::size_t k = 0; k < summary.actuators.size(); ++k) {
    const runs::ActuatorUse& use = summary.actuators[k];
    table.add_row({summary.actuators[k].column.name, summary.actuators[k].column.unit,
                   fmt::format("{:.6g}", use.effort.least), fmt::format("{:.6g}", use.effort.largest),
                   fmt::format("{:.6g}", std::sqrt(use.square / rows)),
                   fmt::format("{:.6g}", use.peak_power)});
  }
  return table.text(kMostActuators, " in the file");
}

/// The table of the outputs, without what is said elsewhere.
std::string output_table(const runs::InverseSummary& summary) {
  std::vector<core::Column> columns;
  std::vector<runs::ColumnRange> ranges;
  for (std::size_t k = 0; k < summary.motion.rows.columns.size(); ++k) {
    const std::string& name = summary.motion.rows.columns[k].name;
    if (name == "power_balance" || std::ranges::any_of(summary.actuators, [&](const runs::ActuatorUse& use) {
          return use.column.name == name;
        }))
      continue;
    columns.push_back(summary.motion.rows.columns[k]);
    ranges.push_back(summary.motion.rows.ranges[k]);
  }
  return column_table(columns, ranges);
}

}  // namespace

std::vector<report::Fact> inverse_facts(const runs::InverseSummary& summary, const WrittenRun& written) {
  std::vector<report::Fact> facts = motion_facts(summary.motion, written);
  const auto add = [&](const std::string& label, const std::string& value) {
    facts.push_back({label, value});
  };
  add("Actuators", actuators_text(summary));
  if (!summary.motion.held.empty())
    add("Holding",
        fmt::format("up to {:.3g} N m hold the idle spins, at zero power", summary.largest_holding));
  add("Power", fmt::format("balance error at most {:.2g} W, of up to {:.4g} W", summary.largest_balance,
                           summary.largest_power));
  add("Energy", energy_text(summary));
  return facts;
}

std::string inverse_summary(const runs::InverseSummary& summary, const WrittenRun& written,
                            const PageStyle& style) {
  TextPage page(style);
  page.title(summary.motion.mechanism, "inverse dynamics");
  for (const report::Fact& fact : inverse_facts(summary, written)) page.fact(fact.label, fact.value);
  page.append("\n" + actuator_table(summary) + "\n" + output_table(summary) + "\n");
  page.fact("Written", written.results + (written.reactions ? ", " + *written.reactions : ""));
  if (written.report) page.fact("Report", *written.report);
  return page.text();
}

}  // namespace eslabon::cli
