#pragma once

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/state.hpp"

namespace eslabon::dynamics {

/// The state of these motions of the bodies in the coordinates of a system of the model, with its drivers prescribed; velocities
/// must satisfy the constraints. An own coordinate of the layout that is driven from beyond half a turn is there.
State state_of_bodies(const DynamicModel& model, const coordinates::ConstraintSystem& system,
                      const coordinates::MechanismMotion& bodies, double t);

}  // namespace eslabon::dynamics
