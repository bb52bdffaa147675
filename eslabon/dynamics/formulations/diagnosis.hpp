#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"

/// What may stand behind a run that cannot go on, for its message. Slow, and may allocate: for the end of runs.
namespace eslabon::dynamics {

/// What is open farthest in a position: "joint 'A', translation along x", "driver 'motor'".
struct OpenPlace {
  std::string name;
  double gap = 0.0;  ///< residual; numbers without unit count as lengths of the mechanism's size [m]
};
OpenPlace widest_gap(const DynamicModel& model, const coordinates::MechanismMotion& bodies, double t);

/// Bodies that can move here while nothing with mass does: along eigenvectors of the mass, in the motions that the joints allow, with
/// eigenvalue 0. None for mechanisms too large to look.
std::vector<std::string> bodies_moving_without_mass(const DynamicModel& model,
                                                    const coordinates::MechanismMotion& bodies, double t);

/// A spring or damper, and how fast what it holds would move on it alone.
struct FastElement {
  std::string name;  ///< "spring 'strut'"
  double rate =
      0.0;  ///< larger one of √(k/m) and c/m, m the lightest body that it holds, or its inertia [1/s]
};
/// The fastest; nothing when there is none.
std::optional<FastElement> fastest_element(const model::Mechanism& mechanism);

}  // namespace eslabon::dynamics
