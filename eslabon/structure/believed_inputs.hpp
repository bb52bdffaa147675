#pragma once

#include "eslabon/structure/structure.hpp"

namespace eslabon::structure {

/// Whether counting leaves no degree of freedom for one of the drivers or of the user's inputs: analyse_structure calls that an error.
/// An overconstrained mechanism may have the degree of freedom all the same.
bool is_overdriven_by_count(const model::Mechanism& mechanism);

/// As analyse_structure, but drivers and the user's inputs are believed: where the count leaves no degree of freedom for them, joints
/// that close loops have redundant rows instead. For callers that know from the geometry that the inputs are
/// independent. Throws core::ModelError when they conflict in the tree of joints already.
Structure analyse_with_believed_inputs(const model::Mechanism& mechanism);

}  // namespace eslabon::structure
