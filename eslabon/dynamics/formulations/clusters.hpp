#pragma once

#include <cstddef>

#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::dynamics {

/// Relative coordinates of the largest cluster of links that share loops, couplings, drivers or rods with mass.
std::size_t largest_cluster(const DynamicModel& model);

}  // namespace eslabon::dynamics
