// Circles that roll on circles: epicycloids, hypocycloids and Cardan's straight line over many turns in every kinematic method, planets
// against Willis, the pendulum of a cylinder in a cylinder in every formulation with the forces of its contact.
#include <array>
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
using std::numbers::pi;

constexpr double kClosed = 1e-9;

/// A wheel of 30 mm; `base` is 'on: …' or 'inside: …'.
model::Mechanism wheel(const std::string& base, double rim) {
  return test::mechanism_of_text(
      "mechanism: wheel\nplane: xy\nground: {points: {O: [0.2, 0.1]}}\nbodies: {w: {mass: 1, shape: "
      "{disc: 30 mm}, points: {C: [0, 0], T: [" +
      std::to_string(rim) + ", 0]}}}\njoints: {J: {rolling: [ground.O, w.C], axis: x, radius: 30 mm, " +
      base + "}}\ndrivers: {d: {joint: J.q1, position: = 2*t + 0.3*sin(t)}}\n");
}

class RollingCircles : public test::EveryWay {};

// The rim point that touches at the start: of a wheel outside at −r, inside at r.
TEST_P(RollingCircles, DrawEpicycloidsAndHypocycloids) {
  const double r = 0.03;
  for (const auto& [base, R, sense] :
       {std::tuple("on: 100 mm", 0.1, 1.0), std::tuple("inside: 100 mm", 0.1, -1.0),
        std::tuple("inside: 60 mm", 0.06, -1.0), std::tuple("on: 12 mm", 0.012, 1.0)}) {
    SCOPED_TRACE(base);
    test::DrivenRun run(wheel(base, -sense * r), 20.0, method(), kind());
    const double d = R + sense * r, ratio = d / r;
    for (const double t : {0.0, 0.9, 5.3, 20.0}) {
      ASSERT_TRUE(run.advance_to(t));
      const double q = 2.0 * t + 0.3 * std::sin(t), v = 2.0 + 0.3 * std::cos(t), turn = sense * ratio * q;
      EXPECT_NEAR(run.value("w.T.x"), 0.2 + d * std::cos(q) - sense * r * std::cos(turn), kClosed);
      EXPECT_NEAR(run.value("w.T.y"), 0.1 + d * std::sin(q) - sense * r * std::sin(turn), kClosed);
      EXPECT_NEAR(run.value("w.rate"), sense * ratio * v, 1e-8);
      EXPECT_NEAR(run.value("J.a2"), -sense * ratio * 0.3 * std::sin(t), 1e-7);
    }
  }
}

// Cardan: in a ring of twice its size the point of the rim stays on a diameter.
TEST_P(RollingCircles, OfCardanDrawStraightLines) {
  test::DrivenRun run(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/pairs/cardan-circles.yaml", {}), 4.0,
      method(), kind());
  for (const double t : {0.0, 0.31, 1.0, 3.7}) {
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(run.value("wheel.T.x"), 0.12 * std::cos(2.0 * pi * t), kClosed);
    EXPECT_NEAR(run.value("wheel.T.y"), 0.0, kClosed);
    EXPECT_NEAR(run.value("wheel.T.vy"), 0.0, 1e-8);
  }
}

// A planet that rolls on a sun that turns: (ω_planet − ω_arm)/(ω_sun − ω_arm) = −R/r, over fifteen turns.
TEST_P(RollingCircles, OfAPlanetAreWillisFormula) {
  test::DrivenRun run(test::mechanism_of_text(R"(mechanism: planet
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  sun:    {points: {O: [0, 0]}}
  arm:    {points: {O: [0, 0]}}
  planet: {points: {C: [0, 0]}}
joints:
  S: {revolute: [ground.O, sun.O]}
  A: {revolute: [ground.O, arm.O]}
  P: {slot: [arm.O, planet.C], axis: x}
  J: {rolling: [sun.O, planet.C], axis: x, radius: 25 mm, on: 40 mm}
drivers: {s: {joint: S, speed: -3, start: 0}, a: {joint: A, speed: 5, start: 0}}
assembly: {P.q1: 65 mm, planet.angle: 0}
)"),
                      20.0, method(), kind());
  ASSERT_TRUE(run.advance_to(20.0));
  EXPECT_NEAR(run.value("planet.rate"), 5.0 + 8.0 * 40.0 / 25.0, 1e-8);
  EXPECT_NEAR(test::turn_difference(run.value("planet.angle"), 20.0 * (5.0 + 8.0 * 40.0 / 25.0)), 0.0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Ways, RollingCircles, test::every_way(), test::way_name);

model::Mechanism pendulum() {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/pairs/cylinder-in-cylinder.yaml", {});
}

TEST(RollingCircle, LeavesOneDegreeOfFreedom) {
  const model::Mechanism mechanism = pendulum();
  const structure::Structure structure = structure::analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 1);
  EXPECT_EQ(structure.num_redundant(), 0);
  ASSERT_EQ(structure.groups.size(), 1U);
  EXPECT_EQ(structure.groups[0].type, "1A1G");
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  ASSERT_TRUE(assembly.usable());
  for (const std::string& kind : coordinates::layout_names()) {
    const coordinates::ConstraintSystem system(kind, mechanism, structure, {});
    EXPECT_EQ(kinematics::explain_redundancy(system, assembly.bodies).mobility, 1) << kind;
  }
}

