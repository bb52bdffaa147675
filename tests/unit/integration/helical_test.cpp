// Screws as joints of one degree of freedom: closed forms in all methods and formulations, the same as a cylindrical joint with a screw
// coupling, the wrench of the thread against Newton's and Euler's laws, loops that it closes.
#include <cmath>
#include <numbers>
#include <string>

#include "tests/driven_run.hpp"
#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"

namespace eslabon {
namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kClosed = 1e-9;

/// A body on a screw along a slanting axis, with a slide that it moves; a loop of three joints.
constexpr const char* kJack = R"(mechanism: jack
gravity: [0.4, -0.3, -9.81]
ground: {points: {O: [0.1, 0.2, 0.3]}, axes: {u: [0, 0.6, 0.8]}}
bodies:
  nut:  {mass: 2, center_of_mass: [0.02, 0, 0.03], inertia: [0.02, 0.03, 0.04, 0.001, 0, 0.002], points: {O: [0, 0, 0]}, axes: {u: [0.2, 0, 1]}}
  load: {mass: 5, center_of_mass: [0, 0.05, 0], inertia: [0.1, 0.1, 0.1], points: {O: [0, 0, 0]}, axes: {u: [0, 0.6, 0.8]}}
joints:
  thread:  {helical: [ground.O, nut.O], axis: [ground.u, nut.u], lead: -60 mm}
  bearing: {point_on_plane: [load.O, nut.O], axis: [load.u, nut.u]}
  guide:   {prismatic: [ground.O, load.O], axis: [ground.u, load.u]}
)";

class HelicalMotion : public test::EveryWay {};

// Forty turns of a driven screw that is in a loop, and of one that is written from the other end.
TEST_P(HelicalMotion, SlidesByItsLead) {
  const double until = 25.0;
  test::DrivenRun run(
      test::mechanism_of_text(std::string(kJack) +
                              "drivers: {motor: {joint: thread, speed: 10 rad/s, start: 30 rad}}\n"),
      until, method(), kind());
  for (const double t : {0.0, 1.0, 7.3, until}) {
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(run.value("guide.q"), -(30.0 + 10.0 * t) * 0.06 / (2.0 * pi), kClosed);
    EXPECT_NEAR(run.value("guide.v"), -10.0 * 0.06 / (2.0 * pi), kClosed);
    EXPECT_NEAR(run.value("thread.q"), 30.0 + 10.0 * t, 1e-7);  // the slide tells the turns
  }
}

TEST_P(HelicalMotion, TurnsByItsSlide) {
  test::DrivenRun run(test::mechanism_of_text(R"(mechanism: pump drill
ground: {points: {O: [0, 0, 0]}}
bodies: {drill: {points: {O: [0, 0, 0], T: [0.1, 0, 0]}}, grip: {points: {O: [0, 0, 0]}}}
joints:
  thread: {helical: [drill.O, ground.O], axis: x, lead: 0.5}
  swivel: {point_on_plane: [grip.O, drill.O], axis: x}
  guide:  {prismatic: [ground.O, grip.O], axis: x}
drivers: {hand: {joint: guide, position: = 0.7*sin(2*t)}}
)"),
                      5.0, method(), kind());
  for (const double t : {0.0, 0.4, 1.9, 5.0}) {
    ASSERT_TRUE(run.advance_to(t));
    const double q = -0.7 * std::sin(2.0 * t) * 2.0 * pi / 0.5,
                 q_dot = -1.4 * std::cos(2.0 * t) * 2.0 * pi / 0.5,
                 q_ddot = 2.8 * std::sin(2.0 * t) * 2.0 * pi / 0.5;
    EXPECT_NEAR(run.value("thread.q"), q, 1e-8);
    EXPECT_NEAR(run.value("thread.v"), q_dot, 1e-8);
    EXPECT_NEAR(run.value("thread.a"), q_ddot, 1e-7);
    EXPECT_NEAR(run.value("drill.wx"), -q_dot, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, HelicalMotion, test::every_way(), test::way_name);

TEST(HelicalStructure, LeavesOneDegreeOfFreedom) {
  const model::Mechanism mechanism = test::mechanism_of_text(kJack);
  const structure::Structure structure = structure::analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 1);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  ASSERT_TRUE(assembly.usable());
  for (const std::string& kind : coordinates::layout_names()) {
    const coordinates::ConstraintSystem system(kind, mechanism, structure, {});
    EXPECT_EQ(kinematics::explain_redundancy(system, assembly.bodies).mobility, 1) << kind;
  }
  const model::Mechanism alone = test::mechanism_of_text(R"(mechanism: nut
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {mass: 1, shape: {sphere: 0.1}, points: {O: [0, 0, 0]}}}
joints: {A: {helical: [ground.O, nut.O], axis: z, lead: 5 mm}}
)");
  const structure::Structure one = structure::analyse_structure(alone);
  EXPECT_EQ(one.mobility, 1);
  ASSERT_EQ(one.groups.size(), 1U);
  EXPECT_EQ(one.groups[0].type, "1H");
}

