#pragma once

#include <optional>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::integration {

/// Where drivers that leave no degree of freedom can go no farther, or jump, about the time t [s] at which a run ended: the driver and the joint
/// that layer kinematics finds when it follows the same motion. Nothing where there are degrees of freedom, or where that motion goes on.
/// It follows the motion from the start of the model, not from where a run may have been set to begin. `until`: the end of the
/// run [s]. Cost: that of a kinematic run.
std::optional<core::ErrorText> driver_limit(const dynamics::DynamicModel& model, double t, double until);

}  // namespace eslabon::integration
