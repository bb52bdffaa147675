#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/kinematics/assembly.hpp"

/// Mechanisms whose drivers are let go.
namespace eslabon::cli {

/// The drivers that the words of --release name, each once; `all` stands for all of them.
std::vector<std::string> released_drivers(const std::vector<std::string>& words,
                                          const model::Mechanism& mechanism);

/// Where a mechanism starts whose drivers were let go: where it would with them. What cannot be assembled with them is assembled
/// without, with a note. Throws as assembled_on_branch.
kinematics::AssemblyReport assembled_as_driven(const model::Mechanism& with_drivers,
                                               const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch);

}  // namespace eslabon::cli
