// Efforts of actuators against closed forms: one actuator, too many, too few; who gives which power.
#include "eslabon/dynamics/reactions/inverse_dynamics.hpp"

#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/sentence_of.hpp"
#include "tests/testbed_closed_form.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy_account.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;
using testing::HasSubstr;

std::vector<coordinates::Prescribed> actuators_of(const model::Mechanism& mechanism,
                                                  const std::vector<std::string>& names) {
  std::vector<coordinates::Prescribed> actuators;
  for (const std::string& name : names) actuators.push_back({model::find_variable(mechanism, name), name});
  return actuators;
}

// One freedom, so one effort that can be told from power alone: τ θ̇ = Σ (m a·v + I α ω − m g·v).
TEST(InverseDynamics, OfTheTestbedGivesTheTorqueOfTheClosedForm) {
  const test::DynamicCase c(test::load_released("fourbar-testbed"));
  InverseDynamics at_crank(c.model, actuators_of(c.mechanism, {"A.q"})),
      at_rocker(c.model, actuators_of(c.mechanism, {"rocker.angle"})),
      at_point(c.model, actuators_of(c.mechanism, {"coupler.P3.x"}));
  for (const double theta : {0.2, 1.1, 2.3, 3.9, 5.5}) {
    const test::TestbedMotion testbed(theta, 1.819);
    const MechanismMotion bodies = testbed.bodies();
    const double power = testbed.power(), size = 5.0;
    at_crank.solve(0.0, bodies, {});
    EXPECT_EQ(at_crank.num_freedoms(), 1);
    EXPECT_NEAR(at_crank.efforts()[0], power / testbed.motion().theta_dot, 1e-10 * size);
    at_rocker.solve(0.0, bodies, {});
    EXPECT_NEAR(at_rocker.efforts()[0] * testbed.motion().psi_dot, power, 1e-10 * size);
    at_point.solve(0.0, bodies, {});
    const test::CouplerPoint P3 =
        test::coupler_point(testbed.motion(), test::TestbedMotion::a, testbed.x3(), testbed.y3());
    EXPECT_NEAR(at_point.efforts()[0] * P3.velocity.x(), power, 1e-10 * size);
    for (const InverseDynamics* inverse : {&at_crank, &at_rocker, &at_point}) {
      EXPECT_TRUE(inverse->is_effort_unique(0));
      EXPECT_LE(inverse->residual(), 1e-12);
      EXPECT_NEAR(inverse->powers().actuators, power, 1e-10 * size);
      EXPECT_NEAR(inverse->powers().balance(), 0.0, 1e-12 * size);
    }
  }
}

// Two motors on one freedom: τ_A θ̇ + τ_B ψ̇ = P, least τ_A² + τ_B² where (τ_A, τ_B) ∥ (θ̇, ψ̇).
TEST(InverseDynamics, OfTwoMotorsOnOneFreedomIsTheLeastPair) {
  const test::DynamicCase c(test::load_released("fourbar-testbed"));
  InverseDynamics inverse(c.model, actuators_of(c.mechanism, {"A.q", "B.q"}));
  for (const double theta : {0.2, 1.1, 2.3, 3.9, 5.5}) {
    const test::TestbedMotion testbed(theta, 1.819);
    inverse.solve(0.0, testbed.bodies(), {});
    const double x = testbed.motion().theta_dot, y = testbed.motion().psi_dot, P = testbed.power();
    EXPECT_NEAR(inverse.efforts()[0], P * x / (x * x + y * y), 1e-10);
    EXPECT_NEAR(inverse.efforts()[1], P * y / (x * x + y * y), 1e-10);
    EXPECT_FALSE(inverse.is_effort_unique(0));
    EXPECT_FALSE(inverse.is_effort_unique(1));
    // Forces in the loop depend on who does the work: none of the pins between is unique, and both motors share.
    EXPECT_FALSE(inverse.joints()[1].is_unique);
    EXPECT_NEAR(inverse.powers().actuators, P, 1e-10);
  }
}

