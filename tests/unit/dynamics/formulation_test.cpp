// Every formulation in every kind of coordinates on the same states: they agree with each other, and with the law of energy.
#include <cmath>
#include <string>
#include <tuple>

#include "tests/dynamic_case.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass_model.hpp"
#include "eslabon/io/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Vector3d;

const std::vector<std::string>& models() {
  static const std::vector<std::string> names{"fourbar-testbed",
                                              "fourbar-crank-rocker",
                                              "slider-crank",
                                              "watt-sixbar",
                                              "stephenson-sixbar",
                                              "five-bar",
                                              "andrews-squeezer",
                                              "double-wishbone",
                                              "quarter-vehicle",
                                              "rssr",
                                              "family:scalable-fourbar,dyads=5",
                                              "family:truck-suspension,axles=1",
                                              "chain of 6 revolutes",
                                              "chain of 40 revolutes",
                                              "chain of all joints",
                                              "loaded chain",
                                              "bar on rods",
                                              "four-bar in space"};
  return names;
}

/// n bars in space on each other, with joints of these types in turn.
std::string chain(int n, const std::vector<std::string>& joints) {
  std::string bodies, text, before = "ground.O";
  for (int i = 1; i <= n; ++i) {
    const std::string name = "bar" + std::to_string(i);
    bodies +=
        "  " + name + ": {mass: " + std::to_string(1.0 + 0.1 * i) +
        ", center_of_mass: [0.25, 0.02, -0.01], inertia: [0.02, 0.05, 0.06], points: {A: [0, 0, 0], B: [0.5, "
        "0.05, 0.02]}}\n";
    const std::string& joint = joints[static_cast<std::size_t>(i - 1) % joints.size()];
    text += "  J" + std::to_string(i) + ": {" + joint.substr(0, joint.find(' ')) + ": [" + before + ", " +
            name + ".A]" +
            (joint.find(' ') == std::string::npos ? "" : ", axis: " + joint.substr(joint.find(' ') + 1)) +
            "}\n";
    before = name + ".B";
  }
  return "mechanism: chain\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0], G: [1, 1, "
         "0.5]}}\nbodies:\n" +
         bodies + "joints:\n" + text;
}

/// Mechanisms that no file has: open chains, rods with mass, over-constrained loops, springs and loads of every kind.
std::string text_of(const std::string& name) {
  const std::string z = "[0, 0.2, 1]", x = "[1, 0.1, 0]";
  if (name == "chain of 6 revolutes") return chain(6, {"revolute " + z, "revolute " + x});
  if (name == "chain of 40 revolutes") return chain(40, {"revolute " + z, "revolute " + x});
  if (name == "chain of all joints")
    return chain(7, {"spherical", "universal {first: [1, 0, 0], second: [0, 1, 0]}", "cylindrical " + z,
                     "prismatic " + x, "revolute " + x, "planar " + z, "free"});
  if (name == "loaded chain")
    return chain(5, {"revolute " + z, "universal {first: [1, 0, 0], second: [0, 1, 0]}"}) + R"(springs:
  s: {between: [ground.G, bar4.B], stiffness: 50 N/m, free_length: 0.3 m, damping: 2}
  coil: {joint: J1, stiffness: 3 N*m/rad, free_angle: 0.2 rad, damping: 0.1}
dampers: {d: {between: [bar1.B, bar5.B], damping: 4}}
forces:
  push: {point: bar5.B, force: [1, 2, 3]}
  twist: {body: bar3, torque: [0.5, 0.1, -0.3]}
  motor: {joint: J3, torque: 0.7 N*m}
)";
  if (name == "bar on rods")
    return R"(mechanism: bar on rods
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 1], B: [1, 0, 1], C: [0, 1, 1]}}
bodies: {plate: {mass: 2, center_of_mass: [0.4, 0.3, 0], inertia: [0.2, 0.3, 0.4], points: {A: [0, 0, 0], B: [1, 0, 0], C: [0, 1, 0]}},
  bob: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.02, 0.03, 0.03], points: {P: [0, 0, 0], Q: [0.3, 0, 0]}}}
