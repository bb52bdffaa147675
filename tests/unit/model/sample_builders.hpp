#pragma once

#include <functional>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism_builder.hpp"

/// Mechanisms that tests of layer model begin with, and the sentence that a broken rule gives.
namespace eslabon::model::test {

/// What the error says; "no error" when there is none.
inline std::string sentence(const std::function<void()>& action) {
  try {
    action();
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string build_sentence(const MechanismBuilder& builder) {
  return sentence([&] { (void)builder.build(); });
}

inline BodyDescription bar_body(std::string name, std::string from, std::string to, double length) {
  return {.name = std::move(name),
          .mass = 2.0,
          .shape = Bar{from, to},
          .points = {{from, {0.0, 0.0, 0.0}}, {to, {length, 0.0, 0.0}}}};
}

/// A planar four-bar: joints A, P1, P2, B; bodies crank, coupler, rocker.
inline MechanismBuilder four_bar() {
  MechanismBuilder builder("four-bar", Space::kPlanar);
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("B", {0.8, 0.0, 0.0});
  builder.add_body(bar_body("crank", "A", "P1", 0.12));
  builder.add_body(bar_body("coupler", "P1", "P2", 0.54));
  builder.add_body(bar_body("rocker", "B", "P2", 0.455));
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "crank.A"});
  builder.add_joint({"P1", JointType::kRevolute, "crank.P1", "coupler.P1"});
  builder.add_joint({"P2", JointType::kRevolute, "coupler.P2", "rocker.P2"});
  builder.add_joint({"B", JointType::kRevolute, "ground.B", "rocker.B"});
  return builder;
}

/// A spatial body `arm` with points O, P, frames F, G and axis u; ground with point O, frame F. Not joined.
inline MechanismBuilder loose_arm() {
  MechanismBuilder builder("arm", Space::kSpatial);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_ground_frame({.name = "F", .p_BF_B = {1.0, 2.0, 3.0}});
  builder.add_body({.name = "arm",
                    .mass = 3.0,
                    .shape = Sphere{0.2},
                    .points = {{"O", {0.1, 0.2, 0.3}}, {"P", {1.0, 0.5, 0.25}}},
                    .axes = {{"u", {0.0, 3.0, 4.0}}},
                    .frames = {{.name = "F", .p_BF_B = {0.0, 0.0, 1.0}}, {.name = "G"}}});
  return builder;
}

/// Beside the arm a body `tool` with points O, P, held by a spherical joint; arm and ground are held by
/// `shoulder`.
inline MechanismBuilder arm_with(JointType type) {
  MechanismBuilder builder = loose_arm();
  JointDescription shoulder{"shoulder", type, "ground.F", "arm.F"};
  if (type == JointType::kRod) shoulder.length = 0.5;
  builder.add_joint(shoulder);
  builder.add_body({.name = "tool", .points = {{"O", {0.0, 0.0, 0.0}}, {"P", {0.0, 1.0, 0.0}}}});
  builder.add_joint({"wrist", JointType::kSpherical, "arm.P", "tool.O"});
  return builder;
}

}  // namespace eslabon::model::test
