#pragma once

/// Mechanisms whose forces are formulas, with every element between coordinates, for all that evaluates forces.
namespace eslabon::test {

/// In space: loads, springs and dampers by formulas, a bushing, a gas spring, an anti-roll bar, a spring on a coordinate of a point.
inline constexpr const char* kFormulaChain = R"(
mechanism: chain with formulas
gravity: [0, 0, -9.81]
parameters: {rho: 1.2 kg/m^3, S: 0.3 m^2, k: 4 N*m/rad^3, c: 0.2 N*m*s^2/rad^2}
ground: {points: {O: [0, 0, 0], G: [1, 0.8, 0.5]}}
bodies:
  first:  {mass: 2, center_of_mass: [0.25, 0.02, -0.01], inertia: [0.02, 0.05, 0.06], points: {O: [0, 0, 0], H: [0.5, 0.05, 0]}}
  second: {mass: 1.5, center_of_mass: [0.2, 0.1, 0], inertia: [0.01, 0.02, 0.025], points: {H: [0, 0, 0], P: [0.4, 0.1, 0]}, axes: {u: [1, 0.5, 0]}}
  third:  {mass: 1, center_of_mass: [0.1, 0, 0.1], inertia: [0.01, 0.03, 0.025], points: {P: [0, 0, 0], T: [0.3, 0, 0.1]}, frames: {F: {origin: [0.1, 0, 0], x: [1, 0.2, 0], z: [0, 0.1, 1]}}}
joints:
  O: {universal: [ground.O, first.O], axis: {first: [1, 0, 0], second: [0, 1, 0]}}
  H: {revolute: [first.H, second.H], axis: [0, 0.2, 1]}
  P: {cylindrical: [second.P, third.P], axis: [0.1, 0, 1]}
springs:
  bar: {between: [O.q1, H.q], stiffness: 3 N*m/rad, free_angle: 0.1, damping: 0.2}
  gas: {between: [ground.G, third.T], free_length: 0.9 m, gas: {pressure: 300 kPa, volume: 60 cm^3, area: 0.5 cm^2, exponent: 1.3, ambient: 100 kPa}}
  floor: {point: second.P.z, stiffness: 40 N/m, free_length: 0.2 m}
  cubic: {joint: H, torque: = k*cubic.length^3 + c*cubic.rate*abs(cubic.rate)}
dampers:
  twin: {between: [second.P, ground.O], force: = 3*twin.rate + 2*twin.rate^3*second.u.x^2}
bushings:
  bush: {between: [first.H, third.F], stiffness: [30, 20, 25, 1, 2, 3], damping: [1, 2, 0.5, 0.1, 0.2, 0.1]}
forces:
  drag: {point: second.P, force: [= -0.5*rho*S*second.P.vx*abs(second.P.vx), 0, = -0.5*rho*S*second.P.vz^2]}
  follow: {body: third, torque: [= 0.2*sin(H.q), = -0.3*third.wy, '= if(P.q1 < 0.3, 0.4*P.q1, 0.12)'], axes: body}
  motor: {joint: O.q2, torque: = 2*sin(3*t) - 0.5*O.q2 - 0.3*O.v2}
  slide: {joint: P.q2, force: = -60*P.q2 - 4*P.v2}
assembly: {O.q1: 0.2, O.q2: -0.3, H.q: 0.6, P.q1: 0.1, P.q2: 0.05}
)";

/// In the plane, a closed loop.
inline constexpr const char* kFormulaFourBar = R"(
mechanism: four-bar with formulas
plane: xy
gravity: [0.3, -9.81]
ground: {points: {A: [0, 0], B: [0.8, 0], S: [0.2, 0.7]}}
bodies:
  crank:   {mass: 3, shape: {bar: [A, P1]}, points: {A: [0, 0], P1: [0.2, 0]}}
  coupler: {mass: 0.4, shape: {bar: [P1, P2]}, points: {P1: [0, 0], P2: [0.54, 0], P3: [0.3, 0.12]}}
  rocker:  {mass: 1.2, shape: {bar: [B, P2]}, points: {B: [0, 0], P2: [0.455, 0]}}
joints:
  A:  {revolute: [ground.A, crank.A]}
  P1: {revolute: [crank.P1, coupler.P1]}
  P2: {revolute: [coupler.P2, rocker.P2]}
  B:  {revolute: [ground.B, rocker.B]}
springs:
  bar: {between: [A, B], stiffness: 2 N*m/rad, damping: 0.1}
  soft: {between: [ground.S, coupler.P3], force: = 80*(soft.length - 0.2) + 30*(soft.length - 0.2)^3 + soft.rate}
dampers: {d: {joint: B, torque: = 0.3*d.rate*abs(d.rate)}}
bushings: {bush: {between: [ground.S, rocker.P2], stiffness: [20, 30, 0.5], damping: [1, 2, 0.1]}}
forces:
  wind: {point: coupler.P3, force: [= -0.8*coupler.P3.vx*abs(coupler.P3.vx), = smooth_step(coupler.P3.y - 0.1)*0.7]}
  push: {body: crank, torque: = 0.5*cos(2*A.q) - 0.1*coupler.rate}
assembly: {crank.angle: 70 deg, coupler.angle: 20 deg, rocker.angle: 125 deg}
)";

}  // namespace eslabon::test