// A bar of length l at rest under its weight, turned at its pin by τ and lifted at its end by F: τ + F l cos θ = ½ m g l cos θ = Q.
// τ counts as τ/l, the bar being the mechanism's size: least for (τ/l, F) ∥ (1, cos θ).
TEST(InverseDynamics, OfATurnAndAPushMeasuresTurnsByTheSize) {
  for (const double l : {0.01, 1.0, 50.0}) {
    const double theta = 0.5, m = 2.0, g = 9.81, k = std::cos(theta), Q = 0.5 * m * g * l * k;
    const test::DynamicCase c(io::read_mechanism("mechanism: bar\nparameters: {l: " + std::to_string(l) +
                                                     R"( m}
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bar: {mass: 2, shape: {bar: [A, B]}, points: {A: [0, 0], B: [= l, 0]}}}
joints: {O: {revolute: [ground.O, bar.A]}}
assembly: {bar.angle: 0.5}
)",
                                                 "bar"));
    InverseDynamics inverse(c.model, actuators_of(c.mechanism, {"O.q", "bar.B.y"}));
    inverse.solve(0.0, c.model.start(), {});
    EXPECT_NEAR(inverse.efforts()[0], Q / (1.0 + k * k), 1e-12 * m * g * l);
    EXPECT_NEAR(inverse.efforts()[1], Q / l * k / (1.0 + k * k), 1e-12 * m * g);
    // The pin takes the rest of the weight, and with another share of the efforts something else.
    const JointReaction& pin = inverse.joints()[0];
    EXPECT_NEAR(pin.force.y(), m * g - inverse.efforts()[1], 1e-12 * m * g);
    EXPECT_TRUE(pin.is_unique_W[0]);
    EXPECT_FALSE(pin.is_unique_W[1]);
  }
}

// An actuator more that nothing moves along gives nothing, is not unique, and changes nothing.
TEST(InverseDynamics, LeavesAlone_WhatMovesNothing) {
  const test::DynamicCase c(test::load_released("slider-crank"));
  InverseDynamics one(c.model, actuators_of(c.mechanism, {"O.q"})),
      two(c.model, actuators_of(c.mechanism, {"O.q", "slider.B.y"}));
  const auto formulation = make_formulation("multipliers", c.model);
  const MechanismMotion motion = test::accelerated(*formulation, test::random_motion(c.model, 5));
  one.solve(0.0, motion, {});
  two.solve(0.0, motion, {});
  EXPECT_NEAR(one.efforts()[0], two.efforts()[0], 1e-12);
  EXPECT_TRUE(two.is_effort_unique(0));
  EXPECT_NEAR(two.efforts()[1], 0.0, 1e-15);
  EXPECT_FALSE(two.is_effort_unique(1));
}

TEST(InverseDynamics, ThatReachesTooLittleSaysWhatIsMissing) {
  const test::DynamicCase five_bar(test::load_released("five-bar"));
  InverseDynamics few(five_bar.model, actuators_of(five_bar.mechanism, {"A.q"}));
  const std::string sentence =
      test::sentence_of<core::ModelError>([&] { few.solve(0.25, five_bar.model.start(), {}); });
  EXPECT_THAT(sentence, HasSubstr("the actuators cannot give every motion [t = 0.25 s]"));
  EXPECT_THAT(sentence,
              HasSubstr("expected actuators for 2 degrees of freedom, got actuators for 1 of them, A.q"));
  EXPECT_THAT(sentence, HasSubstr("with it held, joint"));
  EXPECT_THAT(sentence, HasSubstr("Add an actuator such as '"));
  // What it says can be added does help.
  const std::size_t start = sentence.find("such as '") + 9;
  const std::string missing = sentence.substr(start, sentence.find('\'', start) - start);
  InverseDynamics enough(five_bar.model, actuators_of(five_bar.mechanism, {"A.q", missing}));
  enough.solve(0.0, five_bar.model.start(), {});
  EXPECT_EQ(enough.num_freedoms(), 2);

  const test::DynamicCase slider(test::load_released("slider-crank"));
  InverseDynamics across(slider.model, actuators_of(slider.mechanism, {"slider.B.y"}));
  const std::string idle =
      test::sentence_of<core::ModelError>([&] { across.solve(0.0, slider.model.start(), {}); });
  EXPECT_THAT(idle, HasSubstr("expected actuators for 1 degree of freedom, got actuators for 0 of them"));
  EXPECT_THAT(idle, HasSubstr("nothing moves along slider.B.y"));

  // Of all joints the crank pin moves most: at 60° the rod turns by −r cos 60°/(l cos φ) = −0.15 for each radian of the crank.
  InverseDynamics none(slider.model, {});
  const std::string nothing =
      test::sentence_of<core::ModelError>([&] { none.solve(0.0, slider.model.start(), {}); });
  EXPECT_THAT(nothing, HasSubstr("actuators for 0 of them"));
  EXPECT_THAT(nothing, HasSubstr("such as 'A.q'."));
}

