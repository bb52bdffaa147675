#pragma once

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::dynamics {

/// Throws core::ModelError when a mechanism has degrees of freedom in this position that it has nowhere near it: branches meet there, and the
/// motion from it is not decided. Not looked for beyond kinematics::kMostDenseRows rows.
void check_start(const model::Mechanism& mechanism, const structure::Structure& structure,
                 const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::dynamics