joints:
  a: {rod: [ground.A, plate.A], length: 1, mass: 0.3}
  b: {rod: [ground.B, plate.B], length: 1, mass: 0.4}
  c: {rod: [ground.C, plate.C], length: 1.1}
  d: {rod: [plate.B, bob.P], length: 0.7, mass: 0.2}
assembly: {plate.position: [0, 0, 0], bob.position: [1, 0, -0.7]}
)";
  return R"(mechanism: planar four-bar in space
gravity: [0, -9.81, 1]
ground: {points: {A: [0, 0, 0], B: [0.8, 0, 0]}}
bodies:
  crank: {mass: 1, center_of_mass: [0.06, 0, 0], inertia: [0.001, 0.002, 0.002], points: {A: [0, 0, 0], P: [0.12, 0, 0]}}
  coupler: {mass: 2, center_of_mass: [0.2, 0.1, 0], inertia: [0.01, 0.02, 0.03], points: {P: [0, 0, 0], C: [0.54, 0, 0]}}
  rocker: {mass: 1.5, center_of_mass: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], points: {B: [0, 0, 0], C: [0.455, 0, 0]}}
joints:
  A: {revolute: [ground.A, crank.A], axis: [0, 0, 1]}
  P: {revolute: [crank.P, coupler.P], axis: [0, 0, 1]}
  C: {revolute: [coupler.C, rocker.C], axis: [0, 0, 1]}
  B: {revolute: [ground.B, rocker.B], axis: [0, 0, 1]}
assembly: {A: 90 deg, P: -70 deg, B: 132 deg}
)";
}

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  static model::Mechanism mechanism() {
    const bool is_text = GetParam().find(' ') != std::string::npos;
    return is_text ? io::read_mechanism(text_of(GetParam()), GetParam()) : test::load_released(GetParam());
  }
};

/// dT/dt of these accelerations: Σ m v_C·a_C + ω·(I α + ω × I ω), and rods.
double kinetic_power(const model::Mechanism& mechanism, const MechanismMotion& motion) {
  double power = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    if (mass.is_massless()) continue;
    const Eigen::Matrix3d& R = motion[b].X_WB.R_AB.matrix();
    const Eigen::Matrix3d I = R * mass.I_BC_B * R.transpose();
    power +=
        mass.mass * motion[b].point_velocity(mass.p_BC_B).dot(motion[b].point_acceleration(mass.p_BC_B)) +
        motion[b].w_WB_W.dot(I * motion[b].alpha_WB_W);
  }
  for (const model::Joint& joint : mechanism.joints()) {
    const BodyMotion &first = motion[joint.first().slot()], &second = motion[joint.second().slot()];
    const Vector3d &p1 = joint.ends[0].X_BF.p_AB_A, &p2 = joint.ends[1].X_BF.p_AB_A;
    const Vector3d v1 = first.point_velocity(p1), v2 = second.point_velocity(p2),
                   a1 = first.point_acceleration(p1), a2 = second.point_acceleration(p2);
    power += joint.rod_mass / 6.0 * (2.0 * v1.dot(a1) + v1.dot(a2) + v2.dot(a1) + 2.0 * v2.dot(a2));
  }
  return power;
}

// Joints do no work: what the applied forces do is what the motion gains.
TEST_P(EveryModel, PowerOfTheForcesIsTheGrowthOfKineticEnergy) {
  test::DynamicCase c(mechanism());
  const MechanismMotion moving = test::random_motion(c.model, 3);
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  const MechanismMotion motion = test::accelerated(*formulation, moving);
  std::vector<Wrench> wrenches(motion.size());
  std::vector<double> angles(static_cast<std::size_t>(c.model.forces().num_angles()), 0.0);
  c.model.forces().evaluate(0.0, motion, angles, wrenches);
  double power = 0.0, size = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const double part = wrenches[b].force.dot(motion[b].v_WB_W) + wrenches[b].torque.dot(motion[b].w_WB_W);
    power += part;
    size += std::abs(part);
  }
  const double growth = kinetic_power(c.mechanism, motion);
  EXPECT_NEAR(growth, power, 1e-9 * (size + 1.0));
}