// A bar between two balls, turned about the line between them, its centre of mass beside it: held by a direction across that is kept at
// right angles to a fixed one, u ⟂ d, which takes μ (u × d) = m g r cos φ about the line.
TEST(InverseDynamics, OfAHeldDirectionIsTheTorqueThatHoldsIt) {
  const double phi = 0.7, m = 2.0, g = 9.81, r = 0.2, s = std::sin(phi), k = std::cos(phi);
  const test::DynamicCase c(io::read_mechanism(R"(mechanism: bar on balls
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 0], B: [1, 0, 0]}}
bodies: {bar: {mass: 2, center_of_mass: [0.5, 0.2, 0], inertia: [0.1, 0.1, 0.1], points: {A: [0, 0, 0], B: [1, 0, 0]}}}
joints: {A: {spherical: [ground.A, bar.A]}, B: {spherical: [ground.B, bar.B]}}
assembly: {bar.rotation: [0.7, 0, 0]}
)",
                                               "bar"));
  InverseDynamics inverse(c.model,
                          {{coordinates::HeldDirection{model::BodyIndex(1), {0, 1, 0}, {0, -s, k}}, "spin"}});
  inverse.solve(0.0, c.model.start(), {});
  EXPECT_NEAR(inverse.efforts()[0], m * g * r * k, 1e-9);
  EXPECT_EQ(inverse.rates()[0], 0.0);
}

// A part that only balls hold has no joint coordinate to offer: a coordinate of a point is named instead.
TEST(InverseDynamics, ThatReachesTooLittleNamesAPoint_WhereNoJointHasACoordinate) {
  const test::DynamicCase c(io::read_mechanism(R"(mechanism: ball
ground: {points: {O: [0, 0, 0]}}
bodies: {bob: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1], points: {O: [0, 0, 0], P: [0.5, 0, 0.1]}}}
joints: {O: {spherical: [ground.O, bob.O]}}
)",
                                               "ball"));
  InverseDynamics inverse(c.model, actuators_of(c.mechanism, {"bob.P.y"}));
  const std::string sentence =
      test::sentence_of<core::ModelError>([&] { inverse.solve(0.0, c.model.start(), {}); });
  EXPECT_THAT(sentence,
              HasSubstr("expected actuators for 3 degrees of freedom, got actuators for 1 of them"));
  EXPECT_THAT(sentence, HasSubstr("such as 'bob.P."));
}

