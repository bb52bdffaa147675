#pragma once

#include <string>

#include "eslabon/kinematics/drivers/driven_mechanism.hpp"

namespace eslabon::kinematics {

/// A method for a mechanism, and why it is the one.
struct MethodChoice {
  std::string method;
  std::string reason;  ///< "every structural group has a solver of its own"
};

/// Picks by structure and size: groups one after the other where each has a solver and none is large; otherwise all coordinates
/// at once, sparse.
MethodChoice choose_method(const DrivenMechanism& driven);

}  // namespace eslabon::kinematics
