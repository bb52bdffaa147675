#pragma once

#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::kinematics {

/// Names of the joints that move in a motion of the bodies, those that move most first; slower than a millionth of the
/// fastest counts as standing still.
std::vector<std::string> moving_joints(const model::Mechanism& mechanism,
                                       const coordinates::MechanismMotion& motion);

/// "A, B, C" of at most `most` names, then "…".
std::string listed(const std::vector<std::string>& names, std::size_t most);

}  // namespace eslabon::kinematics
