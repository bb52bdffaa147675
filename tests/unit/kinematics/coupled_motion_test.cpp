// Driven machines with gears, belts and screws against closed forms, by every kinematic method.
#include <cmath>
#include <numbers>
#include <string>

#include "tests/driven_run.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"

namespace eslabon::kinematics {
namespace {

using std::numbers::pi;

constexpr double kClosed = 1e-9;

model::Mechanism load(const std::string& name) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
}

class CoupledMotion : public test::EveryWay {};

/// Sun, planet, ring and carrier with two of them driven: Willis, (ω_sun − ω_c)/(ω_ring − ω_c) = −z_ring/z_sun.
model::Mechanism gear_train(const std::string& drivers) {
  return io::read_mechanism(R"(mechanism: gear train
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  carrier: {points: {O: [0, 0], A: [48 mm, 0]}}
  sun:     {points: {O: [0, 0]}}
  planet:  {points: {A: [0, 0]}}
  ring:    {points: {O: [0, 0]}}
joints:
  C: {revolute: [ground.O, carrier.O]}
  S: {revolute: [carrier.O, sun.O]}
  P: {revolute: [planet.A, carrier.A]}
  R: {revolute: [carrier.O, ring.O]}
couplings:
  inner: {gear: {joints: [S, P], teeth: [20, 18]}}
  outer: {gear: {joints: [P, R], teeth: [18, -56]}}
drivers: {)" + drivers + "}\n",
                            "train");
}

// Each of the three members is held in turn; ten turns and more of the one that is driven.
TEST_P(CoupledMotion, OfAPlanetaryTrainIsWillisFormula) {
  const double i = 56.0 / 20.0, w = 3.0, until = 25.0;
  const auto speeds = [&](const std::string& drivers) {
    test::DrivenRun run(gear_train(drivers), until, method(), kind());
    EXPECT_TRUE(run.advance_to(until));
    // The turns of a body are counted from what its joints' coordinates add up to at the end.
    return std::array{run.value("sun.rate"),     run.value("ring.rate"), run.value("carrier.rate"),
                      run.value("planet.rate"),  run.value("sun.angle"), run.value("ring.angle"),
                      run.value("carrier.angle")};
  };
  {
    const auto [sun, ring, carrier, planet, a_sun, a_ring, a_carrier] =
        speeds("a: {body: sun, speed: 3}, b: {body: ring, position: 0}");
    EXPECT_NEAR(carrier, w / (1.0 + i), kClosed);
    EXPECT_NEAR(planet, carrier - (w - carrier) * 20.0 / 18.0, kClosed);
    EXPECT_NEAR(test::turn_difference(a_carrier, until * w / (1.0 + i)), 0.0, 1e-7);
  }
  {
    const auto [sun, ring, carrier, planet, a_sun, a_ring, a_carrier] =
        speeds("a: {body: ring, speed: 3}, b: {body: sun, position: 0}");
    EXPECT_NEAR(carrier, w * i / (1.0 + i), kClosed);
    EXPECT_NEAR(test::turn_difference(a_carrier, until * w * i / (1.0 + i)), 0.0, 1e-7);
  }
  {
    const auto [sun, ring, carrier, planet, a_sun, a_ring, a_carrier] =
        speeds("a: {body: sun, speed: 3}, b: {joint: C, position: 0}");
    EXPECT_NEAR(ring, -w / i, kClosed);
    EXPECT_NEAR(test::turn_difference(a_ring, -until * w / i), 0.0, 1e-7);
  }
}

TEST_P(CoupledMotion, OfAScaraWithABeltIsThatOfTwoBars) {
  const double until = 12.0;
  test::DrivenRun run(load("scara-with-belt"), until, method(), kind());
  for (const double t : {0.0, 0.7, 3.0, 6.1, until}) {
    ASSERT_TRUE(run.advance_to(t));
    const double first = 0.4 * std::sin(2.0 * t), second = 1.5 * std::sin(1.3 * t) + 6.0 * t;
    const double fore = first + 0.5 * (second - first);
    EXPECT_NEAR(run.value("forearm.T.x"), 0.3 * std::cos(first) + 0.25 * std::cos(fore), kClosed);
    EXPECT_NEAR(run.value("forearm.T.y"), 0.3 * std::sin(first) + 0.25 * std::sin(fore), kClosed);
    const double first_v = 0.8 * std::cos(2.0 * t), second_v = 1.95 * std::cos(1.3 * t) + 6.0;
    const double fore_v = 0.5 * (first_v + second_v);
    EXPECT_NEAR(run.value("forearm.T.vx"), -0.3 * first_v * std::sin(first) - 0.25 * fore_v * std::sin(fore),
                1e-8);
    const double first_a = -1.6 * std::sin(2.0 * t), second_a = -1.95 * 1.3 * std::sin(1.3 * t);
    EXPECT_NEAR(run.value("forearm.angular_acceleration"), 0.5 * (first_a + second_a), 1e-8);
  }
}

