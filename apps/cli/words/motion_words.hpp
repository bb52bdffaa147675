#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/words/run_files.hpp"
#include "apps/cli/words/run_limit.hpp"

#include "eslabon/io/mechanism/model_settings.hpp"
#include "eslabon/runs/motion/motion_request.hpp"

namespace CLI {
class App;
}

/// The words of the sub-commands that move a mechanism by its drivers.
namespace eslabon::cli {

/// As they were typed.
struct MotionWords {
  std::string model;
  io::ModelSettings set;
  std::string until;
  std::optional<std::string> step, every;
  std::string method = runs::kAuto;
  std::optional<std::string> coordinates, outputs, branch;
  RunFileWords files;
  LimitOptions limits;
  bool compiled = false;
};

void add_motion_options(CLI::App& command, MotionWords& words);

/// What the words ask for. Throws runs::RequestError for words that are unknown or do not go together, and for files and limits without
/// sense.
runs::MotionRequest read_motion_request(const MotionWords& words);

}  // namespace eslabon::cli
