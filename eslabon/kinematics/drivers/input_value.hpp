#pragma once

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::kinematics {

/// Value and rates of a position variable (a joint coordinate, a coordinate of a point, an angle of a planar body) in a
/// motion; angles in (−π, π].
coordinates::CoordinateValue input_value(const model::Mechanism& mechanism, const model::Variable& variable,
                                         const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::kinematics
