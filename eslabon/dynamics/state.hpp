#pragma once

#include <vector>

namespace eslabon::dynamics {

/// What is true at one instant: a plain value. Nothing else decides what comes next.
struct State {
  double t = 0.0;         ///< [s]
  std::vector<double> q;  ///< (n) coordinates of the formulation
  std::vector<double> v;  ///< (n) dq/dt
  std::vector<double>
      angles;  ///< angles that springs in joints see, beyond ±π too [rad]; AppliedForces::num_angles
};

}  // namespace eslabon::dynamics
