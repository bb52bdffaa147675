// Accelerations and reactions of the same states by another program, Simbody 3.7: neither rows, masses, forces nor solvers are shared.
#include <algorithm>
#include <string>

#include "tests/dynamic_case.hpp"
#include "tests/oracles/simbody_oracle.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;

/// Six bars in a row; axes and bars in no common plane.
std::string chain_of_revolutes() {
  std::string bodies = "bodies:\n", joints = "joints:\n", assembly = "assembly:\n";
  const char* axes[] = {"[0.1, 0.2, 1]", "[1, 0.3, 0]", "[0, 1, 0.4]",
                        "[1, -1, 0.5]",  "[0.2, 0, 1]", "[0.7, 1, 1]"};
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    bodies += "  arm_" + n + ": {mass: " + std::to_string(1.0 + 0.3 * i) +
              ", center_of_mass: [0.2, 0.05, -0.03], inertia: [0.02, 0.05, 0.04, 0.002, -0.001, 0.003], "
              "points: {A: [0, 0, 0], B: [0.5, 0.1, 0]}}\n";
    joints += "  J_" + n + ": {revolute: [" + (i == 0 ? "ground.O" : "arm_" + std::to_string(i - 1) + ".B") +
              ", arm_" + n + ".A], axis: " + axes[i] + "}\n";
    assembly += "  J_" + n + ": " + std::to_string(0.3 + 0.2 * i) + "\n";
  }
  return "mechanism: chain\ngravity: [0.3, -0.2, -9.81]\nground: {points: {O: [0.1, 0.2, 0.3]}}\n" + bodies +
         joints + assembly;
}

/// Universal, spherical, cylindrical, prismatic, planar and free joints, some of them written from the outer body inwards, with
/// what can act in joints.
const char* const kChainOfEveryJoint = R"(
mechanism: every joint
gravity: [0.3, -0.2, -9.81]
ground: {points: {O: [0.1, 0.2, 0.3], Q: [2, 1, 0]}}
bodies:
  a: {mass: 2, center_of_mass: [0.2, 0.05, -0.03], inertia: [0.02, 0.05, 0.04, 0.002, -0.001, 0.003], points: {A: [0, 0, 0], B: [0.5, 0.1, 0]}}
  b: {mass: 1, center_of_mass: [0.1, 0.02, 0.04], inertia: [0.03, 0.05, 0.04, 0.001, -0.001, 0.002], points: {A: [0, 0, 0], B: [0.4, 0.1, 0.2]}}
  c: {mass: 1.5, center_of_mass: [0.1, 0.02, 0.04], inertia: [0.03, 0.05, 0.04], points: {A: [0, 0, 0], B: [0.4, 0.1, 0.2]}}
  d: {mass: 0.7, center_of_mass: [0.15, -0.1, 0.04], inertia: [0.03, 0.02, 0.04], points: {A: [0, 0, 0], B: [0.3, 0, 0.2]}}
  e: {mass: 0.9, center_of_mass: [0.05, 0.1, 0.2], inertia: [0.03, 0.02, 0.04], points: {A: [0, 0, 0], B: [0.3, 0, 0.2]}}
  f: {mass: 0.4, center_of_mass: [0.05, 0.01, 0.02], inertia: [0.01, 0.02, 0.015], points: {A: [0, 0, 0]}}
  g: {mass: 3, center_of_mass: [0.05, 0.01, 0.02], inertia: [0.01, 0.02, 0.015], points: {A: [0, 0, 0], B: [0.2, 0.3, 0.1]}}
joints:
  cross:  {universal: [ground.O, a.A], axis: {first: [1, 0.2, 0], second: [-0.2, 1, 0]}, friction: {viscous: 0.3}}
  ball:   {spherical: [b.A, a.B], friction: {viscous: 0.2}}
  shaft:  {universal: [c.A, b.B], axis: {first: [0, 1, 0.3], second: [1, 0, 0.1]}}
  tube:   {cylindrical: [d.A, c.B], axis: [0, 0.3, 1]}
  slide:  {prismatic: [d.B, e.A], axis: [1, 1, 0], friction: {viscous: 2}}
  table:  {planar: [f.A, e.B], axis: [0.2, 0, 1]}
  loose:  {free: [ground.Q, g.A]}