// Composite inertias along the tree, and features of bodies: two ways to the same masses, which share nothing.
TEST_P(EveryModel, MassesAlongTheTreeEqualThoseByFeatures) {
  test::DynamicCase c(mechanism());
  const coordinates::ConstraintSystem system("relative", c.mechanism, c.structure, {});
  const auto features = make_feature_masses(system), tree = make_tree_masses(system);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), x(n), by_features(n), by_tree(n);
  system.read_bodies(test::random_motion(c.model, 4), {q, v, a});
  MassValues one, two;
  features->evaluate(q, v, c.mechanism.gravity_W(), one);
  tree->evaluate(q, v, c.mechanism.gravity_W(), two);
  core::Rng rng(1);
  std::vector<Wrench> wrenches(c.mechanism.bodies().size());
  for (Wrench& wrench : wrenches)
    for (int k = 0; k < 3; ++k) {
      wrench.force[k] = rng.normal();
      wrench.torque[k] = rng.normal();
    }
  features->project(wrenches, one);
  tree->project(wrenches, two);
  EXPECT_LE((one.h - two.h).norm(), 1e-12 * (1.0 + one.h.norm()));
  // Planar wrenches have no other part.
  if (!c.mechanism.is_planar()) {
    EXPECT_LE((one.Q - two.Q).norm(), 1e-12 * (1.0 + one.Q.norm()));
  }
  for (int k = 0; k < 5; ++k) {
    for (double& number : x) number = rng.normal();
    features->multiply(one, x, by_features);
    tree->multiply(two, x, by_tree);
    double size = 1.0;
    for (const double number : by_features) size = std::max(size, std::abs(number));
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(by_features[i], by_tree[i], 1e-12 * size);
  }
}

TEST_P(EveryModel, AllFormulationsInAllCoordinatesAgree) {
  test::DynamicCase c(mechanism());
  for (const std::uint64_t seed : {1u, 2u}) {
    const MechanismMotion moving = test::random_motion(c.model, seed);
    MechanismMotion expected;
    double size = 1.0;
    for (const std::string& name : formulation_names()) {
      std::vector<std::string> kinds = coordinate_kinds(name);
      if (kinds.empty()) kinds.emplace_back();
      for (const std::string& kind : kinds) {
        // In natural coordinates a point of a chain depends on all links before it: dense, and slow to make.
        if (GetParam() == "chain of 40 revolutes" && kind == "natural") continue;
        // Idle spins and inputs that are no variables: the formulation by groups does not have them yet.
        const bool is_refused =
            name == "groups" && (GetParam() == "rssr" || GetParam().starts_with("family:truck") ||
                                 GetParam() == "chain of all joints" || GetParam() == "bar on rods" ||
                                 GetParam() == "four-bar in space");
        if (is_refused) {
          EXPECT_THROW(make_formulation(name, c.model, {.kind = kind}), core::ModelError);
          continue;
        }
        const auto formulation = make_formulation(name, c.model, {.kind = kind});
        const MechanismMotion motion = test::accelerated(*formulation, moving);
        if (expected.empty()) {
          expected = motion;
          for (const BodyMotion& body : motion)
            size = std::max({size, body.a_WB_W.norm(), body.alpha_WB_W.norm()});
        }
        for (std::size_t b = 1; b < motion.size(); ++b) {
          EXPECT_LE((motion[b].X_WB.p_AB_A - expected[b].X_WB.p_AB_A).norm(), 1e-10) << name << " " << kind;
          EXPECT_LE((motion[b].w_WB_W - expected[b].w_WB_W).norm(), 1e-9 * (1.0 + expected[b].w_WB_W.norm()));
          EXPECT_LE((motion[b].a_WB_W - expected[b].a_WB_W).norm(), 1e-9 * size)
              << name << " " << kind << " " << c.mechanism.bodies()[b].name;
          EXPECT_LE((motion[b].alpha_WB_W - expected[b].alpha_WB_W).norm(), 1e-9 * size)
              << name << " " << kind << " " << c.mechanism.bodies()[b].name;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models()),
                         [](const auto& model) { return test::test_name(model.param); });

}  // namespace
}  // namespace eslabon::dynamics
