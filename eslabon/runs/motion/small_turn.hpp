#pragma once

#include "eslabon/coordinates/body_motion.hpp"

namespace eslabon::runs {

/// A time in which no body turns by more than about half a radian, so that no angle between two bodies can make a turn
/// unseen: |ω| h ≤ ½ and ½ |α| h² ≤ ½ [s].
double time_of_small_turn(const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::runs