// A mass on a slide with everything that can act on it; x = 0.3 m, v = 2 m/s, a = 5 m/s², spring free at 0.1 m.
TEST(Powers, OfEverythingOnASlideEqualTheClosedForm) {
  const test::DynamicCase c(io::read_mechanism(R"(mechanism: slide
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}, axes: {u: [0.6, 0.8]}}
bodies: {block: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [0.6, 0.8]}}}
joints: {J: {prismatic: [ground.O, block.P], axis: [ground.u, block.u], friction: {viscous: 7}}}
springs: {s: {joint: J, stiffness: 40, free_length: 0.1, damping: 2}}
dampers: {d: {joint: J, damping: 11}}
forces: {pull: {point: block.P, force: [= 5*t, 10]}, push: {joint: J, force: 4}}
assembly: {J.q: 0.3, J.v: 2}
)",
                                               "slide"));
  MechanismMotion bodies = c.model.start();
  bodies[1].a_WB_W = 5.0 * Eigen::Vector3d(0.6, 0.8, 0.0);
  InverseDynamics inverse(c.model, actuators_of(c.mechanism, {"J.q"}));
  inverse.solve(2.0, bodies, {});
  const double v = 2.0, spring = 40.0 * 0.2;
  const Powers& powers = inverse.powers();
  const double eps = 1e-9;  // start positions and rates are closed to that
  EXPECT_NEAR(powers.weights, -3.0 * 9.81 * 0.8 * v, eps);
  EXPECT_NEAR(powers.springs, -spring * v, eps);
  EXPECT_NEAR(powers.dampers, (2.0 + 11.0) * v * v, eps);
  EXPECT_NEAR(powers.friction, -7.0 * v * v, eps);
  EXPECT_NEAR(powers.loads, (10.0 * 0.6 + 10.0 * 0.8 + 4.0) * v, eps);
  EXPECT_NEAR(powers.kinetic, 3.0 * 5.0 * v, eps);
  const double effort =
      3.0 * 5.0 + 3.0 * 9.81 * 0.8 + spring + (2.0 + 11.0 + 7.0) * v - 10.0 * 0.6 - 10.0 * 0.8 - 4.0;
  EXPECT_NEAR(inverse.efforts()[0], effort, eps);
  EXPECT_NEAR(powers.actuators, effort * v, eps);
  EXPECT_NEAR(powers.balance(), 0.0, 1e-12);

  EnergyAccount account;
  account.add(powers, 0.5);
  EXPECT_NEAR(account.actuators, 0.5 * effort * v, eps);
  EXPECT_NEAR(account.gross, 0.5 * effort * v, eps);
  EXPECT_NEAR(account.lost, 0.5 * 20.0 * v * v, eps);
  EXPECT_NEAR(account.loads, -0.5 * 18.0 * v, eps);
  EXPECT_NEAR(account.difference(0.5 * (powers.kinetic - powers.weights - powers.springs)), 0.0, eps);
}

// A wall that comes towards the block with 0.5 m/s, 0.1 m beyond which it is at 2 m/s: what the wall stores, loses and gives.
TEST(Powers, OfASoftStopAreStoredLostAndGiven) {
  const test::DynamicCase c(io::read_mechanism(R"(mechanism: wall
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {block: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}}
joints: {J: {prismatic: [ground.O, block.P], axis: [1, 0]}}
stops: {wall: {joint: J, upper: = 0.2 - 0.5*t, stiffness: 400, damping: 30}}
assembly: {J.q: 0.3, J.v: 2}
)",
                                               "wall"));
  InverseDynamics inverse(c.model, actuators_of(c.mechanism, {"J.q"}));
  inverse.solve(0.0, c.model.start(), {});
  const double push = 400.0 * 0.1 + 30.0 * 2.5;  // depth 0.1 m, growing with 2.5 m/s
  const Powers& powers = inverse.powers();
  EXPECT_NEAR(powers.springs, -400.0 * 0.1 * 2.5, 1e-9);
  EXPECT_NEAR(powers.dampers, 30.0 * 2.5 * 2.5, 1e-9);
  EXPECT_NEAR(powers.loads, push * 0.5, 1e-9);
  EXPECT_NEAR(powers.friction, 0.0, 1e-9);
  EXPECT_NEAR(inverse.efforts()[0], push, 1e-9);
  EXPECT_NEAR(powers.balance(), 0.0, 1e-9);
}

TEST(GaussNodes, IntegrateUpToDegreeNine) {
  for (int degree = 0; degree <= 10; ++degree) {
    double sum = 0.0;
    for (const QuadratureNode& node : gauss_nodes()) sum += node.weight * std::pow(node.place, degree);
    if (degree < 10)
      EXPECT_NEAR(sum, 1.0 / (degree + 1), 1e-15) << degree;
    else
      EXPECT_GT(std::abs(sum - 1.0 / 11.0), 1e-8);
  }
}

}  // namespace
}  // namespace eslabon::dynamics
