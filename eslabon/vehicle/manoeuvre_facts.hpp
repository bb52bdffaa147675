#pragma once

#include <string>
#include <vector>

#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/recording/facts/run_json.hpp"
#include "eslabon/vehicle/manoeuvre_run.hpp"

/// What pages tell of a manoeuvre, in the same words wherever they are shown.
namespace eslabon::vehicle {

/// What was driven, what passed and what did not.
std::vector<report::Fact> manoeuvre_facts(const ManoeuvreSummary& summary);

/// A table of figures as cells, angles in degrees; the first one has those that are single numbers.
struct FigureCells {
  std::string title;
  std::vector<report::Table::Column> columns;
  recording::TableRows rows;
};
std::vector<FigureCells> figure_cells(const ManoeuvreSummary& summary);

/// The story of its page: figures, charts, cones, and what is told of a simulation.
recording::RunStory story_of(const ManoeuvreSummary& summary, double seconds,
                             recording::ReportRecorder& recorder);

/// For programs: the keys of simulation_json, then those of the manoeuvre. A contract, docs/command-line.md lists them.
std::string manoeuvre_json(const ManoeuvreSummary& summary, const recording::WrittenRun& written,
                           const recording::Provenance& provenance);

}  // namespace eslabon::vehicle
