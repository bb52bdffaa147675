// Followers by law: what is driven against closed forms in every kinematic method, what moves by forces against an independent integration
// in every formulation, the force in the contact against Newton's and Euler's laws of single bodies, and where a table ends.
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "tests/driven_run.hpp"
#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/linearisation.hpp"
#include "eslabon/integration/law_watch.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"

namespace eslabon {
namespace {

using coordinates::MechanismMotion;
using std::numbers::pi;
using testing::HasSubstr;

constexpr double kClosed = 1e-9;

/// A cam on a shaft and a slide that follows it; `law` stands behind 'of: shaft, '.
model::Mechanism cam(const std::string& law, const std::string& rest, const std::string& coupling_rest = "") {
  return test::mechanism_of_text(R"(mechanism: cam
plane: xy
gravity: [0, -9.81]
ground: {points: {C: [0, 0], F: [0, 0.1]}}
bodies:
  cam:      {mass: 1.5, center_of_mass: C, inertia: 2e-3, points: {C: [0, 0]}}
  follower: {mass: 0.4, center_of_mass: F, inertia: 1e-4, points: {F: [0, 0]}}
joints:
  shaft: {revolute: [ground.C, cam.C]}
  guide: {prismatic: [ground.F, follower.F], axis: y}
couplings: {profile: {follows: {joint: guide, of: shaft, )" +
                                 law + "}" + coupling_rest + "}}\n" + rest + "\n");
}

/// Rows of a function of the angle.
std::string rows(double (*f)(double), double first, double last, int count) {
  std::string text;
  for (int i = 0; i <= count; ++i) {
    const double x = i == count ? last : first + (last - first) * i / count;
    text += (i == 0 ? "[" : ", [") + core::number_text(x) + " rad, " + core::number_text(f(x)) + "]";
  }
  return "table: [" + text + "]";
}

class FollowerMotion : public test::EveryWay {};

TEST_P(FollowerMotion, ByAnExpressionIsTheExpression) {
  const double until = 7.0, w = 3.0;
  test::DrivenRun run(cam("expression: = 20 mm*(1 - cos(shaft.q)) + 3 mm*sin(2*shaft.q)",
                          "drivers: {motor: {joint: shaft, speed: 3 rad/s, start: 0.4}}", ", offset: 5 mm"),
                      until, method(), kind());
  for (const double t : {0.0, 0.5, 2.2, until}) {
    ASSERT_TRUE(run.advance_to(t));
    const double x = 0.4 + w * t;
    EXPECT_NEAR(run.value("guide.q"), 0.005 + 0.02 * (1.0 - std::cos(x)) + 0.003 * std::sin(2.0 * x),
                kClosed);
    EXPECT_NEAR(run.value("guide.v"), w * (0.02 * std::sin(x) + 0.006 * std::cos(2.0 * x)), kClosed);
    EXPECT_NEAR(run.value("guide.a"), w * w * (0.02 * std::cos(x) - 0.012 * std::sin(2.0 * x)), 1e-8);
  }
}

double lifted(double x) { return 0.01 * (1.0 - std::cos(x)); }

// A periodic table over some turns; its error is 5/384 h⁴ max |f''''| [Hall 1968].
TEST_P(FollowerMotion, ByAPeriodicTableIsTheFunctionOfItsRows) {
  const double until = 12.0, h = 2.0 * pi / 60.0;
  test::DrivenRun run(cam(rows(lifted, 0.0, 2.0 * pi, 60) + ", period: 360 deg",
                          "drivers: {motor: {joint: shaft, speed: -4 rad/s, start: 0}}"),
                      until, method(), kind());
  for (const double t : {0.3, 1.6, 7.7, until}) {
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(run.value("guide.q"), lifted(-4.0 * t), 1.01 * 5.0 / 384.0 * std::pow(h, 4) * 0.01);
    EXPECT_NEAR(run.value("guide.v"), -4.0 * 0.01 * std::sin(-4.0 * t), 4.0 * 0.01 * std::pow(h, 3));
    EXPECT_NEAR(run.value("guide.a"), 16.0 * 0.01 * std::cos(-4.0 * t), 16.0 * 0.01 * std::pow(h, 2));
  }
}

double polynomial(double x) { return 0.02 + 0.004 * x - 0.0005 * x * x + 0.00004 * x * x * x; }

// One way of a table over three turns, which the angle counts: rows on a cubic give that cubic.
TEST_P(FollowerMotion, ByATableOfSeveralTurnsCountsThem) {
  test::DrivenRun run(
      cam(rows(polynomial, -4.0, 16.0, 7), "drivers: {motor: {joint: shaft, speed: 2 rad/s, start: -3.5}}"),
      9.0, method(), kind());
  for (const double t : {0.0, 1.0, 4.0, 8.5, 9.0}) {
    ASSERT_TRUE(run.advance_to(t));
    const double x = -3.5 + 2.0 * t;
    EXPECT_NEAR(run.value("guide.q"), polynomial(x), kClosed);
    EXPECT_NEAR(run.value("guide.a"), 4.0 * (-0.001 + 0.00024 * x), 1e-8);
  }
}

// An indexing table of a shaft that turns: each turn of the cam adds a quarter turn. The follower is driven by what it follows, in chain.
TEST_P(FollowerMotion, OfATableThatRisesGoesOn) {
  test::DrivenRun run(test::mechanism_of_text(R"(mechanism: indexing
plane: xy
ground: {points: {C: [0, 0], D: [0.2, 0]}}
bodies: {cam: {points: {C: [0, 0]}}, table: {points: {D: [0, 0]}}}
joints: {shaft: {revolute: [ground.C, cam.C]}, index: {revolute: [ground.D, table.D]}}
couplings:
  step: {follows: {joint: index, of: shaft, period: 360 deg, rise: 90 deg,
    table: [[0, 0], [90 deg, 0], [150 deg, 20 deg], [210 deg, 70 deg], [270 deg, 90 deg], [360 deg, 90 deg]]}}
drivers: {motor: {joint: shaft, speed: 2 rad/s, start: 0}}
)"),
                      10.0, method(), kind());
  ASSERT_TRUE(run.advance_to(2.5 * pi));  // two and a half turns: at the middle of the rise
  EXPECT_NEAR(test::turn_difference(run.value("index.q"), (2.0 * 90.0 + 45.0) * pi / 180.0), 0.0, 1e-7);
  ASSERT_TRUE(run.advance_to(3.0 * pi));
  EXPECT_NEAR(test::turn_difference(run.value("index.q"), 1.5 * pi), 0.0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Ways, FollowerMotion, test::every_way(), test::way_name);

TEST(FollowerStructure, IsThatOfOneRow) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/disc-cam.yaml", {});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 1);
  EXPECT_EQ(structure.num_redundant(), 0);
  ASSERT_EQ(structure.groups.size(), 2U);
  EXPECT_EQ(structure.groups[0].type, "1R");
  EXPECT_EQ(structure.groups[1].type, "1G1P");
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  ASSERT_TRUE(assembly.usable());
  for (const std::string& kind : coordinates::layout_names()) {
    const coordinates::ConstraintSystem system(kind, mechanism, structure, {});
    EXPECT_EQ(kinematics::explain_redundancy(system, assembly.bodies).mobility, 1) << kind;
  }
}

/// Every formulation, each in one kind of coordinates.
class FollowerFormulation : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  test::Way way() const {
    test::Way exact{.formulation = GetParam().first, .kind = GetParam().second};
    exact.options.rtol = 1e-11;
    exact.options.atol = 1e-13;
    return exact;
  }
};

constexpr const char* kThrown = "expression: = 30 mm*(1 - cos(shaft.q)) + 6 mm*sin(3*shaft.q)";

/// θ̈ of a cam of inertia I under a follower m:  (I + m f'²) θ̈ = −m f' (f'' θ̇² + g), by the fourth-order rule of Runge and Kutta in steps so
/// small that halves change nothing.
std::array<double, 2> thrown_cam(double start, double rate, double until, int steps) {
  const auto acceleration = [](double x, double v) {
    const double slope = 0.03 * std::sin(x) + 0.018 * std::cos(3.0 * x);
    const double bend = 0.03 * std::cos(x) - 0.054 * std::sin(3.0 * x);
    return -0.4 * slope * (bend * v * v + 9.81) / (2e-3 + 0.4 * slope * slope);
  };
  const double h = until / steps;
  double x = start, v = rate;
  for (int i = 0; i < steps; ++i) {
    const double a1 = acceleration(x, v), x2 = x + 0.5 * h * v, v2 = v + 0.5 * h * a1,
                 a2 = acceleration(x2, v2);
    const double x3 = x + 0.5 * h * v2, v3 = v + 0.5 * h * a2, a3 = acceleration(x3, v3);
    const double x4 = x + h * v3, v4 = v + h * a3, a4 = acceleration(x4, v4);
    x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return {x, v};
}

// Against an integration that shares no code; energy stays over some turns.
TEST_P(FollowerFormulation, MovesAsAnIndependentIntegrationSays) {
  const double until = 1.5;
  test::SimulatedCase run(cam(kThrown, "assembly: {shaft.q: 0.3, shaft.v: 22 rad/s}"), until, way());
  const auto energy = [&] {
    return dynamics::kinetic_energy(run.c.mechanism, run.bodies) + 0.4 * 9.81 * run.value("guide.q");
  };
  const double before = energy();
  ASSERT_TRUE(run.advance_to(until));
  const auto [x, v] = thrown_cam(0.3, 22.0, until, 60000);
  const auto [x_coarse, v_coarse] = thrown_cam(0.3, 22.0, until, 30000);
  ASSERT_NEAR(v, v_coarse, 1e-10);
  EXPECT_GT(x, 2.0 * pi);
  EXPECT_NEAR(test::turn_difference(run.value("shaft.q"), x), 0.0, 1e-7);
  EXPECT_NEAR(run.value("shaft.v"), v, 1e-6);
  EXPECT_NEAR(energy(), before, 1e-9 * before);
  EXPECT_LE(run.simulation.constraint_error(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Formulations, FollowerFormulation,
                         testing::Values(std::pair("null-space", "natural"),
                                         std::pair("multipliers", "reference-point"),
                                         std::pair("semi-recursive", "relative"), std::pair("groups", ""),
                                         std::pair("augmented-lagrangian", "natural")),
                         [](const auto& one) { return test::test_name(std::string(one.param.first)); });

// crosscheck: all formulations in all coordinates, and the reduced motion that filters and compiled programs stand on.
TEST(Follower, AcceleratesAlikeInAllFormulations) {
  for (const std::string& law :
       {std::string(kThrown), rows(lifted, -1.0, 2.0 * pi - 1.0, 20) + ", period: 360 deg"}) {
    const test::DynamicCase c(cam(law, "assembly: {shaft.q: 1.1}"));
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const MechanismMotion motion = test::random_motion(c.model, seed, 3.0);
      const auto reference = dynamics::make_formulation("multipliers", c.model, {.kind = "relative"});
      const MechanismMotion expected = test::accelerated(*reference, motion);
      const auto distance = [&](const MechanismMotion& a) {
        return (a[1].alpha_WB_W - expected[1].alpha_WB_W).norm() + (a[2].a_WB_W - expected[2].a_WB_W).norm();
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
}

// Newton for the follower, Euler for the cam: the force along the follower, and −f' times it about the cam.
TEST(Follower, PushesByTheSlopeOfItsLaw) {
  test::SimulatedCase run(cam(kThrown, "assembly: {shaft.q: 0.3, shaft.v: 14 rad/s}"), 0.4, {});
  ASSERT_TRUE(run.advance_to(0.37));
  const MechanismMotion motion =
      test::accelerated(*dynamics::make_formulation("multipliers", run.c.model), run.bodies, 0.37);
  dynamics::Reactions reactions(run.c.model);
  reactions.solve_or_throw(0.37, motion, run.c.model.forces().empty_memory());
  const double effort = reactions.couplings()[0].effort, x = run.value("shaft.q");
  EXPECT_NEAR(effort, 0.4 * (motion[2].a_WB_W.y() + 9.81), 1e-9);
  const double slope = 0.03 * std::sin(x) + 0.018 * std::cos(3.0 * x);
  EXPECT_NEAR(2e-3 * motion[1].alpha_WB_W.z(), -slope * effort, 1e-9);
  EXPECT_TRUE(reactions.couplings()[0].is_unique);
  EXPECT_LE(reactions.residual(), 1e-10);
}

// At rest where weight and a spring on the cam agree: m g f' = −k θ; about it θ̈ (I + m f'²) = −(k + m g f'') θ.
TEST(Follower, RestsAndSwingsInClosedForm) {
  const test::DynamicCase c(
      cam("expression: = 30 mm*sin(shaft.q)", "springs: {s: {joint: shaft, stiffness: 0.5 N*m/rad}}"));
  dynamics::FreedomChart chart(c.model, dynamics::FreedomChart::Drivers::kHeld, "relative");
  dynamics::State start;
  ASSERT_EQ(chart.start(0.0, start), dynamics::ChartStatus::kGood);
  const dynamics::EquilibriumReport report = dynamics::find_equilibrium(chart, start);
  ASSERT_TRUE(report.usable());
  const double weight = 0.4 * 9.81 * 0.03;
  double x = 0.0;
  for (int i = 0; i < 60; ++i) x -= (0.5 * x + weight * std::cos(x)) / (0.5 - weight * std::sin(x));
  EXPECT_NEAR(kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, "shaft.q"),
                                   report.equilibrium->bodies),
              x, 1e-9);
  const double slope = 0.03 * std::cos(x),
               square = (0.5 - weight * std::sin(x)) / (2e-3 + 0.4 * slope * slope);
  EXPECT_NEAR(*report.equilibrium->softest_square, square, 1e-6 * square);
}

// Written and read again it is the same mechanism, tables and expressions, turned round or not.
TEST(Follower, IsWrittenAsItIs) {
  for (const std::string& law : {std::string(kThrown), rows(lifted, 0.0, 2.0 * pi, 12) + ", period: 360 deg",
                                 rows(polynomial, -4.0, 16.0, 7)}) {
    const model::Mechanism mechanism = cam(law, "", ", offset: 2 mm");
    EXPECT_EQ(test::mechanism_of_text(io::write_mechanism(mechanism)), mechanism);
  }
}

std::string why_not(integration::LawWatch& watch, double t, const MechanismMotion& bodies) {
  try {
    watch.look(t, bodies);
    return "";
  } catch (const core::ModelError& error) {
    return error.what();
  }
}

TEST(Follower, ThatLeavesItsTableIsNamed) {
  test::DrivenRun run(
      cam(rows(polynomial, -4.0, 10.0, 7), "drivers: {motor: {joint: shaft, speed: 2 rad/s, start: -3.5}}"),
      9.0, "global", "natural");
  integration::LawWatch watch(run.mechanism, run.assembly);
  for (const double t : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.75}) {
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_EQ(why_not(watch, t, run.bodies), "") << t;
  }
  ASSERT_TRUE(run.advance_to(7.0));
  EXPECT_THAT(why_not(watch, 7.0, run.bodies),
              HasSubstr("a follower leaves its table [coupling 'profile', t = 7 s]: expected 'shaft.q' from "
                        "-4 to 10 rad, got"));
}

}  // namespace
}  // namespace eslabon
