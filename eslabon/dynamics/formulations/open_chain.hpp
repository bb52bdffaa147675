#pragma once

#include "eslabon/dynamics/formulations/formulation.hpp"

namespace eslabon::dynamics {

/// Whether the mechanism has no loop, no driver and no ball: every joint a row of single degrees of freedom.
bool is_open_chain(const DynamicModel& model);

/// The semi-recursive formulation of such a mechanism: by articulated inertias, no matrix at all.
std::unique_ptr<Formulation> make_open_chain(const DynamicModel& model);

}  // namespace eslabon::dynamics
