#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::runs {

/// A mechanism with the outputs that a run tells.
struct ChosenOutputs {
  model::Mechanism mechanism;
  std::vector<std::string> left_out = {};  ///< outputs of the file that a motion does not tell
  bool has_default_outputs = false;        ///< neither the file nor the request names any
};

/// Those of `outputs`, or of the mechanism, or every joint coordinate. Without `with_forces` those of the mechanism that are forces are
/// left out, and asking for one is a RequestError.
ChosenOutputs choose_outputs(const model::Mechanism& mechanism,
                             const std::optional<std::vector<std::string>>& outputs, bool with_forces);

}  // namespace eslabon::runs
