#pragma once

#include "eslabon/model/mechanism.hpp"

/// A mechanism far from the origin of its file loses digits: of 10⁷ m + 0.1 m nine are left for the 0.1 m. It is therefore moved to an
/// origin of its own before it is computed with, and told from the user's origin again where results leave the library:
///
///   from the user's origin = from its own + Mechanism::origin_W                                               (1)
namespace eslabon::model {

/// The same mechanism about an origin near what holds it on the ground, or near where it starts when nothing does: whatever it gives as a
/// position is shifted, origin_W tells by how much. One that lies at the origin of its file already, within 64 times its size, is returned
/// as it is. The origin has so few digits that no coordinate is rounded.
Mechanism about_own_origin(const Mechanism& mechanism);

/// The same mechanism about the origin of the user.
Mechanism about_user_origin(const Mechanism& mechanism);

/// What (1) adds to this variable: a component of origin_W for the position of a point, 0 for all others [m].
double origin_part(const Mechanism& mechanism, const Variable& variable);

}  // namespace eslabon::model
