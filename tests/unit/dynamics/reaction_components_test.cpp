// Reactions in both frames against the equilibrium of each bar, and which components are unique.
#include <bitset>

#include "tests/dynamic_case.hpp"
#include "tests/testbed_closed_form.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

// Newton and Euler for crank, coupler and rocker, from accelerations by trigonometry: nothing of the library but its reactions.
TEST(Reactions, OfTheTestbedHoldEachBarInEquilibrium) {
  const test::DynamicCase c(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {}));
  Reactions reactions(c.model);
  for (const double theta : {0.2, 1.1, 1.6, 2.3, 3.9, 5.5})
    for (const double speed : {0.0, 1.819, -9.0}) {
      const test::TestbedMotion testbed(theta, speed);
      const Eigen::VectorXd expected = testbed.reactions();
      const double size = expected.lpNorm<Eigen::Infinity>();
      reactions.solve_or_throw(0.0, testbed.bodies(), {});
      const double turned[] = {testbed.motion().theta, testbed.motion().phi, testbed.motion().psi,
                               testbed.motion().psi};  // second bodies of A, P1, P2, B
      for (std::size_t j = 0; j < 4; ++j) {
        const JointReaction& ours = reactions.joints()[j];
        const Eigen::Vector2d f = expected.segment<2>(2 * static_cast<Eigen::Index>(j));
        EXPECT_NEAR(ours.force.x(), f.x(), 1e-10 * size);
        EXPECT_NEAR(ours.force.y(), f.y(), 1e-10 * size);
        EXPECT_NEAR(ours.force.z(), 0.0, 1e-10 * size);
        EXPECT_NEAR(ours.moment.norm(), 0.0, 1e-10 * size);
        const double s = std::sin(turned[j]), k = std::cos(turned[j]);
        EXPECT_NEAR(ours.force_M.x(), k * f.x() + s * f.y(), 1e-10 * size);
        EXPECT_NEAR(ours.force_M.y(), -s * f.x() + k * f.y(), 1e-10 * size);
        EXPECT_TRUE(ours.is_unique);
      }
      EXPECT_NEAR(reactions.efforts()[0], expected[8], 1e-10 * size);
    }
}

/// The components that are not unique, by name: "fx my mz".
std::string shared_of(const std::array<bool, 6>& is_unique) {
  std::string names;
  for (std::size_t k = 0; k < 6; ++k)
    if (!is_unique[k]) names += (names.empty() ? "" : " ") + std::string(kComponentNames[k]);
  return names;
}

std::vector<JointReaction> reactions_of(const std::string& text, MechanismMotion* motion = nullptr) {
  const test::DynamicCase c(io::read_mechanism(text, "test"));
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  const MechanismMotion moving = test::accelerated(*formulation, test::random_motion(c.model, 3));
  Reactions reactions(c.model);
  reactions.solve_or_throw(0.0, moving, {});
  EXPECT_LE(reactions.residual(), 1e-10);
  if (motion != nullptr) *motion = moving;
  return reactions.joints();
}

// A planar four-bar in space with hinges along the world's x: what can be shared is a shift along x and turns about y and z.
// In the hinges' own frames x is z.
TEST(Reactions, OfFourParallelHingesAreSharedInThreeComponents) {
  const auto joints = reactions_of(R"(mechanism: four parallel hinges
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 0], D: [0, 0.8, 0]}}
bodies:
  crank:   {mass: 1, center_of_mass: [0.1, 0.02, 0.03], inertia: [0.1, 0.1, 0.1], points: {A: [0, 0, 0], B: [0, 0, 0.3]}}
  coupler: {mass: 1, center_of_mass: [0.2, 0.2, 0.03], inertia: [0.1, 0.1, 0.1], points: {B: [0, 0, 0], C: [0, 0.7, 0.2], E: [0.1, 0.3, 0]}}
  rocker:  {mass: 1, center_of_mass: [0, 0.02, 0.3], inertia: [0.1, 0.1, 0.1], points: {D: [0, 0, 0], C: [0, -0.1, 0.5]}}
  wheel:   {mass: 1, center_of_mass: [0, 0, 0], inertia: [0.1, 0.1, 0.1], points: {E: [0, 0, 0]}}
joints:
  A: {revolute: [ground.A, crank.A], axis: [1, 0, 0]}
  B: {revolute: [crank.B, coupler.B], axis: [1, 0, 0]}
  C: {revolute: [coupler.C, rocker.C], axis: [1, 0, 0]}
  D: {revolute: [ground.D, rocker.D], axis: [1, 0, 0]}
  hub: {revolute: [coupler.E, wheel.E], axis: [0, 1, 0]}
assembly: {crank.position: [0, 0, 0], coupler.position: [0, 0, 0.3], rocker.position: [0, 0.8, 0], wheel.position: [0.1, 0.3, 0.3]}
)");
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(shared_of(joints[j].is_unique_W), "fx my mz") << j;
    EXPECT_EQ(shared_of(joints[j].is_unique_M), "fz mx my") << j;
    EXPECT_FALSE(joints[j].is_unique);
  }
  EXPECT_TRUE(joints[4].is_unique);
  EXPECT_EQ(shared_of(joints[4].is_unique_W), "");
  EXPECT_EQ(shared_of(joints[4].is_unique_M), "");
}

