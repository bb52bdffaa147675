#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "eslabon/runs/motion/simulation_request.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// How a dynamic run is computed, as it was typed: the words of `simulate` that `manoeuvre` has as well.
struct SteppingWords {
  std::optional<std::string> every, step, rtol, atol, largest_step;
};

/// --step, --rtol and --atol.
void add_step_options(CLI::App& command, SteppingWords& words);
void add_integrator_option(CLI::App& command, runs::SimulationRequest& request);
/// `names`: what is said of them behind "How the equations of motion are written".
void add_formulation_option(CLI::App& command, runs::SimulationRequest& request, const std::string& names);
/// --verify and --accept-drift.
void add_check_options(CLI::App& command, runs::SimulationRequest& request);

/// The whole text as a number; NaN when it is none.
double number_of(std::string_view text);

void read_stepping(const SteppingWords& words, runs::SimulationRequest& request);

}  // namespace eslabon::cli
