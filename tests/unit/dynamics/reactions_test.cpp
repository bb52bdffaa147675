// Forces in joints against closed forms and against the power of drivers; which of them are unique.
#include "eslabon/dynamics/reactions/reactions.hpp"

#include <cmath>
#include <numbers>

#include "tests/dynamic_case.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

JointReaction reaction_of(const Reactions& reactions, const model::Mechanism& mechanism,
                          const std::string& name) {
  return reactions.joints()[std::get<model::JointIndex>(*mechanism.find(name)).slot()];
}

// A bar on a pin, at an angle θ from the downward vertical, turning at ω: along the bar m g cos θ + m ω² l/2, across it
// m g sin θ − m α l/2 with α = −(3/2)(g/l) sin θ, which leaves m g sin θ / 4.
TEST(Reactions, OfAPendulumEqualTheClosedForm) {
  const double m = 2.0, l = 1.2, g = 9.81;
  for (const double theta : {0.0, 0.4, 1.3, 2.5})
    for (const double w : {0.0, 3.0}) {
      const double angle = theta - 0.5 * std::numbers::pi;
      test::DynamicCase c(io::read_mechanism(R"(mechanism: pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bar: {mass: 2, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1.2, 0]}}}
joints: {O: {revolute: [ground.O, bar.A]}}
assembly: {bar.angle: )" + std::to_string(angle) +
                                                 ", bar.rate: " + std::to_string(w) + "}\n",
                                             "pendulum"));
      const auto formulation = make_formulation("multipliers", c.model);
      const MechanismMotion motion = test::accelerated(*formulation, c.model.start());
      Reactions reactions(c.model);
      reactions.solve_or_throw(0.0, motion, {});
      const JointReaction pin = reaction_of(reactions, c.mechanism, "O");
      const Vector3d along(-std::sin(theta), std::cos(theta), 0.0);  // from the bar's end to the pin
      const Vector3d across(std::cos(theta), std::sin(theta), 0.0);
      EXPECT_NEAR(pin.force.dot(along), m * g * std::cos(theta) + 0.5 * m * w * w * l, 1e-5);
      EXPECT_NEAR(pin.force.dot(across), 0.25 * m * g * std::sin(theta), 1e-5);
      EXPECT_NEAR(pin.moment.norm(), 0.0, 1e-12);
      EXPECT_TRUE(pin.is_unique);
      EXPECT_LE(reactions.residual(), 1e-12);
    }
}

class DrivenModel : public testing::TestWithParam<std::string> {};

// Joints do no work: what the drivers give is what the mechanism gains, minus what the other forces do.
TEST_P(DrivenModel, PowerOfTheDriversIsTheGrowthOfEnergy) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + GetParam() + ".yaml", {});
  test::DynamicCase c(mechanism);
  const auto formulation = make_formulation("null-space", c.model, {.kind = "relative"});
  const MechanismMotion motion = test::accelerated(*formulation, c.model.start());
  Reactions reactions(c.model);
  const dynamics::ForceMemory memory = c.model.forces().empty_memory();
  reactions.solve_or_throw(0.0, motion, memory);
  EXPECT_LE(reactions.residual(), 1e-9);
  std::vector<coordinates::CoordinateValue> values(c.mechanism.drivers().size());
  c.model.evaluate_drivers_or_throw(0.0, values);
  double given = 0.0;
  for (std::size_t d = 0; d < values.size(); ++d) given += reactions.efforts()[d] * values[d].velocity;
  std::vector<Wrench> applied(motion.size());
  ASSERT_TRUE(c.model.forces().evaluate(0.0, motion, memory, applied));
  double gained = 0.0, size = 1.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const model::MassProperties& mass = c.mechanism.bodies()[b].mass_properties;
    const Eigen::Matrix3d& R = motion[b].X_WB.R_AB.matrix();
    const double part =
        mass.mass * motion[b].point_velocity(mass.p_BC_B).dot(motion[b].point_acceleration(mass.p_BC_B)) +
        motion[b].w_WB_W.dot(R * mass.I_BC_B * R.transpose() * motion[b].alpha_WB_W) -
        applied[b].force.dot(motion[b].v_WB_W) - applied[b].torque.dot(motion[b].w_WB_W);
    gained += part;
    size += std::abs(part);
  }
  EXPECT_NEAR(given, gained, 1e-9 * size);
}

