#pragma once

#include "eslabon/model/mechanism.hpp"

namespace eslabon::model {

/// The size of the mechanism's parts: the largest distance, within a moving body, between its first joint and another
/// joint or named point; of the ground where bodies have none, and 1 m where that has none either [m]. Residuals are
/// compared with it. How far the mechanism spreads does not matter.
double length_scale(const Mechanism& mechanism);

}  // namespace eslabon::model
