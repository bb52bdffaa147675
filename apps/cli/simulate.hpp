#pragma once

#include <string>
#include <vector>

#include "page_style.hpp"
#include "run_files.hpp"

#include "eslabon/report/report.hpp"
#include "eslabon/runs/simulation_run.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `simulate`.
void add_simulate_command(CLI::App& app, const Presentation& presentation);

std::vector<report::Fact> simulation_facts(const runs::SimulationSummary& summary, const WrittenRun& written);
/// The page for people.
std::string simulation_summary(const runs::SimulationSummary& summary, const WrittenRun& written,
                               const PageStyle& style);
/// The same for programs: one JSON object.
std::string simulation_json(const runs::SimulationSummary& summary, const WrittenRun& written);

}  // namespace eslabon::cli
