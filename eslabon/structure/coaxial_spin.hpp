#pragma once

#include <vector>

#include "eslabon/structure/idle_part.hpp"

namespace eslabon::structure {

/// Links that turn together about a line that is fixed in them, while everything else stands still.
struct CoaxialSpin {
  IdlePart part;
  std::vector<LinkIndex> on_axis;  ///< links behind revolute and cylindrical joints, which have the same axis
};

/// Links whose joints all let them turn about one line of the link:
///   spherical joint, rod            the point lies on the line
///   revolute, cylindrical joint     its axis is the line
///   universal joint                 its axis on the side of the link is the line
/// Links that slide on each other along the line turn together. Coordinates that a driver, an input, a spring, a damper, a
/// stop or a load acts on do not count as free. Only what is fixed in the link is looked at, no position: the spin is there
/// in all of them. Each link is in one spin at most.
std::vector<CoaxialSpin> find_coaxial_spins(const model::Mechanism& mechanism, const Topology& topology);

}  // namespace eslabon::structure
