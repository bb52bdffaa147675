#pragma once

#include <cstddef>
#include <span>

#include "eslabon/tyres/tyre_in_run.hpp"

/// Where the forces of a tyre bend, or jump: instants at which runs end a step. Each is the zero of a number that passes it smoothly:
///   the deflection ρ                                                      the tyre touches                    (1)
///   ρ − R_0/1000, ρ − R_0/100                                             it touches wholly; so does its damper
///   the load without max(…, 0), by the deflection, on the road            the damper would pull
///   the distance of the rim from the road                                 the rim bottoms
///   y of the contact                                                      the halves of the road
///   x of each point that feels the road, from each end of a bump, from the ends of its ramps, and from where a disc begins to
///   feel a plank; and from the ends of a table of heights
namespace eslabon::tyres {

/// Position of y among them, 0 or more where the tyre is on the left half of the road (RoadHalf).
inline constexpr std::size_t kBendOfHalf = 5;

/// How many there are, of every tyre on this road.
std::size_t num_bends(const Road& road);

/// (num_bends) those numbers. `sides` (num_bends, or none): on which side each is counted, > 0 or not; it must then go beyond zero by 1e-9 of
/// the radius to have passed it: what rests at zero does not pass it again and again.
void find_bends(const FittedTyre& tyre, const Road& road, const WheelMotionOf<double>& wheel,
                std::span<const char> sides, std::span<double> out);

}  // namespace eslabon::tyres
