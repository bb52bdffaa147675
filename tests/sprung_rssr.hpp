#pragma once

namespace eslabon::test {

/// Crank, coupler between two balls, rocker; a spring with damper and a coil. Its coupler is no bar: its spin counts.
inline const char* const kSprungRssr = R"(
mechanism: sprung RSSR
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], G: [0.2, 0.25, 0.1], S: [0.1, 0.4, 0.6]}}
bodies:
  crank:   {mass: 0.4, shape: {bar: [O, A]}, points: {O: [0, 0, 0], A: [0.1, 0, 0]}}
  coupler: {mass: 1.2, center_of_mass: [0.2, 0.03, 0.02], inertia: [0.004, 0.02, 0.021], points: {A: [0, 0, 0], B: [0.4, 0, 0], T: [0.2, 0.1, 0]}}
  rocker:  {mass: 1, shape: {bar: [G, B]}, points: {G: [0, 0, 0], B: [0, 0.25, 0]}}
joints:
  O: {revolute: [ground.O, crank.O], axis: [0, 0, 1]}
  A: {spherical: [crank.A, coupler.A]}
  B: {spherical: [coupler.B, rocker.B]}
  G: {revolute: [ground.G, rocker.G], axis: [1, 0, 0]}
springs:
  hang: {between: [ground.S, coupler.T], stiffness: 200, free_length: 0.2, damping: 3}
  coil: {joint: O, stiffness: 5, free_angle: 0.8, damping: 0.02}
assembly:
  crank.position: [0, 0, 0]
  crank.rotation: [0, 0, 60 deg]
  coupler.position: [0.05, 0.0866025, 0]
  coupler.rotation: [0, -63.7263 deg, 23.6570 deg]
  rocker.position: [0.2, 0.25, 0.1]
  rocker.rotation: [97.8968 deg, 0, 0]
)";

}  // namespace eslabon::test
