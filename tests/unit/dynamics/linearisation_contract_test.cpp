#include "tests/linear_case.hpp"
#include <gmock/gmock.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/linearisation.hpp"

// What is not linearised, and how that is said.
namespace eslabon::dynamics {
namespace {

using test::LinearCase;
using test::sliding_mass;

TEST(Linearisation, NamesThatAreWrongGetTheNearestOne) {
  const model::Mechanism mechanism = io::read_mechanism(sliding_mass(1), "test.yaml");
  const auto sentence = [](auto work) -> std::string {
    try {
      work();
    } catch (const core::ModelError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(sentence([&] { find_input(mechanism, "pusch"); }), testing::HasSubstr("Did you mean 'push'?"));
  EXPECT_THAT(sentence([&] { find_input(mechanism, "K.q"); }), testing::HasSubstr("'J.q'"));
  EXPECT_THAT(sentence([&] { find_linear_output(mechanism, "J.qq"); }), testing::HasSubstr("J"));
  EXPECT_THAT(sentence([&] { find_linear_output(mechanism, "J.fx"); }), testing::HasSubstr("not linearised"));
}

TEST(Linearisation, FreedomWithoutMassIsNamed) {
  const std::string text =
      "mechanism: light\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n"
      "  a: {mass: 2, inertia: 0.1, center_of_mass: [0.4, 0], points: {O: [0, 0], E: [1, 0]}}\n"
      "  b: {points: {O: [0, 0]}}\njoints:\n  A: {revolute: [ground.O, a.O]}\n  B: {revolute: [a.E, b.O]}\n"
      "springs: {s: {joint: B, stiffness: 3}}\nassembly: {a.angle: -80 deg, b.angle: -95 deg}\n";
  LinearCase c(text);
  const State rest = c.rest();  // an equilibrium needs no mass
  try {
    c.system(c.chart, rest, {}, {});
    FAIL();
  } catch (const core::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("something moves without mass [body 'b']"));
  }
}

TEST(Linearisation, WhatHoldsIsNotLinearised) {
  const auto sentence = [](const std::string& text) -> std::string {
    LinearCase c(text);
    try {
      c.at_rest();
    } catch (const core::ModelError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string plane =
      "mechanism: p\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\n"
      "bodies: {a: {mass: 1, inertia: 0.1, center_of_mass: [1, 0], points: {O: [0, 0]}}}\nassembly: {A.q: "
      "-60 deg}\n";
  const std::string hinge = plane + "joints: {A: {revolute: [ground.O, a.O]}}\n";
  EXPECT_THAT(sentence(hinge + "stops: {s: {joint: A, lower: -100 deg, restitution: 0.5}}\n"),
              testing::Eq("no error"));
  EXPECT_THAT(sentence(hinge + "stops: {s: {joint: A, lower: -90 deg, restitution: 0.5}}\n"),
              testing::HasSubstr("touches a rigid stop"));
  EXPECT_THAT(sentence(hinge + "stops: {s: {joint: A, lower: -80 deg, restitution: 0.5}}\n"),
              testing::HasSubstr("beyond a rigid stop"));
  EXPECT_THAT(sentence(plane + "joints: {A: {revolute: [ground.O, a.O], friction: {coulomb: 0.5}}}\n"),
              testing::HasSubstr("dry friction that holds"));
  EXPECT_THAT(
      sentence(
          "mechanism: s\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
          "bodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0, 0, -0.5], points: {O: [0, "
          "0, 0]}}}\njoints: {A: {spherical: [ground.O, a.O], friction: {coulomb: 0.5}}}\n"),
      testing::HasSubstr("dry friction that holds"));
}

TEST(Linearisation, KinkIsNotLinearisedSilently) {
  // A spring that pushes on one side only, at its kink.
  const std::string text =
      "mechanism: mass\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
      "bodies: {mass: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, "
      "0]}}}\n"
      "joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\n"
      "springs: {s: {joint: J, table: [[-1, 0], [0, 0], [1, 100]]}}\nassembly: {J.q: 0.0005}\n";
  LinearCase c(text);
  // Beside the kink, smaller steps see one side: 100/3.
  EXPECT_NEAR(c.at_start().A(1, 0), -100.0 / 3.0, 1e-9);
  // At it a central difference would be the mean of both sides, with no error to be seen.
  LinearCase at_kink(text.substr(0, text.find("assembly")) + "assembly: {J.q: 0}\n");
  try {
    at_kink.at_start();
    FAIL();
  } catch (const core::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot be linearised here"));
    EXPECT_THAT(error.what(), testing::HasSubstr("kink"));
  }
}

}  // namespace
}  // namespace eslabon::dynamics