springs:
  strut:   {between: [g.B, f.A], stiffness: 50, free_length: 0.4, damping: 3, preload: 2}
  torsion: {joint: cross.q2, stiffness: 4, free_angle: 0.3, damping: 0.1}
  push:    {joint: slide, stiffness: 30, free_length: 0.2}
dampers:
  oil: {joint: tube.q2, damping: 5}
forces:
  pull:  {point: d.B, force: [1, 2, 3]}
  turn:  {body: e, torque: [0.1, 0.2, 0.3], axes: body}
  motor: {joint: shaft.q1, torque: 0.7 N*m}
assembly: {cross.q1: 0.3, cross.q2: 0.4, shaft.q1: 0.5, shaft.q2: -0.3, tube.q1: 0.6, tube.q2: 0.2, slide: 0.15,
  table.q1: 0.1, table.q2: 0.2, table.q3: 0.3, b.rotation: [0.3, 0.4, 0.5], g.rotation: [0.2, 0.3, 0.1], g.position: [2, 1, 0.5]}
)";

/// A loop that universal, cylindrical, spherical and planar joints close.
const char* const kSpatialLoops = R"(
mechanism: shaft with two crosses
gravity: [0.3, -0.2, -9.81]
ground: {points: {A: [0, 0, 0], D: [1, 0.3, 0.1], P: [0.5, 0, 0.4]}}
bodies:
  input:  {mass: 1, center_of_mass: [0.1, 0.02, 0], inertia: [0.01, 0.02, 0.015], points: {A: [0, 0, 0], B: [0.2, 0, 0]}}
  middle: {mass: 2, center_of_mass: [0.3, 0.01, 0], inertia: [0.02, 0.03, 0.025], points: {B: [0, 0, 0], C: [0.6, 0, 0], K: [0.3, 0, 0.2]}}
  output: {mass: 1.5, center_of_mass: [0.1, -0.03, 0], inertia: [0.01, 0.02, 0.015], points: {C: [0, 0, 0], D: [0.2, 0, 0]}}
joints:
  A: {revolute: [ground.A, input.A], axis: [1, 0, 0]}
  B: {universal: [input.B, middle.B], axis: {first: [0, 1, 0], second: [0, 0, 1]}}
  C: {universal: [middle.C, output.C], axis: {first: [0, 1, 0], second: [0, 0, 1]}}
  D: {cylindrical: [ground.D, output.D], axis: [1, 0, 0]}
assembly: {input.position: [0, 0, 0], middle.position: [0.2, 0, 0], middle.rotation: [0, 0, 0.5], output.position: [0.8, 0.3, 0.1]}
)";

