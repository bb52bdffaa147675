// Machines with gears, racks and screws that move by forces: every formulation against the others and against closed forms, forces of
// teeth against Newton's and Euler's laws of single bodies.
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/linearisation.hpp"
#include "eslabon/dynamics/statics/modes.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;
using std::numbers::pi;

model::Mechanism load(const std::string& name) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
}

double distance(const MechanismMotion& a, const MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 1; i < a.size(); ++i)
    largest =
        std::max({largest, (a[i].alpha_WB_W - b[i].alpha_WB_W).norm(), (a[i].a_WB_W - b[i].a_WB_W).norm()});
  return largest;
}

class CoupledMachine : public testing::TestWithParam<std::string> {};

// crosscheck: kinds of coordinates and formulations share the factors of the couplings and nothing else.
TEST_P(CoupledMachine, AcceleratesAlikeInAllFormulations) {
  const test::DynamicCase c(test::released(load(GetParam())));
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const MechanismMotion motion = test::random_motion(c.model, seed, 3.0);
    const auto reference = make_formulation("multipliers", c.model, {.kind = "relative"});
    const MechanismMotion expected = test::accelerated(*reference, motion);
    const double size = distance(expected, MechanismMotion(expected.size()));
    int seen = 0;
    std::vector<std::string> kinds = coordinates::layout_names();
    kinds.emplace_back();  // groups have none
    for (const std::string& name : formulation_names())
      for (const std::string& kind : kinds) {
        std::unique_ptr<Formulation> formulation;
        try {
          formulation = make_formulation(name, c.model, {.kind = kind});
        } catch (const core::ModelError&) {
          continue;  // semi-recursive has one kind
        }
        EXPECT_LE(distance(test::accelerated(*formulation, motion), expected), 1e-9 * size)
            << name << ", " << kind;
        EXPECT_LE(formulation->constraint_error(formulation->state_of(motion, 0.0)), 1e-9)
            << name << ", " << kind;
        ++seen;
      }
    EXPECT_GE(seen, 15);
    ReducedMotion reduced(c.model, {});
    EXPECT_LE(distance(reduced.point_of(motion, 0.0).bodies, expected), 1e-9 * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CoupledMachine,
                         testing::Values("planetary-gearbox", "differential", "rack-and-pinion",
                                         "screw-press", "scara-with-belt"),
                         [](const auto& model) { return test::test_name(model.param); });

/// Every formulation, each in one kind of coordinates.
class CoupledFormulation : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  test::Way way() const { return {.formulation = GetParam().first, .kind = GetParam().second}; }
};

