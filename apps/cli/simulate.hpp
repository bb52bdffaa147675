#pragma once

#include <string>
#include <vector>

#include "energy_verdict.hpp"
#include "motion_output.hpp"
#include "page_style.hpp"

#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/report/report.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `simulate`.
void add_simulate_command(CLI::App& app, const Presentation& presentation);

/// What a run did, for its summary.
struct SimulationSummary {
  const model::Mechanism& mechanism;
  const dynamics::Formulation& formulation;
  std::string reason;  ///< why the formulation was picked; empty when the user named it
  const integration::Simulation& simulation;
  const integration::Recorder& recorder;
  std::vector<io::ResultColumn> columns;  ///< without the time
  std::vector<ColumnRange> ranges;        ///< (columns)
  std::vector<std::string> states;    ///< outputs that tell the motion, added to those that were asked for
  bool has_all_states = true;         ///< false: they do not tell all degrees of freedom
  std::vector<std::string> released;  ///< drivers that were let go
  std::string steps;                  ///< what was asked for: "steps of 0.001 s"
  long rows = 0;                      ///< written
  double until = 0.0;                 ///< that was asked for [s]
  double seconds = 0.0;               ///< that it took
  bool has_default_outputs = false;   ///< the user named none
  std::string file;                   ///< where the results are
  bool is_complete = false;           ///< all rows that were asked for
  EnergyVerdict energy = {};
  std::optional<std::string> verified = {};  ///< how, and what differs most
  std::vector<double> errors = {};  ///< (columns) what the second run differs by; empty: there was none
  std::optional<std::string> report = {};                  ///< where the page is
  std::optional<std::string> events = {}, reactions = {};  ///< where they are
};

std::vector<report::Fact> simulation_facts(const SimulationSummary& summary);
/// The page for people.
std::string simulation_summary(const SimulationSummary& summary, const PageStyle& style);
/// The same for programs: one JSON object.
std::string simulation_json(const SimulationSummary& summary);

}  // namespace eslabon::cli
