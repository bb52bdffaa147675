#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::runs {

/// Outputs that tell the whole motion of a mechanism, so that its result file can be the --truth of `sense` and `estimate`.
struct StateOutputs {
  std::vector<std::string> names;  ///< A.q, A.v, A.a, B.q, …
  bool is_complete = true;  ///< false: a ball or a free body has degrees of freedom without such a name
};

/// Position, rate and acceleration of joint coordinates that are independent at the start, one for each degree of freedom that
/// `with_drivers` has when all its drivers are released. A coordinate that no driver of `simulated` moves can come to a dead centre, where
/// it does not tell the motion: in loops another one is written beside it. `start`: where the bodies are.
/// Cost: a dense rank; mechanisms with more than kinematics::kDenseLimit constraint rows have the inputs of their structure instead.
StateOutputs state_outputs(const model::Mechanism& with_drivers, const model::Mechanism& simulated,
                           const coordinates::MechanismMotion& start);

/// "A.v" for "A.q", "A.a2" for "A.q2": the variable that is a derivative of a joint coordinate; empty when it has none.
std::string rate_name(const std::string& coordinate);
std::string acceleration_name(const std::string& coordinate);

/// The mechanism with these outputs behind its own, each once.
struct WithStates {
  model::Mechanism mechanism;
  std::vector<std::string> added;  ///< those that were not there
};
WithStates with_states(const model::Mechanism& mechanism, const std::vector<std::string>& states);

}  // namespace eslabon::runs