// One screw is a cylindrical joint, the other a turn and a slide of two joints; forty turns.
TEST_P(CoupledMotion, OfScrewsIsTheirLead) {
  const double until = 25.0;
  test::DrivenRun run(io::read_mechanism(R"(mechanism: screws
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {points: {O: [0, 0, 0]}}, table: {points: {O: [0, 0, 0]}}}
joints:
  hole:   {cylindrical: [ground.O, nut.O], axis: [0, 0.6, 0.8]}
  guide: {prismatic: [ground.O, table.O], axis: x}
couplings:
  right: {screw: {joint: hole, lead: 6 mm}}
  left:  {screw: {joints: [hole.q1, guide], lead: -4 mm}, offset: 90 deg}
drivers: {motor: {joint: hole.q1, speed: 10 rad/s}}
)",
                                         "screws"),
                      until, method(), kind());
  for (const double t : {0.0, 1.0, until}) {
    ASSERT_TRUE(run.advance_to(t));
    const double turn = 10.0 * t;
    EXPECT_NEAR(run.value("hole.q2"), turn * 0.006 / (2.0 * pi), kClosed);
    EXPECT_NEAR(run.value("guide.q"), -(turn - pi / 2.0) * 0.004 / (2.0 * pi), kClosed);
    EXPECT_NEAR(run.value("guide.v"), -10.0 * 0.004 / (2.0 * pi), kClosed);
  }
}

// Both wheels of a differential at speeds of their own: the housing has their mean, the planet their difference.
TEST_P(CoupledMotion, OfADifferentialIsTheMeanOfItsWheels) {
  const std::string text = R"(mechanism: differential
ground: {points: {O: [0, 0, 0]}}
bodies: {housing: {points: {O: [0, 0, 0]}}, left: {points: {O: [0, 0, 0]}}, right: {points: {O: [0, 0, 0]}},
  prop: {points: {O: [0, 0, 0]}}}
joints:
  H: {revolute: [ground.O, housing.O], axis: x}
  L: {revolute: [ground.O, left.O], axis: x}
  R: {revolute: [right.O, ground.O], axis: x}
  P: {revolute: [ground.O, prop.O], axis: y}
parameters: {i: 3.73}
couplings:
  crown: {gear: {joints: [P, H], teeth: [11, 41]}}
  wheels: {sum: {H.q: 1, L: = -1/2, R: = 1/2}}
drivers:
  l: {joint: L, position: = 2*t + 0.3*sin(t)}
  r: {joint: R, position: = -3*t}
)";
  test::DrivenRun run(io::read_mechanism(text, "differential"), 20.0, method(), kind());
  ASSERT_TRUE(run.advance_to(20.0));
  const double left = 2.0 + 0.3 * std::cos(20.0), right = 3.0, mean = 0.5 * (left + right);
  EXPECT_NEAR(run.value("H.v"), mean, kClosed);
  EXPECT_NEAR(run.value("P.v"), -mean * 41.0 / 11.0, kClosed);
  EXPECT_NEAR(run.value("P.a"), 0.15 * std::sin(20.0) * 41.0 / 11.0, kClosed);
  const double angle = 0.5 * (40.0 + 0.3 * std::sin(20.0) + 60.0);
  EXPECT_NEAR(test::turn_difference(run.value("P.q"), -angle * 41.0 / 11.0), 0.0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Ways, CoupledMotion, test::every_way(), test::way_name);

}  // namespace
}  // namespace eslabon::kinematics

namespace eslabon::kinematics {
namespace {

struct KnownStructure {
  const char* model;
  int mobility;
  std::vector<std::string> types;  ///< of the groups in solving order
};

TEST(CoupledStructure, OfTheMachinesIsKnown) {
  for (const KnownStructure& known : {KnownStructure{"planetary-gearbox", 2, {"2G4R"}},
                                      KnownStructure{"differential", 2, {"1R", "1R", "1G1R", "1G1R"}},
                                      KnownStructure{"rack-and-pinion", 1, {"1R", "1G1P"}},
                                      KnownStructure{"screw-press", 1, {"1R", "1G1P"}},
                                      KnownStructure{"scara-with-belt", 2, {"1R", "1R", "1G1R"}}}) {
    SCOPED_TRACE(known.model);
    const model::Mechanism mechanism = load(known.model);
    const structure::Structure structure = structure::analyse_structure(mechanism);
    EXPECT_EQ(structure.mobility, known.mobility);
    EXPECT_EQ(structure.num_redundant(), 0);
    std::vector<std::string> types;
    for (const structure::StructuralGroup& group : structure.groups) types.push_back(group.type);
    EXPECT_EQ(types, known.types);
    const AssemblyReport assembly = assemble(mechanism, structure);
    ASSERT_TRUE(assembly.usable());
    for (const std::string& kind : coordinates::layout_names()) {
      const coordinates::ConstraintSystem system(kind, mechanism, structure, {});
      EXPECT_EQ(explain_redundancy(system, assembly.bodies).mobility, known.mobility) << kind;
    }
  }
}

}  // namespace
}  // namespace eslabon::kinematics