struct Sample {
  std::string name;
  std::string text = {};      ///< empty: a model of that name
  bool is_redundant = false;  ///< its joints hold some things twice: not all reactions are unique
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

class AgainstSimbody : public testing::TestWithParam<Sample> {
 protected:
  static model::Mechanism mechanism() {
    const Sample& sample = GetParam();
    return sample.text.empty() ? test::load_released(sample.name)
                               : io::read_mechanism(sample.text, sample.name);
  }
};

TEST_P(AgainstSimbody, AccelerationsOfAllBodiesAreTheSame) {
  test::DynamicCase c(mechanism());
  test::SimbodyOracle simbody(c.mechanism, c.structure);
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "natural"});
  const auto clusters = make_formulation("clusters", c.model);
  double worst = 0.0;
  for (const std::uint64_t seed : {11u, 12u, 13u}) {
    const MechanismMotion moving = test::random_motion(c.model, seed);
    const MechanismMotion ours = test::accelerated(*formulation, moving);
    const MechanismMotion by_clusters = test::accelerated(*clusters, moving);
    const MechanismMotion theirs = simbody.accelerated(moving);
    double size = 1.0;
    for (const BodyMotion& body : ours) size = std::max({size, body.a_WB_W.norm(), body.alpha_WB_W.norm()});
    for (std::size_t b = 1; b < ours.size(); ++b) {
      const std::string& name = c.mechanism.bodies()[b].name;
      // The state is the same: to the closure of the loops, in both programs.
      EXPECT_LE((theirs[b].X_WB.p_AB_A - moving[b].X_WB.p_AB_A).norm(), 1e-10) << name;
      EXPECT_LE((theirs[b].w_WB_W - moving[b].w_WB_W).norm(), 1e-9 * (1.0 + moving[b].w_WB_W.norm())) << name;
      EXPECT_LE((theirs[b].v_WB_W - moving[b].v_WB_W).norm(), 1e-9 * (1.0 + moving[b].v_WB_W.norm())) << name;
      const double error = std::max((ours[b].a_WB_W - theirs[b].a_WB_W).norm(),
                                    (ours[b].alpha_WB_W - theirs[b].alpha_WB_W).norm());
      EXPECT_LE(error, test::tolerance_scale() * 1e-8 * size) << name;
      worst = std::max(worst, error / size);
      EXPECT_LE(std::max((by_clusters[b].a_WB_W - theirs[b].a_WB_W).norm(),
                         (by_clusters[b].alpha_WB_W - theirs[b].alpha_WB_W).norm()),
                test::tolerance_scale() * 1e-8 * size)
          << name << " by clusters";
    }
  }
  RecordProperty("largest_relative_difference", core::number_text(worst));
}

TEST_P(AgainstSimbody, UniqueReactionsOfAllJointsAreTheSame) {
  test::DynamicCase c(mechanism());
  test::SimbodyOracle simbody(c.mechanism, c.structure);
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "natural"});
  Reactions reactions(c.model);
  const double length = coordinates::length_scale(c.mechanism);
  double worst = 0.0;
  int compared = 0, known = 0;
  for (const std::uint64_t seed : {11u, 12u, 13u}) {
    const MechanismMotion moving = test::random_motion(c.model, seed);
    const State state = formulation->state_of(moving, 0.0);
    reactions.solve_or_throw(0.0, test::accelerated(*formulation, moving), state.memory);
    static_cast<void>(simbody.accelerated(moving));
    double size = 1.0;
    for (const JointReaction& ours : reactions.joints())
      size = std::max({size, ours.force.norm(), ours.moment.norm() / length});
    for (std::size_t j = 0; j < reactions.joints().size(); ++j) {
      const JointReaction& ours = reactions.joints()[j];
      const auto& theirs = simbody.reactions()[j];
      if (!theirs) continue;
      ++known;
      if (!ours.is_unique) continue;
      ++compared;
      const double error =
          std::max((ours.force - theirs->force).norm(), (ours.moment - theirs->moment).norm() / length);
      EXPECT_LE(error, test::tolerance_scale() * 1e-8 * size)
          << c.mechanism.joints()[j].name << ": " << ours.force.transpose() << ", " << ours.moment.transpose()
          << " and " << theirs->force.transpose() << ", " << theirs->moment.transpose();
      worst = std::max(worst, error / size);
    }
  }
  RecordProperty("largest_relative_difference", core::number_text(worst));
  RecordProperty("compared_reactions", compared);
  EXPECT_GT(compared, 0);
  EXPECT_EQ(compared < known, GetParam().is_redundant);
}

INSTANTIATE_TEST_SUITE_P(Models, AgainstSimbody,
                         testing::Values(Sample{"fourbar-testbed"}, Sample{"slider-crank"},
                                         Sample{"watt-sixbar"}, Sample{"stephenson-sixbar"},
                                         Sample{"five-bar"}, Sample{"andrews-squeezer"}, Sample{"rssr"},
                                         Sample{"double-wishbone"}, Sample{"quarter-vehicle", "", true},
                                         Sample{"family:scalable-fourbar,dyads=5"},
                                         Sample{"six revolutes in space", chain_of_revolutes()},
                                         Sample{"chain of every joint", kChainOfEveryJoint},
                                         Sample{"two crosses", kSpatialLoops}),
                         [](const auto& sample) { return test::test_name(sample.param.name); });

}  // namespace
}  // namespace eslabon::dynamics
