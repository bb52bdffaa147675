#pragma once

#include <vector>

#include "eslabon/kinematics/assembly/given_start.hpp"

namespace eslabon::kinematics {

/// Moves a closed mechanism, within its branch, to where as much of what is given is met exactly as its degrees of freedom allow:
/// one given value after the other, in the order of `given`, is brought to where it was given and held there, unless the
/// joints and what is held already leave it no way to go; exact values are always tried. What cannot be met stays where that puts it.
/// `drivers`: where they start, met.
/// Returned closed; the very bodies when all is met. Of mechanisms with more rows than dense analyses can afford
/// only exact values are met.
/// Cost: one dense rank for each value that is met, and a few closings for each that is tried.
ClosingAttempt keep_given_starts(const model::Mechanism& mechanism, const structure::Structure& structure,
                                 const HeldValues& drivers, const std::vector<GivenStart>& given,
                                 const ClosingAttempt& closed);

}  // namespace eslabon::kinematics
