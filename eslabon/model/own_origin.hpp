#pragma once

#include "eslabon/model/mechanism.hpp"

/// What lies far from the origin of its coordinates loses digits: of 10⁷ m + 0.1 m nine are left for the 0.1 m. A mechanism far from the
/// user's origin, and a body whose points are far from its own, are therefore given other origins before they are computed with, and told
/// from the user's again where results leave the library. Of a position in the world
///
///   from the user's origin = from its own + Mechanism::origin_W                                               (1)
namespace eslabon::model {

/// The same mechanism about an origin near what holds it on the ground, or near where it starts when nothing does, with bodies about
/// origins near their joints; whatever is given as a position is shifted, Body::origin_B tells by how much. What lies within 64 times the
/// mechanism's size from its origin stays there. Origins have few digits: coordinates near them are not rounded.
Mechanism about_own_origin(const Mechanism& mechanism);

/// The same mechanism about the origins of the user.
Mechanism about_user_origin(const Mechanism& mechanism);

/// What (1) adds to this variable: a component of origin_W for the position of a point, 0 for all others [m].
double origin_part(const Mechanism& mechanism, const Variable& variable);

}  // namespace eslabon::model
