#pragma once

#include <optional>

#include "eslabon/kinematics/drivers/driver_motion.hpp"

namespace eslabon::kinematics {

/// Where the speed of a driver changes at once, and by how much; or where it has none.
struct SpeedJump {
  double t = 0.0;       ///< [s]
  double change = 0.0;  ///< [rad/s or m/s]; NaN: the driver has no value there
};

/// A jump between these times, if there is one. Where the change of speed does not fit the accelerations at both ends,
///   |v₁ − v₀ − ½ h (a₀ + a₁)| > 0.4 |v₁ − v₀|  and more than 1e-9 rad/s or m/s,                                (1)
/// the interval is halved towards the larger change: a jump stays, whatever is smooth becomes small.
std::optional<SpeedJump> find_speed_jump(const DriverMotion& driver, double t0, double t1);

}  // namespace eslabon::kinematics
