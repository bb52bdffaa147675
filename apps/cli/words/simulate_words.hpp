#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/words/run_files.hpp"
#include "apps/cli/words/run_limit.hpp"
#include "apps/cli/words/stepping_words.hpp"

#include "eslabon/io/mechanism/model_settings.hpp"
#include "eslabon/runs/motion/simulation_request.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The words of `simulate`, as they were typed.
struct SimulateWords {
  std::string model;
  io::ModelSettings set;
  std::string until;
  SteppingWords stepping;
  std::optional<std::string> baumgarte, outputs;
  runs::SimulationRequest request;  ///< what needs no reading
  RunFileWords files;
  LimitOptions limits;
  bool compiled = false;
};

void add_simulate_options(CLI::App& command, SimulateWords& words);

/// What the words ask for. Throws runs::RequestError for words that are unknown or do not go together, and for files and limits without
/// sense.
runs::SimulationRequest read_simulation_request(const SimulateWords& words);

}  // namespace eslabon::cli
