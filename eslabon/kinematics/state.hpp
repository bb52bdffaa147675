#pragma once

#include <vector>

namespace eslabon::kinematics {

/// What is true at one instant. A plain value.
struct State {
  double t = 0.0;         ///< [s]
  std::vector<double> q;  ///< (n) coordinates
  std::vector<double> v;  ///< (n) dq/dt
  std::vector<double> a;  ///< (n) dv/dt
};

}  // namespace eslabon::kinematics
