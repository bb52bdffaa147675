#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/mechanism/model_settings.hpp"
#include "eslabon/runs/statics/static_case.hpp"

namespace CLI {
class App;
}

/// The words of `equilibrium` and `modes`.
namespace eslabon::cli {

/// Those that both understand, as they were typed.
struct StaticWords {
  std::string model;
  io::ModelSettings set;
  std::optional<std::string> time, outputs;
  runs::StaticRequest request;  ///< what needs no reading
};

void add_static_options(CLI::App& command, StaticWords& words);

/// What they ask for. Throws CommandLineError for what is no time, and no names.
runs::StaticRequest read_static_request(const StaticWords& words);

}  // namespace eslabon::cli
