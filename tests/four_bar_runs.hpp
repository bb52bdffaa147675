#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/driven_run.hpp"
#include "tests/four_bar_closed_form.hpp"
#include <gtest/gtest.h>

#include "eslabon/model/mechanism_builder.hpp"

/// Driven four-bars for tests of motions.
namespace eslabon::test {

struct Lengths {
  double g, a, h, b;  ///< ground, crank, coupler, rocker [m]
};

inline constexpr Lengths kTestbed{0.8, 0.12, 0.54, 0.455};

/// Joints A, P1, P2, B; start angles given. Names as in models/fourbar-testbed.yaml.
inline model::Mechanism four_bar(const Lengths& l, double crank, double coupler, double rocker,
                                 const model::DriverDescription& driver) {
  model::MechanismBuilder builder("four-bar", model::Space::kPlanar);
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("B", {l.g, 0.0, 0.0});
  builder.add_body({.name = "crank", .points = {{"A", {0, 0, 0}}, {"P1", {l.a, 0, 0}}}});
  builder.add_body({.name = "coupler", .points = {{"P1", {0, 0, 0}}, {"P2", {l.h, 0, 0}}}});
  builder.add_body({.name = "rocker", .points = {{"B", {0, 0, 0}}, {"P2", {l.b, 0, 0}}}});
  builder.add_joint({"A", model::JointType::kRevolute, "ground.A", "crank.A"});
  builder.add_joint({"P1", model::JointType::kRevolute, "crank.P1", "coupler.P1"});
  builder.add_joint({"P2", model::JointType::kRevolute, "coupler.P2", "rocker.P2"});
  builder.add_joint({"B", model::JointType::kRevolute, "ground.B", "rocker.B"});
  builder.add_driver(driver);
  builder.add_start_value("crank.angle", crank);
  builder.add_start_value("coupler.angle", coupler);
  builder.add_start_value("rocker.angle", rocker);
  return builder.build();
}

/// The same, started at the crank angle theta on one of its two branches.
inline model::Mechanism four_bar_at(const Lengths& l, double theta, bool is_open,
                                    const model::DriverDescription& driver) {
  const auto start = four_bar_motion(l.g, l.a, l.h, l.b, theta, 0.0, is_open);
  return four_bar(l, theta, start.phi, start.psi, driver);
}

inline model::DriverDescription motor(const std::string& target, const model::TimeFunction& speed) {
  return {"motor", target, model::DriverLevel::kSpeed, speed};
}

/// Rocker angle at which the pins of crank and rocker are r apart from A, rocker above the line AB: law of cosines.
inline double rocker_at_reach(const Lengths& l, double r) {
  return std::numbers::pi - std::acos((l.g * l.g + l.b * l.b - r * r) / (2.0 * l.g * l.b));
}

/// Goes on by `step` until the motion ends or t_end is reached; `check` is called at every output.
template <class Check>
void follow(DrivenRun& run, double step, double t_end, Check check) {
  for (int k = 1; (k - 1) * step < t_end; ++k) {
    const double t = std::min(k * step, t_end);
    if (!run.advance_to(t)) return;
    check(t);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace eslabon::test
