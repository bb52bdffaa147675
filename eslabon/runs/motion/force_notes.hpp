#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

/// Sentences about forces that a run cannot tell for certain.
namespace eslabon::runs {

/// Of forces with these names; "" when there are none. `are_many`: a name stands for several.
std::string not_unique_note(const std::vector<std::string>& names, bool are_many = false);

/// Of the time at which joints could not give what the motion needs [s]; "" when there was none.
std::string unbalanced_note(const std::optional<double>& t);

/// Of linear tyres on a road with a friction of its own, which they do not feel; "" when there are none.
std::string friction_not_felt_note(const model::Mechanism& mechanism);

}  // namespace eslabon::runs
