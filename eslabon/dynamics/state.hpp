#pragma once

#include <vector>

#include "eslabon/dynamics/forces/force_memory.hpp"

namespace eslabon::dynamics {

/// What is true at one instant: a plain value. Nothing else decides what comes next.
// Seed000 eq. 89, eq. 90, eq. 91
struct State {
  double t = 0.0;         ///< [s]
  std::vector<double> q;  ///< (n) coordinates of the formulation
  std::vector<double> v;  ///< (n) dq/dt
  ForceMemory memory;     ///< what forces know beyond q and v
};

}  // namespace eslabon::dynamics
