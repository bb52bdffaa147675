#pragma once

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/state.hpp"

namespace eslabon::dynamics {

/// How a vehicle starts at a speed V straight on: everything it is made of in a steady state, on its way e along the plane of the road.
struct SteadyStart {
  coordinates::MechanismMotion bodies;
  std::vector<double> states;  ///< auxiliary ones, those of tyres too
  double slowing = 0.0;        ///< by which it becomes slower, where nothing keeps its speed [m/s²]
};

/// Unknown are the positions y, spins w, auxiliary states ξ. The mechanism moves as one body, and what can turn about its own mass centre turns:
///   ẏ = V ẏ_e + N w,   N: all ẏ with no mass centre moving and no force changing                                                              (1)
///   f(y, ẏ, ξ) = 0,   ξ̇ = 0                                                                                             (2)
/// by the minimum-norm steps of Newton's method, from where its tyres carry its weight and roll. So sideslip, the states of drives and those of
/// steering are what forces ask for; nothing else moves. Where (2) has no solution, as nothing drives the wheels, it coasts, all speeds with
/// one another,
///   f(y, ẏ, ξ) + (a/V) M ẏ = 0                                                                                          (3)
/// with the slowing a as one unknown more. Where a tyre stands on a bump, or on a road that is no plane, neither may have one: then it starts where
/// least is left of them. Drivers are held where they are at t = 0.
/// Throws core::ModelError for a mechanism that cannot go on freely, for drivers that move at the start, and where neither is found.
SteadyStart find_steady_start(const DynamicModel& model);

/// By how much the body of the start speed becomes slower at the start [m/s²].
double slowing_at_start(const DynamicModel& model);

}  // namespace eslabon::dynamics
