#pragma once

#include <string>

#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::dynamics {

/// A formulation for a mechanism, and why it is the one.
struct FormulationChoice {
  std::string formulation;
  std::string reason;  ///< "it has no loop"
};

/// Picks by structure and size: open chains by articulated inertias; few degrees of freedom by structural groups where each has a solver;
/// otherwise articulated inertias over clusters of links that share loops, or, where one of these is large or a disc rolls, the
/// semi-recursive formulation.
FormulationChoice choose_formulation(const DynamicModel& model);

}  // namespace eslabon::dynamics
