#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/runs/run_observer.hpp"

/// Mechanisms whose drivers are released.
namespace eslabon::runs {

/// The drivers that these words name, each once; `all` stands for all of them.
std::vector<std::string> released_drivers(const std::vector<std::string>& words,
                                          const model::Mechanism& mechanism);

/// The mechanism without these drivers. Where a joint without scalar coordinates would be picked as an input, what the drivers moved are the
/// inputs instead, if they can be: nothing else has a name for these degrees of freedom. Throws as model::without_drivers.
model::Mechanism without_released(const model::Mechanism& loaded, const std::vector<std::string>& released);

/// Outputs of the file that are efforts of these drivers, or formulas of them. A released driver exerts none.
std::vector<std::string> efforts_of(const std::vector<std::string>& released,
                                    const model::Mechanism& mechanism);
/// Fails when `outputs` asks for the effort of a released driver. `loaded`: the mechanism with all its drivers.
void check_no_released_effort(const model::Mechanism& loaded, const std::vector<std::string>& released,
                              const std::optional<std::vector<std::string>>& outputs);

/// The mechanism without these drivers. Their efforts are no outputs any more: a note names those of the mechanism, and those that `outputs`
/// asks for are an error.
model::Mechanism release_drivers(const model::Mechanism& loaded, const std::vector<std::string>& released,
                                 const std::optional<std::vector<std::string>>& outputs,
                                 RunObserver& observer);

/// Where a mechanism starts whose drivers were released: where it would with them. What cannot be assembled with them is assembled
/// without, with a note. Throws as assembled_on_branch.
kinematics::AssemblyReport assembled_as_driven(const model::Mechanism& with_drivers,
                                               const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch,
                                               RunObserver& observer);

/// The mechanism with these drivers released, where it starts, with all that acts on it. Throws as the functions above.
dynamics::DynamicModel released_model(const model::Mechanism& loaded, const std::vector<std::string>& release,
                                      const std::optional<std::string>& branch, RunObserver& observer);

}  // namespace eslabon::runs