// A door on two balls: they can pull against each other along the line between, z of the door, and nothing else. On the slant all forces
// of the world have a part in that.
TEST(Reactions, OfADoorOnTwoBallsAreSharedAlongItsLine) {
  const auto door = [](const std::string& top, const std::string& first, const std::string& second) {
    return "mechanism: door\ngravity: [0, 0, -9.81]\nground: {points: {A: [0, 0, 0], B: " + top + R"(}}
bodies: {door: {mass: 3, center_of_mass: [0.4, 0.1, 0.5], inertia: [1, 1, 1], points: {A: [0, 0, 0], B: [0, 0, 1]}}}
joints: {A: {)" +
           first + "}, B: {" + second + "}}\n";
  };
  const std::string ball_A = "spherical: [ground.A, door.A]", ball_B = "spherical: [ground.B, door.B]";
  for (const JointReaction& joint : reactions_of(door("[0, 0, 1]", ball_A, ball_B))) {
    EXPECT_EQ(shared_of(joint.is_unique_W), "fz");
    EXPECT_EQ(shared_of(joint.is_unique_M), "fz");
  }
  for (const JointReaction& joint : reactions_of(door("[0.48, 0.6, 0.64]", ball_A, ball_B))) {
    EXPECT_EQ(shared_of(joint.is_unique_W), "fx fy fz");
    EXPECT_EQ(shared_of(joint.is_unique_M), "fz");
  }
  // A hinge and a ball: the hinge can turn against the ball too. A ball has no moments that could be shared.
  const auto mixed = reactions_of(door("[0, 0, 1]", "revolute: [ground.A, door.A], axis: [0, 0, 1]", ball_B));
  EXPECT_EQ(shared_of(mixed[0].is_unique_W), "fx fy fz mx my");
  EXPECT_EQ(shared_of(mixed[1].is_unique_W), "fx fy fz");
  // A hinge and a cylinder that slides along the same line: not the axial force.
  const auto sliding = reactions_of(door("[0, 0, 1]", "revolute: [ground.A, door.A], axis: [0, 0, 1]",
                                         "cylindrical: [ground.B, door.B], axis: [0, 0, 1]"));
  EXPECT_EQ(shared_of(sliding[0].is_unique_W), "fx fy mx my");
  EXPECT_EQ(shared_of(sliding[1].is_unique_W), "fx fy mx my");
}

// z of revolutes, cylinders and planes, x of slides, y of the second end of crosses: along the free directions nothing is given.
TEST(Reactions, InTheJointsFrameGiveNothingAlongWhatIsFree) {
  MechanismMotion motion;
  const auto joints = reactions_of(R"(mechanism: every axis
gravity: [0.3, -2, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies:
  a: {mass: 2, center_of_mass: [0.2, 0.05, -0.03], inertia: [0.02, 0.05, 0.04], points: {A: [0, 0, 0], B: [0.5, 0.1, 0]}}
  b: {mass: 1, center_of_mass: [0.1, 0.02, 0.04], inertia: [0.03, 0.05, 0.04], points: {A: [0, 0, 0], B: [0.4, 0.1, 0.2]}}
  c: {mass: 1, center_of_mass: [0.1, 0.02, 0.04], inertia: [0.03, 0.05, 0.04], points: {A: [0, 0, 0], B: [0.4, 0.1, 0.2]}}
  d: {mass: 1, center_of_mass: [0.1, -0.1, 0.04], inertia: [0.03, 0.02, 0.04], points: {A: [0, 0, 0], B: [0.3, 0, 0.2]}}
  e: {mass: 1, center_of_mass: [0.05, 0.1, 0.2], inertia: [0.03, 0.02, 0.04], points: {A: [0, 0, 0]}}
joints:
  hinge: {revolute: [ground.O, a.A], axis: [0.1, 1, 0.3]}
  slide: {prismatic: [a.B, b.A], axis: [1, 1, 0]}
  tube:  {cylindrical: [b.B, c.A], axis: [0, 0.3, 1]}
  cross: {universal: [c.B, d.A], axis: {first: [1, 0.2, 0], second: [-0.2, 1, 0]}}
  table: {planar: [d.B, e.A], axis: [0.2, 0, 1]}
assembly: {hinge.q: 0.4, slide.q: 0.1, tube.q1: 0.5, tube.q2: 0.1, cross.q1: 0.3, cross.q2: 0.4, table.q1: 0.1, table.q2: 0.2, table.q3: 0.3}
)",
                                   &motion);
  double size = 0.0;
  for (const JointReaction& joint : joints) size = std::max(size, joint.force.norm() + joint.moment.norm());
  const double eps = 1e-10 * size;
  EXPECT_NEAR(joints[0].moment_M.z(), 0.0, eps);
  EXPECT_NEAR(joints[1].force_M.x(), 0.0, eps);
  EXPECT_NEAR(joints[2].force_M.z(), 0.0, eps);
  EXPECT_NEAR(joints[2].moment_M.z(), 0.0, eps);
  EXPECT_NEAR(joints[3].moment_M.y(), 0.0, eps);
  EXPECT_NEAR(joints[4].force_M.x(), 0.0, eps);
  EXPECT_NEAR(joints[4].force_M.y(), 0.0, eps);
  EXPECT_NEAR(joints[4].moment_M.z(), 0.0, eps);
  for (std::size_t j = 0; j < joints.size(); ++j) {  // the same vectors, other axes; nothing else is zero
    EXPECT_NEAR(joints[j].force.norm(), joints[j].force_M.norm(), eps);
    EXPECT_NEAR(joints[j].moment.norm(), joints[j].moment_M.norm(), eps);
    EXPECT_GT((joints[j].force - joints[j].force_M).norm() + (joints[j].moment - joints[j].moment_M).norm(),
              1e-3 * size);
  }
}

}  // namespace
}  // namespace eslabon::dynamics
