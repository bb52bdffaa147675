#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/tables/filter_step_cost.hpp"
#include "benchmarks/tables/other_programs.hpp"
#include "benchmarks/tables/progress.hpp"

/// What machine code of the equations gives: one evaluation of accelerations, and a step of a filter, as the program interprets it, and compiled.
namespace eslabon::benchmarks {

struct CompiledRequest {
  std::vector<Rival> against = {};  ///< measured in the same run, where they know the mechanism
};

/// One evaluation of a mechanism: from positions and velocities to the accelerations that are integrated.
struct CompiledRow {
  std::string mechanism;
  double to_reach = 0.0;                ///< compiled by interpreted
  std::string interpreter = {};              ///< the formulation that the program picks
  double interpreted = 0.0;             ///< [s]
  std::string code = {};                     ///< the formulation that is compiled
  std::optional<double> compiled = {};  ///< [s]; nothing: there is no compiler
  long operations = 0;                  ///< of all functions that were compiled
  double seconds = 0.0;                 ///< to write and compile them, or to find them compiled
  std::vector<std::optional<RivalAnswer>> theirs = {};  ///< (rivals)

  double ratio() const { return *compiled / interpreted; }
};

struct CompiledTable {
  std::vector<Rival> rivals;
  std::vector<CompiledRow> rows;
  std::vector<FilterStepCost> steps;  ///< interpreted and, where there is a compiler, compiled, and arithmetic of that length
  std::string compiler;  ///< empty: there is none
  std::vector<std::string> notes;
};

CompiledTable measure_compiled(const CompiledRequest& request, const Progress& progress);
std::string csv_text(const CompiledTable& table);

}  // namespace eslabon::benchmarks
