#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/result_writer.hpp"
#include "eslabon/kinematics/driven_mechanism.hpp"

namespace eslabon::cli {

/// Who gives the efforts of a motion.
struct ActuatorChoice {
  /// Those of the user, then what holds idle spins.
  std::vector<coordinates::Prescribed> actuators;
  std::vector<io::ResultColumn> columns;  ///< of those of the user: `motor.effort`, `A.q.effort`
};

/// The drivers, or those that `text` ("motor,B.q") names: a driver by its name, or a position variable along which an actuator pushes.
/// Directions that hold idle spins are always among them: they do no work.
/// Throws core::ModelError for names that are none, with the nearest one, and for one that is named twice.
ActuatorChoice choose_actuators(const kinematics::DrivenMechanism& driven,
                                const std::optional<std::string>& text);

/// `motor.effort` of all drivers.
std::vector<io::ResultColumn> effort_columns(const model::Mechanism& mechanism);

}  // namespace eslabon::cli