/// As models/planetary-gearbox.yaml with the brake on and a torque on the sun.
model::Mechanism braked_gearbox(const std::string& text_of_forces) {
  return io::read_mechanism(R"(mechanism: braked gearbox
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  carrier: {mass: 1.2, center_of_mass: O, inertia: 1.4e-3, points: {O: [0, 0], A: [48 mm, 0]}}
  sun:     {mass: 0.14, center_of_mass: O, inertia: 4e-5, points: {O: [0, 0]}}
  planet:  {mass: 0.42, center_of_mass: A, inertia: 1.2e-4, points: {A: [0, 0]}}
  ring:    {mass: 0.9, center_of_mass: O, inertia: 5.2e-3, points: {O: [0, 0]}}
joints:
  C: {revolute: [ground.O, carrier.O]}
  S: {revolute: [carrier.O, sun.O]}
  P: {revolute: [planet.A, carrier.A]}
  R: {revolute: [carrier.O, ring.O]}
couplings:
  inner: {gear: {joints: [S, P], teeth: [24, 24]}}
  outer: {gear: {joints: [P, R], teeth: [24, -72]}}
drivers: {brake: {body: ring, position: 0}}
forces: {motor: {body: sun, torque: )" +
                                text_of_forces + "}}\n",
                            "gearbox");
}

// The carrier turns at 1/4 of the sun, the planet at (1/4)(1 − z_ring/z_planet) = −1/2; from it the inertia that the sun feels.
TEST_P(CoupledFormulation, AGearboxHasItsReflectedInertia) {
  const double torque = 0.04, arm = 0.048, until = 0.6;
  test::SimulatedCase run(braked_gearbox("0.04"), until, way());
  const double inertia = 4e-5 + (1.4e-3 + 0.42 * arm * arm) / 16.0 + 1.2e-4 / 4.0;
  for (const double t : {0.2, until}) {
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(run.value("sun.rate"), torque / inertia * t, 1e-6 * torque / inertia * t);
    EXPECT_NEAR(run.value("carrier.rate"), 0.25 * torque / inertia * t, 1e-6 * torque / inertia * t);
    EXPECT_NEAR(run.value("planet.rate"), -0.5 * torque / inertia * t, 1e-6 * torque / inertia * t);
  }
  EXPECT_GT(0.5 * torque / inertia * until * until / (2.0 * pi), 5.0);  // turns of the sun
}

// With both wheels free the torque of the engine is split in halves, up to what their inertias make of the difference.
TEST_P(CoupledFormulation, ADifferentialSplitsTheTorque) {
  const double until = 2.0, torque = 40.0;
  test::SimulatedCase run(load("differential"), until, way());
  ASSERT_TRUE(run.advance_to(until));
  // T = ½ A Ω² + B Ω u + ½ C u²,  wheels at Ω ± u, the planet at 1.6 u about its own axis
  const double left = 0.6, right = 0.75, A = 0.02 + 1e-4 + left + right, B = left - right,
               C = left + right + 1.6 * 1.6 * 1.6e-4;
  const double housing = torque * C / (A * C - B * B), u = -torque * B / (A * C - B * B);
  EXPECT_NEAR(run.value("left.wx"), (housing + u) * until, 1e-6 * housing);
  EXPECT_NEAR(run.value("right.wx"), (housing - u) * until, 1e-6 * housing);
  EXPECT_NEAR(run.value("H.v"), housing * until, 1e-6 * housing);
}

// A mass m + I/r² on a spring.
TEST_P(CoupledFormulation, ARackSwingsAsOneMass) {
  const double r = 0.025, k = 4000.0, F = 2.0 / r, mass = 1.5 + 0.5 * 0.8;
  const double w = std::sqrt(k / mass), until = 0.4;
  test::SimulatedCase run(load("rack-and-pinion"), until, way());
  for (const double t : {0.1, until}) {
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(run.value("G.q"), F / k * (1.0 - std::cos(w * t)), 1e-8);
    EXPECT_NEAR(run.value("A.v"), F / k * w * std::sin(w * t) / r, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, CoupledFormulation,
                         testing::Values(std::pair("null-space", "natural"),
                                         std::pair("multipliers", "reference-point"),
                                         std::pair("semi-recursive", "relative"), std::pair("groups", ""),
                                         std::pair("augmented-lagrangian", "natural")),
                         [](const auto& one) { return test::test_name(std::string(one.param.first)); });

/// A model without its drivers, and with start rates.
model::Mechanism thrown(const std::string& name, const std::string& rates) {
  std::ifstream file(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.resize(text.find("drivers:\n"));  // and outputs, which name them
  text += "assembly: {" + rates + "}\n";
  return io::read_mechanism(text, name);
}

// invariant: couplings do no work, over some turns of the sun and of the arm.
TEST_P(CoupledFormulation, EnergyStays) {
  for (const auto& [model, rates] :
       {std::pair("planetary-gearbox", "sun.rate: 60 rad/s, ring.rate: -10 rad/s"),
        std::pair("scara-with-belt", "upper.rate: 3 rad/s, pulley.rate: -8 rad/s")}) {
    SCOPED_TRACE(model);
    test::Way exact = way();
    exact.options.rtol = 1e-11;
    exact.options.atol = 1e-13;
    test::SimulatedCase run(thrown(model, rates), 0.6, exact);
    const auto energy = [&] { return kinetic_energy(run.c.mechanism, run.bodies); };
    const double before = energy();
    ASSERT_TRUE(run.advance_to(0.6));
    EXPECT_NEAR(energy(), before, 1e-9 * before);
    EXPECT_LE(run.simulation.constraint_error(), 1e-9);
  }
}

double solved(Reactions& reactions, const model::Mechanism& mechanism, const std::string& coupling) {
  return reactions.couplings()[std::get<model::CouplingIndex>(*mechanism.find(coupling)).slot()].effort;
}
Vector3d force_in(const Reactions& reactions, const model::Mechanism& mechanism, const std::string& joint) {
  return reactions.joints()[std::get<model::JointIndex>(*mechanism.find(joint)).slot()].force;
}

// Newton and Euler for each body alone: tooth forces in the pitch points, written down here from the radii 24, 24 and 72 mm of the wheels.
TEST(ToothForces, BalanceEveryBodyOfAGearbox) {
  test::SimulatedCase run(braked_gearbox("= 0.8 + 0.3*sin(t)"), 0.2, {});
  ASSERT_TRUE(run.advance_to(0.137));
  const model::Mechanism& mechanism = run.c.mechanism;
  const auto formulation = make_formulation("multipliers", run.c.model);
  const MechanismMotion motion = test::accelerated(*formulation, run.bodies, 0.137);
  Reactions reactions(run.c.model);
  reactions.solve_or_throw(0.137, motion, run.c.model.forces().empty_memory());
  EXPECT_LE(reactions.residual(), 1e-10);
  const auto body = [&](const std::string& name) -> const coordinates::BodyMotion& {
    return motion[std::get<model::BodyIndex>(*mechanism.find(name)).slot()];
  };
  const double angle = run.value("carrier.angle"), radius = 0.024;
  const Vector3d across(-std::sin(angle), std::cos(angle), 0.0);  // along the motion of the planet's centre
  // Sun: I α = torque + effort; the tooth force on it is effort/radius.
  const double inner = solved(reactions, mechanism, "inner"), outer = solved(reactions, mechanism, "outer");
  EXPECT_NEAR(4e-5 * body("sun").alpha_WB_W.z(), 0.8 + 0.3 * std::sin(0.137) + inner, 1e-9);
  const double on_planet_inside = -inner / radius;  // opposite to that on the sun
  const double on_planet_outside =
      (1.2e-4 * body("planet").alpha_WB_W.z() + radius * on_planet_inside) / radius;
  // Planet, about its axis: the inner force has the lever −radius, the outer one +radius; P is written from the planet to the carrier,
  // so that its effort is a torque on the carrier.
  EXPECT_NEAR(1.2e-4 * body("planet").alpha_WB_W.z(), -radius * on_planet_inside + radius * on_planet_outside,
              1e-10);
  EXPECT_NEAR(outer, -radius * on_planet_outside, 1e-9);
  // Planet: what the bearing and both teeth give is m a of its centre; the bearing feels the tooth forces.
  const Vector3d bearing = -force_in(reactions, mechanism, "P");
  EXPECT_LE((bearing + (on_planet_inside + on_planet_outside) * across - 0.42 * body("planet").a_WB_W).norm(),
            1e-8);
  EXPECT_GT(bearing.norm(), 10.0);
  // Carrier, about its axis: the bearing of the planet turns it, and nothing else.
  const Vector3d arm = 0.048 * Vector3d(std::cos(angle), std::sin(angle), 0.0);
  EXPECT_NEAR(1.4e-3 * body("carrier").alpha_WB_W.z(), arm.cross(-bearing).z(), 1e-9);
  for (const JointReaction& joint : reactions.joints()) EXPECT_LE(joint.moment.norm(), 1e-9);
}

// The pinion's bearing feels the force of the teeth along the rack; the rack's guide does not.
TEST(ToothForces, OfARackAreInItsPinionsBearing) {
  test::SimulatedCase run(load("rack-and-pinion"), 0.2, {});
  ASSERT_TRUE(run.advance_to(0.1));
  const MechanismMotion motion =
      test::accelerated(*make_formulation("multipliers", run.c.model), run.bodies, 0.1);
  Reactions reactions(run.c.model);
  reactions.solve_or_throw(0.1, motion, run.c.model.forces().empty_memory());
  const double a = motion[2].a_WB_W.x(), spring = -4000.0 * run.value("G.q");
  const double on_rack = 1.5 * a - spring;
  EXPECT_NEAR(solved(reactions, run.c.mechanism, "mesh"), -on_rack * 0.025, 1e-8);
  EXPECT_LE((force_in(reactions, run.c.mechanism, "A") - Vector3d(on_rack, 0.0, 0.0)).norm(), 1e-7);
  // The teeth are at the pitch line through the rack's own point: nothing turns it.
  EXPECT_LE(reactions.joints()[1].moment.norm(), 1e-8);
}

// At rest the ram presses with the torque times 2π over the lead; about it spindle and ram swing as one mass.
TEST(ScrewPress, PressesAndSwingsInClosedForm) {
  const test::DynamicCase c(load("screw-press"));
  FreedomChart chart(c.model, FreedomChart::Drivers::kHeld, "relative");
  State start;
  ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
  const EquilibriumReport report = find_equilibrium(chart, start);
  ASSERT_TRUE(report.usable());
  const double lead = 0.012, force = 30.0 * 2.0 * pi / lead;
  EXPECT_NEAR(kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, "slide.q"),
                                   report.equilibrium->bodies),
              force / 2e6, 1e-12);
  const double n = 2.0 * pi / lead, square = 2e6 / (80.0 + 6.0 * n * n);
  EXPECT_NEAR(*report.equilibrium->softest_square, square, 1e-9 * square);
}

// dynamics in closed form: the spindle's inertia counts (2π/lead)² times.
TEST(ScrewPress, SwingsInAllFormulations) {
  const double lead = 0.012, n = 2.0 * pi / lead, mass = 80.0 + 6.0 * n * n, w = std::sqrt(2e6 / mass);
  for (const auto& [formulation, kind] :
       {std::pair("null-space", "natural"), std::pair("groups", ""), std::pair("semi-recursive", "relative"),
        std::pair("multipliers", "reference-point")}) {
    SCOPED_TRACE(formulation);
    test::SimulatedCase run(load("screw-press"), 3.0, {.formulation = formulation, .kind = kind});
    ASSERT_TRUE(run.advance_to(3.0));
    EXPECT_NEAR(run.value("slide.q"), 30.0 * n / 2e6 * (1.0 - std::cos(w * 3.0)), 1e-9);
  }
}

}  // namespace
}  // namespace eslabon::dynamics
