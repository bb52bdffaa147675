#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/vehicle/vehicle_layout.hpp"

namespace eslabon::vehicle {

/// Columns of the rows of a manoeuvre beside those of its mechanism: formulas with names of their own, by ISO 8855.
inline constexpr const char* kSpeed = "vehicle.speed";        ///< along the horizontal x of the chassis [m/s]
inline constexpr const char* kSideslip = "vehicle.sideslip";  ///< atan(v_y/v_x) [rad]
inline constexpr const char* kLongitudinal = "vehicle.longitudinal_acceleration";  ///< [m/s²]
inline constexpr const char* kLateral = "vehicle.lateral_acceleration";            ///< [m/s²]
inline constexpr const char* kSteeringWheel = "vehicle.steering_wheel";  ///< its angle, to the left [rad]

/// The mechanism with these formulas and with the outputs of a manoeuvre, then those of `more`. `steering_effort`: the variable that turns the
/// steering, a driver's effort or a load.
model::Mechanism with_manoeuvre_outputs(const model::Mechanism& mechanism, const VehicleLayout& layout,
                                        const std::optional<std::string>& steering_effort,
                                        const std::vector<std::string>& more);

}  // namespace eslabon::vehicle