INSTANTIATE_TEST_SUITE_P(Models, DrivenModel,
                         testing::Values("fourbar-testbed", "slider-crank", "watt-sixbar", "five-bar", "rssr",
                                         "double-wishbone"),
                         [](const auto& model) {
                           std::string name = model.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Three legs carry a table that two could: the sum is the weight, the shares are not unique, and the least ones are given.
TEST(Reactions, ThatAreNotUniqueAreSaidToBe) {
  test::DynamicCase c(io::read_mechanism(R"(mechanism: plank on three sliders
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [1, 0], C: [2, 0], D: [5, 0]}}
bodies:
  plank: {mass: 3, shape: {bar: [A, C]}, points: {A: [0, 0], B: [1, 0], C: [2, 0]}}
  free: {mass: 1, shape: {bar: [P, Q]}, points: {P: [0, 0], Q: [1, 0]}}
joints:
  a: {prismatic: [ground.A, plank.A], axis: [1, 0]}
  b: {prismatic: [ground.B, plank.B], axis: [1, 0]}
  d: {revolute: [ground.D, free.P]}
)",
                                         "plank"));
  const auto formulation = make_formulation("multipliers", c.model);
  const MechanismMotion motion = test::accelerated(*formulation, c.model.start());
  Reactions reactions(c.model);
  reactions.solve_or_throw(0.0, motion, {});
  const JointReaction a = reaction_of(reactions, c.mechanism, "a"),
                      b = reaction_of(reactions, c.mechanism, "b"),
                      d = reaction_of(reactions, c.mechanism, "d");
  EXPECT_FALSE(a.is_unique);
  EXPECT_FALSE(b.is_unique);
  EXPECT_TRUE(d.is_unique);
  EXPECT_NEAR(a.force.y() + b.force.y(), 3.0 * 9.81, 1e-9);
  EXPECT_LE(reactions.residual(), 1e-12);
}

// A block that a slide and a table hold on a carrier: both keep it from turning about y and z, and nothing else is held twice.
// A plank on two balls on another carrier: they can pull against each other along the line between them, without a moment.
TEST(Reactions, ThatAreSharedInMomentsOnly_OrInForcesOnly_AreNotUnique) {
  test::DynamicCase c(io::read_mechanism(R"(mechanism: shares of two kinds
gravity: [0, 0.5, -9.81]
ground: {points: {A: [0, 0, 0], B: [5, 0, 0]}}
bodies:
  left:  {mass: 2, center_of_mass: [0.3, 0.1, 0], inertia: [0.1, 0.2, 0.3], points: {O: [0, 0, 0], P: [1, 0, 0]}}
  block: {mass: 3, center_of_mass: [0.1, 0.2, 0.3], inertia: [0.3, 0.2, 0.4], points: {P: [0, 0, 0]}}
  right: {mass: 2, center_of_mass: [0.3, 0.1, 0], inertia: [0.1, 0.2, 0.3], points: {O: [0, 0, 0], P: [1, 0, 0], Q: [1, 1, 0]}}
  plank: {mass: 1, center_of_mass: [0.1, 0.4, 0], inertia: [0.1, 0.2, 0.1], points: {P: [0, 0, 0], Q: [0, 1, 0]}}
joints:
  hinge:  {revolute: [ground.A, left.O], axis: [0, 1, 0]}
  slide:  {prismatic: [left.P, block.P], axis: [1, 0, 0]}
  table:  {planar: [left.P, block.P], axis: [1, 0, 0]}
  pin:    {revolute: [ground.B, right.O], axis: [0, 1, 0]}
  ball_P: {spherical: [right.P, plank.P]}
  ball_Q: {spherical: [right.Q, plank.Q]}
assembly: {left.position: [0, 0, 0], block.position: [1, 0, 0], right.position: [5, 0, 0], plank.position: [6, 0, 0]}
)",
                                         "shares"));
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  const MechanismMotion motion = test::accelerated(*formulation, test::random_motion(c.model, 7));
  Reactions reactions(c.model);
  reactions.solve_or_throw(0.0, motion, {});
  EXPECT_LE(reactions.residual(), 1e-12);
  const auto of = [&](const char* name) { return reaction_of(reactions, c.mechanism, name); };
  EXPECT_TRUE(of("hinge").is_unique);
  EXPECT_TRUE(of("pin").is_unique);
  EXPECT_FALSE(of("slide").is_unique);
  EXPECT_FALSE(of("table").is_unique);
  EXPECT_FALSE(of("ball_P").is_unique);
  EXPECT_FALSE(of("ball_Q").is_unique);
  // The least shares: neither ball pulls against the other, and slide and table bear equal moments about y and z.
  const Eigen::Matrix3d R_WL = motion[1].X_WB.R_AB.matrix(), R_WR = motion[3].X_WB.R_AB.matrix();
  const Vector3d slide = R_WL.transpose() * of("slide").moment, table = R_WL.transpose() * of("table").moment;
  EXPECT_NEAR(slide.y(), table.y(), 1e-11 * slide.norm());
  EXPECT_NEAR(slide.z(), table.z(), 1e-11 * slide.norm());
  EXPECT_NEAR(R_WR.col(1).dot(of("ball_P").force), R_WR.col(1).dot(of("ball_Q").force),
              1e-11 * of("ball_P").force.norm());
}

