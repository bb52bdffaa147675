#pragma once

#include "eslabon/structure/structure.hpp"

namespace eslabon::kinematics {

/// The structure of a mechanism whose drivers and chosen inputs are checked by geometry where counting is not enough: a
/// mechanism that is overconstrained has more degrees of freedom than the count, crossed guides in a plane 2 instead of
/// 1. Where the count leaves no degree of freedom for an input, the rank of the constraints at the assembled position decides.
/// Throws core::ModelError as structure::analyse_structure does when the rank leaves none either, and when the mechanism
/// cannot be assembled or is too large for dense analyses.
/// Cost: that of the count; only for such inputs also one assembly and some dense analyses of Phi_q.
structure::Structure analyse_driven_structure(const model::Mechanism& mechanism);

}  // namespace eslabon::kinematics
