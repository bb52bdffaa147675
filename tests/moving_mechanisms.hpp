#pragma once

#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/formula_mechanisms.hpp"
#include "tests/simulated_case.hpp"

#include "eslabon/dynamics/reduced/reduced_motion.hpp"

/// Mechanisms with freedoms, for all that steps them.
namespace eslabon::test {

/// A chain on a ball with springs and friction, so that Euler parameters are among the coordinates.
inline constexpr const char* kBallChain = R"(
mechanism: two bars on a ball
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], S: [0.3, 0.4, 0.9]}}
bodies:
  first:  {mass: 2, center_of_mass: [0.2, 0, 0.05], inertia: [0.02, 0.05, 0.06], points: {O: [0, 0, 0], H: [0.5, 0, 0]}}
  second: {mass: 1, center_of_mass: [0.1, 0.1, 0], inertia: [0.01, 0.02, 0.025], points: {H: [0, 0, 0], T: [0.4, 0.1, 0]}}
joints:
  O: {spherical: [ground.O, first.O]}
  H: {revolute: [first.H, second.H], axis: [0, 1, 0.3], friction: {viscous: 0.1 N*m*s/rad}}
springs:
  pull: {between: [ground.S, second.T], stiffness: 30 N/m, free_length: 0.2 m, damping: 2 N*s/m}
assembly: {first.position: [0, 0, 0], first.rotation: [0.2, -0.1, 0.3], second.rotation: [0.1, 0.4, 0.2], second.position: [0.48, 0.1, 0.1]}
)";

/// A four-bar with everything that pushes: a spring, a damper, a soft stop, friction, a load.
inline constexpr const char* kPushedFourBar = R"(
mechanism: pushed four-bar
plane: xy
gravity: [0.3, -9.81]
ground: {points: {A: [0, 0], B: [0.8, 0], S: [0.2, 0.7]}}
bodies:
  crank:   {mass: 3, shape: {bar: [A, P1]}, points: {A: [0, 0], P1: [0.2, 0]}}
  coupler: {mass: 0.4, shape: {bar: [P1, P2]}, points: {P1: [0, 0], P2: [0.54, 0], P3: [0.3, 0.12]}}
  rocker:  {mass: 1.2, shape: {bar: [B, P2]}, points: {B: [0, 0], P2: [0.455, 0]}}
joints:
  A:  {revolute: [ground.A, crank.A], friction: {coulomb: 0.3 N*m, stiction: 0.4 N*m, viscous: 0.02 N*m*s/rad, stribeck_speed: 0.5 rad/s}}
  P1: {revolute: [crank.P1, coupler.P1]}
  P2: {revolute: [coupler.P2, rocker.P2]}
  B:  {revolute: [ground.B, rocker.B]}
springs: {s: {between: [ground.S, coupler.P3], stiffness: 200 N/m, free_length: 0.1 m}}
dampers: {d: {between: [ground.S, rocker.P2], damping: 12 N*s/m}}
stops: {buffer: {joint: B, lower: 2 rad, stiffness: 60 N*m/rad, damping: 1 N*m*s/rad}}
forces: {push: {point: coupler.P3, force: [1 N, -2 N], axes: body}}
assembly: {crank.angle: 70 deg, coupler.angle: 20 deg, rocker.angle: 125 deg}
)";

struct NamedMechanism {
  std::string name;
  model::Mechanism mechanism;
};
/// Mechanisms of every kind that can be stepped from freedoms.
inline std::vector<NamedMechanism> moving_mechanisms() {
  std::vector<NamedMechanism> list;
  for (const char* name : {"fourbar-testbed",      "five-bar",
                           "slider-crank",         "rssr",
                           "double-wishbone",      "quarter-vehicle",
                           "andrews-squeezer",     "rack-and-pinion",
                           "differential",         "pairs/whitworth",
                           "pairs/arc-four-bar",   "pairs/disc-on-incline",
                           "pairs/ball-in-groove", "pairs/cam-roller",
                           "pairs/cam-flat",       "disc-cam",
                           "screw-press-helical",  "pairs/cylinder-in-cylinder",
                           "pairs/barrel-cam",     "family:scalable-fourbar,dyads=4"})
    list.push_back({name, load_released(name)});
  // A driver that goes on: its speed and acceleration are in all rates.
  const model::Mechanism driven =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/five-bar.yaml", {});
  list.push_back({"five-bar with a driver", model::without_drivers(driven, {driven.drivers()[0].name})});
  list.push_back({"ball chain", mechanism_of_text(kBallChain)});
  list.push_back({"pushed four-bar", mechanism_of_text(kPushedFourBar)});
  list.push_back({"chain with formulas", mechanism_of_text(kFormulaChain)});
  list.push_back({"four-bar with formulas", mechanism_of_text(kFormulaFourBar)});
  return list;
}

/// Unknowns of every kind that the mechanism has.
inline std::vector<dynamics::Unknown> all_unknowns(const model::Mechanism& mechanism) {
  using dynamics::Unknown;
  std::vector<dynamics::Unknown> list{{Unknown::Kind::kFreedomForce, 0}, {Unknown::Kind::kMass, 1}};
  const int last = static_cast<int>(mechanism.bodies().size()) - 1;
  list.push_back({Unknown::Kind::kMass, last});
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (model::coordinate_count(mechanism.joints()[j].type) > 0) {
      list.push_back(
          {Unknown::Kind::kForce, 0,
           model::Variable{model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), 0}});
      break;
    }
  for (int b = last; b > 0; --b)
    if (!mechanism.bodies()[static_cast<std::size_t>(b)].points.empty()) {
      list.push_back({Unknown::Kind::kForce, 0,
                      model::Variable{model::VariableKind::kPointPosition,
                                      model::PointRef{model::BodyIndex(b), model::PointIndex(0)}, 1}});
      break;
    }
  if (!mechanism.springs().empty()) list.push_back({Unknown::Kind::kSpring, 0});
  if (!mechanism.dampers().empty()) list.push_back({Unknown::Kind::kDamper, 0});
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (!mechanism.joints()[j].friction.is_none())
      list.push_back({Unknown::Kind::kFriction, static_cast<int>(j)});
  return list;
}

}  // namespace eslabon::test