/// The same screw as a cylindrical joint with a coupling.
model::Mechanism by_coupling() {
  std::string text = kJack;
  const std::string joint = "{helical: [ground.O, nut.O], axis: [ground.u, nut.u], lead: -60 mm}";
  text.replace(text.find(joint), joint.size(), "{cylindrical: [ground.O, nut.O], axis: [ground.u, nut.u]}");
  return test::mechanism_of_text(text + "couplings: {screw: {screw: {joint: thread, lead: -60 mm}}}\n");
}

// crosscheck: the row of the joint and that of the coupling share no code, and all formulations agree.
TEST(Helical, AcceleratesAsACylindricalJointWithAScrew) {
  const test::DynamicCase c(test::mechanism_of_text(kJack)), other(by_coupling());
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const MechanismMotion motion = test::random_motion(c.model, seed, 3.0);
    const auto reference =
        dynamics::make_formulation("multipliers", other.model, {.kind = "reference-point"});
    const MechanismMotion expected = test::accelerated(*reference, motion);
    const auto distance = [&](const MechanismMotion& a) {
      return (a[1].alpha_WB_W - expected[1].alpha_WB_W).norm() + (a[2].a_WB_W - expected[2].a_WB_W).norm() +
             (a[1].a_WB_W - expected[1].a_WB_W).norm();
    };
    const double size = expected[1].alpha_WB_W.norm() + expected[2].a_WB_W.norm();
    std::vector<std::string> kinds = coordinates::layout_names();
    kinds.emplace_back();
    int seen = 0;
    for (const std::string& name : dynamics::formulation_names())
      for (const std::string& kind : kinds) {
        std::unique_ptr<dynamics::Formulation> formulation;
        try {
          formulation = dynamics::make_formulation(name, c.model, {.kind = kind});
        } catch (const core::ModelError&) {
          continue;
        }
        EXPECT_LE(distance(test::accelerated(*formulation, motion)), 1e-9 * size) << name << ", " << kind;
        ++seen;
      }
    EXPECT_GE(seen, 15);
    dynamics::ReducedMotion reduced(c.model, {});
    EXPECT_LE(distance(reduced.point_of(motion, 0.0).bodies), 1e-9 * size);
  }
}

class HelicalFormulation : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  test::Way way() const {
    test::Way exact{.formulation = GetParam().first, .kind = GetParam().second};
    exact.options.rtol = 1e-11;
    exact.options.atol = 1e-13;
    return exact;
  }
};

