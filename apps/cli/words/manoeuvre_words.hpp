#pragma once

#include <optional>
#include <string>

#include "apps/cli/words/run_files.hpp"
#include "apps/cli/words/run_limit.hpp"
#include "apps/cli/words/stepping_words.hpp"

#include "eslabon/io/mechanism/model_settings.hpp"
#include "eslabon/vehicle/manoeuvre_request.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The words of `manoeuvre`, as they were typed.
struct ManoeuvreWords {
  std::string model;
  io::ModelSettings set;
  std::optional<std::string> speed, steering, lateral_acceleration, deceleration, friction, friction_right;
  std::optional<std::string> until, outputs;
  SteppingWords stepping;
  vehicle::ManoeuvreRequest request;  ///< what needs no reading
  RunFileWords files;
  LimitOptions limits;
};

void add_manoeuvre_options(CLI::App& command, ManoeuvreWords& words);

/// What the words ask for. Throws runs::RequestError for words that are unknown or do not go together, and for files and limits without sense.
vehicle::ManoeuvreRequest read_manoeuvre_request(const ManoeuvreWords& words);

}  // namespace eslabon::cli
