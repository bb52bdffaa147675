#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::kinematics {

/// Names of the joints that move in a motion of the bodies, those that move most first; slower than a millionth of the
/// fastest counts as standing still.
std::vector<std::string> moving_joints(const model::Mechanism& mechanism,
                                       const coordinates::MechanismMotion& motion);

/// The same when the coordinates change by `dq` at q.
std::vector<std::string> moving_joints(const coordinates::ConstraintSystem& system, std::span<const double> q,
                                       std::span<const double> dq);

}  // namespace eslabon::kinematics
