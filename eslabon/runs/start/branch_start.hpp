#pragma once

#include <optional>
#include <string>

#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::runs {

/// The mechanism assembled, on the branch that was asked for. Throws core::ModelError when it cannot be, RequestError when there is no such
/// branch.
kinematics::AssemblyReport assembled_on_branch(const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch);

}  // namespace eslabon::runs