// A nut that falls along a screw: (I + m p²) q̈ = m g p with p the way for a radian. An open chain, its one step a screw.
TEST_P(HelicalFormulation, FallsInClosedForm) {
  const double p = 0.3 / (2.0 * pi), until = 2.0, a = 1.5 * 9.81 * p / (0.02 + 1.5 * p * p);
  test::SimulatedCase run(test::mechanism_of_text(R"(mechanism: nut
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {mass: 1.5, center_of_mass: O, inertia: [0.02, 0.02, 0.02], points: {O: [0, 0, 0]}}}
joints: {A: {helical: [ground.O, nut.O], axis: [0, 0, -1], lead: 0.3}}
)"),
                          until, way());
  ASSERT_TRUE(run.advance_to(until));
  EXPECT_NEAR(run.value("A.v"), a * until, 1e-9 * a * until);  // 60 rad/s after ten turns
  EXPECT_NEAR(run.value("nut.O.z"), -0.5 * a * until * until * p, 1e-8);
  EXPECT_NEAR(run.value("A.q"), 0.5 * a * until * until, 1e-7);
  EXPECT_GT(run.value("A.q"), 6.0 * pi);
}

// invariant: the thread does no work, over some turns.
TEST_P(HelicalFormulation, EnergyStays) {
  test::SimulatedCase run(test::mechanism_of_text(std::string(kJack) + "assembly: {thread.v: 40 rad/s}\n"),
                          1.0, way());
  const auto energy = [&] {
    return dynamics::kinetic_energy(run.c.mechanism, run.bodies) +
           dynamics::potential_energy(run.c.mechanism, run.bodies, {});
  };
  const double before = energy();
  ASSERT_TRUE(run.advance_to(1.0));
  EXPECT_NEAR(energy(), before,
              1e-9 * std::abs(before) + 1e-9 * dynamics::kinetic_energy(run.c.mechanism, run.bodies));
  EXPECT_LE(run.simulation.constraint_error(), 1e-9);
  EXPECT_GT(std::abs(run.value("thread.q")), 4.0 * pi);
}

INSTANTIATE_TEST_SUITE_P(Formulations, HelicalFormulation,
                         testing::Values(std::pair("null-space", "natural"),
                                         std::pair("multipliers", "reference-point"),
                                         std::pair("semi-recursive", "relative"), std::pair("groups", ""),
                                         std::pair("augmented-lagrangian", "natural")),
                         [](const auto& one) { return test::test_name(std::string(one.param.first)); });

// Newton and Euler for the nut alone; force and moment of the thread along its axis do no work together.
TEST(Helical, ReactionBalancesItsBody) {
  test::SimulatedCase run(test::mechanism_of_text(R"(mechanism: nut
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {mass: 1.5, center_of_mass: O, inertia: [0.02, 0.02, 0.02], points: {O: [0, 0, 0]}}}
joints: {A: {helical: [ground.O, nut.O], axis: z, lead: 0.3}}
forces: {motor: {joint: A, torque: 2 N*m}}
)"),
                          0.3, {});
  ASSERT_TRUE(run.advance_to(0.2));
  const MechanismMotion motion =
      test::accelerated(*dynamics::make_formulation("multipliers", run.c.model), run.bodies, 0.2);
  dynamics::Reactions reactions(run.c.model);
  reactions.solve_or_throw(0.2, motion, run.c.model.forces().empty_memory());
  const dynamics::JointReaction& thread = reactions.joints()[0];
  EXPECT_NEAR(thread.force.z(), 1.5 * (motion[1].a_WB_W.z() + 9.81), 1e-9);
  EXPECT_NEAR(thread.moment.z(), 0.02 * motion[1].alpha_WB_W.z() - 2.0, 1e-9);
  EXPECT_NEAR(thread.force.z() * 0.3 / (2.0 * pi) + thread.moment.z(), 0.0, 1e-9);
}

TEST(Helical, IsWrittenAsItIs) {
  const model::Mechanism mechanism = test::mechanism_of_text(kJack);
  EXPECT_EQ(test::mechanism_of_text(io::write_mechanism(mechanism)), mechanism);
}

}  // namespace
}  // namespace eslabon
