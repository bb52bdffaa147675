#pragma once

#include <vector>

namespace eslabon::dynamics {

/// What forces need to know beyond the motion of the bodies; AppliedForces says how many there are of each.
// Seed000 eq. 4, eq. 92
struct ForceMemory {
  /// Near which the angles of joints are that springs and stops see, beyond ±π too [rad].
  std::vector<double> angles = {};
  /// What presses the joints whose friction depends on it [N]. Follows from the accelerations: see CoupledForces.
  std::vector<double> loads = {};
  /// Of each side of a rigid stop: whether something rests on it, and what it holds that with [N or N m]. The first is a fact that only
  /// impacts change, the second follows from the accelerations: see CoupledForces.
  std::vector<bool> rests = {};
  std::vector<double> holds = {};
  /// Auxiliary states of the mechanism, in their order.
  std::vector<double> states = {};
  /// Limits of stops stand still where they are at the time: statics.
  bool limits_stand = false;
};

}  // namespace eslabon::dynamics