class RollingFormulation : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  test::Way way() const {
    test::Way exact{.formulation = GetParam().first, .kind = GetParam().second};
    exact.options.rtol = 1e-11;
    exact.options.atol = 1e-13;
    return exact;
  }
};

/// 3/2 (R − r) φ̈ = −g sin φ, by the fourth-order rule of Runge and Kutta.
std::array<double, 2> swung(double x, double until, int steps) {
  const double square = 9.81 / (1.5 * 0.42), h = until / steps;
  double v = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double a1 = -square * std::sin(x), v2 = v + 0.5 * h * a1, a2 = -square * std::sin(x + 0.5 * h * v);
    const double v3 = v + 0.5 * h * a2, a3 = -square * std::sin(x + 0.5 * h * v2);
    const double v4 = v + h * a3, a4 = -square * std::sin(x + h * v3);
    x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return {x, v};
}

TEST_P(RollingFormulation, ACylinderInACylinderIsAPendulum) {
  const double until = 3.0;
  test::SimulatedCase run(pendulum(), until, way());
  const auto energy = [&] {
    return dynamics::kinetic_energy(run.c.mechanism, run.bodies) +
           dynamics::potential_energy(run.c.mechanism, run.bodies, {});
  };
  const double before = energy();
  ASSERT_TRUE(run.advance_to(until));
  const auto [x, v] = swung(50.0 * pi / 180.0, until, 20000);
  EXPECT_NEAR(run.value("rolls.q1"), x, 1e-8);
  EXPECT_NEAR(run.value("rolls.v1"), v, 1e-7);
  EXPECT_NEAR(run.value("rolls.v2"), -0.42 / 0.08 * v, 1e-6);
  EXPECT_NEAR(energy(), before, 1e-9 * std::abs(before));
  EXPECT_LE(run.simulation.constraint_error(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Formulations, RollingFormulation,
                         testing::Values(std::pair("null-space", "natural"),
                                         std::pair("multipliers", "reference-point"),
                                         std::pair("semi-recursive", "relative"), std::pair("groups", ""),
                                         std::pair("augmented-lagrangian", "natural")),
                         [](const auto& one) { return test::test_name(std::string(one.param.first)); });

// The contact: m (g cos φ + (R − r) φ̇²) across, m g sin φ/3 along, its moment about the centre r times that.
TEST(RollingCircle, HasNormalForceAndFrictionInItsContact) {
  test::SimulatedCase run(pendulum(), 1.0, {});
  ASSERT_TRUE(run.advance_to(0.25));
  const MechanismMotion motion =
      test::accelerated(*dynamics::make_formulation("multipliers", run.c.model), run.bodies, 0.25);
  dynamics::Reactions reactions(run.c.model);
  reactions.solve_or_throw(0.25, motion, run.c.model.forces().empty_memory());
  const double q = run.value("rolls.q1"), v = run.value("rolls.v1");
  const Eigen::Vector3d out(std::sin(q), -std::cos(q), 0.0), along(std::cos(q), std::sin(q), 0.0);
  const dynamics::JointReaction& contact = reactions.joints()[0];
  EXPECT_NEAR(contact.force.dot(out), -3.0 * (9.81 * std::cos(q) + 0.42 * v * v), 1e-8);
  EXPECT_NEAR(contact.force.dot(along), 3.0 * 9.81 * std::sin(q) / 3.0, 1e-8);
  EXPECT_NEAR(contact.moment.z(), 0.08 * 3.0 * 9.81 * std::sin(q) / 3.0, 1e-9);
  EXPECT_NEAR(contact.moment.z(), 0.5 * 3.0 * 0.08 * 0.08 * motion[1].alpha_WB_W.z(), 1e-9);
  EXPECT_LE(reactions.residual(), 1e-10);
}

TEST(RollingCircle, AcceleratesAlikeInAllFormulations) {
  const test::DynamicCase c(pendulum());
  for (const std::uint64_t seed : {1u, 2u}) {
    const MechanismMotion motion = test::random_motion(c.model, seed, 3.0);
    const auto reference = dynamics::make_formulation("multipliers", c.model, {.kind = "relative"});
    const MechanismMotion expected = test::accelerated(*reference, motion);
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
        EXPECT_LE((test::accelerated(*formulation, motion)[1].alpha_WB_W - expected[1].alpha_WB_W).norm(),
                  1e-9 * expected[1].alpha_WB_W.norm())
            << name << ", " << kind;
        ++seen;
      }
    EXPECT_GE(seen, 15);
    dynamics::ReducedMotion reduced(c.model, {});
    EXPECT_LE((reduced.point_of(motion, 0.0).bodies[1].alpha_WB_W - expected[1].alpha_WB_W).norm(),
              1e-9 * expected[1].alpha_WB_W.norm());
  }
}

}  // namespace
}  // namespace eslabon
