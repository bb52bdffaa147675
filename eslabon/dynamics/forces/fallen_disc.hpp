#pragma once

#include <optional>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// A rolling disc that has fallen flat in a step of length h [s] between these motions. At the angle θ between disc and plane the contact is
/// the lowest point of the rim, and where θ comes to 0 with a speed it would jump to the opposite one: θ then rises at the end of the
/// step, though as it fell at its beginning, or as it rises at its end, it passes 0 within the step,
///   θ₀ + h θ̇₀ ≤ 0  or  θ₁ − h θ̇₁ ≤ 0,     θ̇₀ < 0 < θ̇₁                                                       (1)
std::optional<model::JointIndex> find_fallen_disc(const model::Mechanism& mechanism,
                                                  const coordinates::MechanismMotion& before,
                                                  const coordinates::MechanismMotion& after, double h);

}  // namespace eslabon::dynamics
