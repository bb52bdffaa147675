#pragma once

#include "eslabon/runs/start/placement.hpp"

namespace eslabon::runs {

/// What can be said about a mechanism before it moves.
struct MechanismFacts {
  model::Mechanism mechanism;
  structure::Structure structure;
  Placement placement;  ///< at its start position
};

/// Mobility, loops, structural groups, and what the start position tells; other branches on demand. Throws core::ModelError for drivers that
/// do not go with the structure.
MechanismFacts examine(const model::Mechanism& mechanism, bool with_branches = false);

}  // namespace eslabon::runs
