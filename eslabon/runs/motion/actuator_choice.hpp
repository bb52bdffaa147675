#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/kinematics/drivers/driven_mechanism.hpp"

namespace eslabon::runs {

/// Who gives the efforts of a motion.
struct ActuatorChoice {
  /// Those of the user, then what holds idle spins.
  std::vector<coordinates::Prescribed> actuators;
  std::vector<core::Column> columns;  ///< of those of the user: `motor.effort`, `A.q.effort`
};

/// The drivers, or those of `asked`, "motor" or "B.q": a driver by its name, or a position variable along which an actuator pushes.
/// Directions that hold idle spins are always among them: they do no work.
/// Throws RequestError for names that are none, with the nearest one, and for one that is named twice.
ActuatorChoice choose_actuators(const kinematics::DrivenMechanism& driven,
                                const std::optional<std::vector<std::string>>& asked);

/// `motor.effort` of all drivers.
std::vector<core::Column> effort_columns(const model::Mechanism& mechanism);

}  // namespace eslabon::runs
