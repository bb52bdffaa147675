#pragma once

#include <vector>

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::codegen {

/// States that a printed model is tried with: the start, and others beside it with coordinates, rates and parameters that are drawn, always the same
/// ones. `length`: the size of the mechanism [m]. Constraints need not hold there: functions are what they are everywhere.
std::vector<CheckState> check_states(const coordinates::ConstraintSystem& system, double length,
                                     const CheckState& start);

/// The same for a state of degrees of freedom, their rates and a memory, which has settled at the state.
std::vector<CheckState> check_freedoms(const std::vector<coordinates::Coordinate>& freedoms, double length,
                                       const ExportedModel& model);

/// Leaves out the checks at which something exported has no value, as a ratio of speeds at rest. Throws core::ModelError where none is left.
void keep_states_with_values(ExportedModel& model);

}  // namespace eslabon::codegen