// A bar without weight, held still in a pin whose spring is wound by one turn, under a push that grows with time: the pin bears
// the push at that time, and the driver holds against the push and against the spring, as far as it is wound.
TEST(Reactions, SeeTheTimeAndTheTurnsOfSprings) {
  test::DynamicCase c(io::read_mechanism(R"(mechanism: wound spring
plane: xy
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies: {bar: {mass: 2, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1.2, 0]}}}
joints: {O: {revolute: [ground.O, bar.A]}}
springs: {coil: {joint: O, stiffness: 3 N*m/rad, free_angle: 0.2 rad}}
forces: {push: {point: bar.B, force: [= 7*t, = 5*t]}}
drivers: {hold: {joint: O, position: 0}}
)",
                                         "wound"));
  Reactions reactions(c.model);
  const MechanismMotion& still = c.model.start();
  const double t = 0.4, wound = 2.0 * std::numbers::pi;
  const dynamics::ForceMemory memory{.angles = {wound}};
  reactions.solve_or_throw(t, still, memory);
  const JointReaction pin = reaction_of(reactions, c.mechanism, "O");
  EXPECT_NEAR(pin.force.x(), -7.0 * t, 1e-12);
  EXPECT_NEAR(pin.force.y(), -5.0 * t, 1e-12);
  EXPECT_NEAR(reactions.efforts()[0], 3.0 * (wound - 0.2) - 1.2 * 5.0 * t, 1e-11);
  EXPECT_LE(reactions.residual(), 1e-12);
}

// Accelerations that break the equations of motion leave a part that no joint can give.
TEST(Reactions, OfWrongAccelerationsLeaveAResidual) {
  test::DynamicCase c(test::load_released("slider-crank"));
  const auto formulation = make_formulation("multipliers", c.model);
  MechanismMotion motion = test::accelerated(*formulation, test::random_motion(c.model, 8));
  Reactions reactions(c.model);
  reactions.solve_or_throw(0.0, motion, {});
  EXPECT_LE(reactions.residual(), 1e-12);
  motion[1].alpha_WB_W.z() += 1.0;
  reactions.solve_or_throw(0.0, motion, {});
  EXPECT_GE(reactions.residual(), 1e-6);
}

// A door on three hinges, and one a hundred times as large in every length, with the same mass: how its weight is shared must be the
// same, in forces and in moments by the size.
TEST(Reactions, ThatAreSharedDoNotDependOnTheUnitOfLength) {
  const auto shares = [](const std::string& l) {
    test::DynamicCase c(io::read_mechanism("mechanism: door\nparameters: {l: " + l + R"( m}
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 0], B: [0, 0, = l], C: [0, 0, = 2*l]}}
bodies: {door: {mass: 3, center_of_mass: [= l/2, 0, = l], inertia: [1, 1, 1],
  points: {A: [0, 0, 0], B: [0, 0, = l], C: [0, 0, = 2*l]}}}
joints:
  A: {revolute: [ground.A, door.A], axis: [0, 0, 1]}
  B: {revolute: [ground.B, door.B], axis: [0, 0, 1]}
  C: {revolute: [ground.C, door.C], axis: [0, 0, 1]}
)",
                                           "door"));
    const auto formulation = make_formulation("multipliers", c.model);
    Reactions reactions(c.model);
    reactions.solve_or_throw(0.0, test::accelerated(*formulation, c.model.start()), {});
    std::vector<double> found;
    for (const JointReaction& joint : reactions.joints())
      for (int k = 0; k < 3; ++k) {
        found.push_back(joint.force[k]);
        found.push_back(joint.moment[k] / std::stod(l));
      }
    return found;
  };
  const std::vector<double> small = shares("1"), large = shares("100");
  double most = 0.0;
  for (std::size_t k = 0; k < small.size(); ++k) {
    EXPECT_NEAR(small[k], large[k], 1e-9) << k;
    most = std::max(most, std::abs(small[k]));
  }
  EXPECT_GT(most, 1.0);
}

}  // namespace
}  // namespace eslabon::dynamics
