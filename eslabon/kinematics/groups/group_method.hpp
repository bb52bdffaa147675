#pragma once

#include "eslabon/kinematics/kinematic_method.hpp"

namespace eslabon::kinematics {

/// The methods that solve a mechanism group by group, see GroupKinematics: "groups" finds the rates of each group from those of
/// the groups before it; "groups-tensor" finds the velocity coefficients K and L first and all rates from them, see
/// VelocityCoefficients. Coordinates of a State are the poses of all links. Which joints are singular, and where a
/// driver cannot go on, is looked up with all coordinates at once (method "sparse"), as it concerns groups together.
/// Throws core::ModelError when a group has no solver.
std::unique_ptr<KinematicMethod> make_groups(const DrivenMechanism& driven, core::ProgramCompiler* compiler);
std::unique_ptr<KinematicMethod> make_groups_tensor(const DrivenMechanism& driven);

}  // namespace eslabon::kinematics
