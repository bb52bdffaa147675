// Bushings, springs between two joint coordinates and springs on a coordinate of a point, against matrices and statics by hand.
#include <algorithm>
#include <cmath>

#include "tests/linear_case.hpp"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "eslabon/core/geometry/rotation.hpp"
#include "eslabon/core/geometry/vector.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// A block that a bushing alone holds, at its rest: a free joint lets it move.
std::string block(const std::string& more) {
  return R"(mechanism: block on a bushing
ground: {points: {O: [0, 0, 0]}, frames: {F: {origin: [0.1, 0.2, 0.3], x: [1, 0.3, -0.2], z: [0.2, 0, 1]}}}
bodies:
  block:
    mass: 3
    center_of_mass: [0.3, 0.1, 0.35]
    inertia: [0.05, 0.08, 0.06, 0.01, -0.005, 0.002]
    points: {O: [0, 0, 0]}
    frames: {F: {origin: [0.1, 0.2, 0.3], x: [1, 0.3, -0.2], z: [0.2, 0, 1]}}
joints: {loose: {free: [ground.O, block.O]}}
bushings: {mount: {between: [ground.F, block.F], stiffness: [900, 1600, 2500, 30, 40, 55], damping: [3, 4, 5, 0.1, 0.2, 0.3]}}
)" + more;
}

// analytic: K = diag(k) and M of the block about the bushing, in its axes; damping C = diag(c).
TEST(Bushing, ABlockOnItMovesAsItsSixBySixMatricesSay) {
  test::LinearCase c(block(""));
  const Matrix3d& R = c.mechanism.bushings()[0].ends[0].X_BF.R_AB.matrix();
  EXPECT_LE((R.transpose() * R - Matrix3d::Identity()).norm(), 1e-14);
  Matrix3d I;
  I << 0.05, 0.01, -0.005, 0.01, 0.08, 0.002, -0.005, 0.002, 0.06;
  const double m = 3.0;
  const Matrix3d of_c =
      core::skew<double>(R.transpose() * (Vector3d(0.3, 0.1, 0.35) - Vector3d(0.1, 0.2, 0.3)));
  Matrix6d M = Matrix6d::Zero();
  M.topLeftCorner<3, 3>() = m * Matrix3d::Identity();
  M.topRightCorner<3, 3>() = -m * of_c;
  M.bottomLeftCorner<3, 3>() = m * of_c;
  M.bottomRightCorner<3, 3>() = R.transpose() * I * R - m * of_c * of_c;
  const Vector6d k = (Vector6d() << 900, 1600, 2500, 30, 40, 55).finished(),
                 d = (Vector6d() << 3, 4, 5, 0.1, 0.2, 0.3).finished();
  Eigen::Matrix<double, 12, 12> A = Eigen::Matrix<double, 12, 12>::Zero();
  A.topRightCorner<6, 6>().setIdentity();
  A.bottomLeftCorner<6, 6>() = -M.inverse() * Matrix6d(k.asDiagonal());
  A.bottomRightCorner<6, 6>() = -M.inverse() * Matrix6d(d.asDiagonal());
  std::vector<std::complex<double>> expected;
  const Eigen::Matrix<std::complex<double>, 12, 1> values = A.eigenvalues();
  for (const std::complex<double>& value : values)
    if (value.imag() > 0.0) expected.push_back(value);
  std::ranges::sort(expected, {}, [](const auto& x) { return std::abs(x); });
  const std::vector<Mode> modes = c.at_rest().modes();
  ASSERT_EQ(expected.size(), 6u);
  ASSERT_EQ(modes.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_LE(std::abs(modes[i].eigenvalue - expected[i]), 1e-8 * std::abs(expected[i])) << i;
}

double value(const test::LinearCase& c, const Equilibrium& at, const std::string& name) {
  return kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, name), at.bodies);
}

// analytic: a force through the bushing shifts it by F/k along each of its axes, a torque about its x turns it by M/k, however far.
TEST(Bushing, ShiftsAndTurnsInStaticsAsStiffnessSays) {
  test::LinearCase c(R"(mechanism: block on a bushing
ground: {points: {O: [0, 0, 0]}}
bodies: {block: {mass: 3, center_of_mass: [0, 0, 0], inertia: [0.05, 0.08, 0.06], points: {O: [0, 0, 0]}}}
joints: {loose: {free: [ground.O, block.O]}}
bushings: {mount: {between: [ground.O, block.O], stiffness: [900, 1600, 2500, 30, 40, 55]}}
forces:
  push: {point: block.O, force: [90, -80, 50]}
  turn: {body: block, torque: [24, 0, 0]}
)");
  FreedomChart chart(c.model, FreedomChart::Drivers::kHeld);
  State start;
  ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
  const EquilibriumReport report = find_equilibrium(chart, start);
  ASSERT_TRUE(report.usable());
  EXPECT_NEAR(value(c, *report.equilibrium, "block.O.x"), 0.1, 1e-12);
  EXPECT_NEAR(value(c, *report.equilibrium, "block.O.y"), -0.05, 1e-12);
  EXPECT_NEAR(value(c, *report.equilibrium, "block.O.z"), 0.02, 1e-12);
  EXPECT_NEAR(value(c, *report.equilibrium, "block.euler_xyz_1"), 0.8, 1e-12);
  EXPECT_NEAR(report.equilibrium->potential_energy,
              0.5 * (900 * 0.01 + 1600 * 0.0025 + 2500 * 0.0004 + 30 * 0.64), 1e-9);
  EXPECT_EQ(report.equilibrium->stability, Stability::kStable);
}

// analytic: the torque Aᵀ τ of a bushing turned about all three axes is the slope of its energy, here by central differences along turns.
TEST(Bushing, ItsTorqueIsTheSlopeOfItsEnergy) {
  test::DynamicCase c(io::read_mechanism(block(""), "test.yaml"));
  coordinates::MechanismMotion bodies(2);
  const auto placed = [&](const Vector3d& turn) {
    bodies[1].X_WB = {core::Rotation<double>::from_rotation_vector(turn) *
                          core::Rotation<double>::from_rotation_vector(Vector3d(0.5, -0.4, 0.7)),
                      Vector3d(0.05, -0.02, 0.03)};
    return potential_energy(c.mechanism, bodies);
  };
  constexpr double kStep = 1e-4;
  Vector3d slope;
  for (int i = 0; i < 3; ++i)
    slope[i] = (placed(kStep * Vector3d::Unit(i)) - placed(-kStep * Vector3d::Unit(i))) / (2.0 * kStep);
  placed(Vector3d::Zero());
  std::vector<Wrench> wrenches(2);
  ASSERT_TRUE(c.model.forces().evaluate(0.0, bodies, c.model.start_memory(), wrenches));
  EXPECT_LE((wrenches[1].torque + slope).norm(), 1e-5 * slope.norm());
}

// analytic: with springs k in both joints and k_b between them a torque T on the left gives
//   (k + k_b) q₁ − k_b q₂ = T,   (k + k_b) q₂ − k_b q₁ = 0.
TEST(AntiRollBar, SharesATorqueAsStaticsByHandDoes) {
  test::LinearCase c(R"(mechanism: two arms
plane: xy
ground: {points: {L: [0, 0], R: [2, 0]}}
bodies:
  left:  {mass: 1, shape: {bar: [O, E]}, points: {O: [0, 0], E: [0.5, 0]}}
  right: {mass: 1, shape: {bar: [O, E]}, points: {O: [0, 0], E: [0.5, 0]}}
joints: {L: {revolute: [ground.L, left.O]}, R: {revolute: [ground.R, right.O]}}
springs:
  l: {joint: L, stiffness: 30}
  r: {joint: R, stiffness: 30}
  bar: {between: [L, R], stiffness: 20, damping: 1}
forces: {push: {joint: L, torque: 15}}
outputs: [bar.length, bar.force, bar.rate]
)");
  FreedomChart chart(c.model, FreedomChart::Drivers::kHeld);
  State start;
  ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
  const EquilibriumReport report = find_equilibrium(chart, start);
  ASSERT_TRUE(report.usable());
  const double k = 30.0, b = 20.0, det = (k + b) * (k + b) - b * b, left = 15.0 * (k + b) / det,
               right = 15.0 * b / det;
  EXPECT_NEAR(value(c, *report.equilibrium, "L.q"), left, 1e-13);
  EXPECT_NEAR(value(c, *report.equilibrium, "R.q"), right, 1e-13);
  EXPECT_NEAR(value(c, *report.equilibrium, "bar.length"), right - left, 1e-13);
  EXPECT_NEAR(report.equilibrium->potential_energy,
              0.5 * (k * left * left + k * right * right + b * (right - left) * (right - left)), 1e-12);
}

// analytic: on springs along x and y of one point a mass hangs at F/k, and swings with √(k/m) in each.
TEST(SpringOnACoordinate, HoldsAPointInTheWorld) {
  test::LinearCase c(R"(mechanism: hung mass
plane: xy
gravity: [0, -10]
ground: {points: {O: [0, 0]}, axes: {u: [1, 1], w: [-1, 1]}}
bodies:
  first: {points: {O: [0, 0]}, axes: {u: [1, 1], w: [-1, 1]}}
  mass: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {w: [-1, 1]}}
joints:
  A: {prismatic: [ground.O, first.O], axis: [ground.u, first.u]}
  B: {prismatic: [first.O, mass.P], axis: [first.w, mass.w]}
springs:
  x: {point: mass.P.x, stiffness: 50, free_length: 0.3}
  y: {point: mass.P.y, stiffness: 200, free_length: 0.1}
)");
  FreedomChart chart(c.model, FreedomChart::Drivers::kHeld);
  State start;
  ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
  const EquilibriumReport report = find_equilibrium(chart, start);
  ASSERT_TRUE(report.usable());
  EXPECT_NEAR(value(c, *report.equilibrium, "mass.P.x"), 0.3, 1e-13);
  EXPECT_NEAR(value(c, *report.equilibrium, "mass.P.y"), 0.1 - 20.0 / 200.0, 1e-13);
  const LinearSystem linear = linearise(chart, report.equilibrium->state, {}, {});
  const std::vector<Mode> modes = linear.modes();
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].natural_frequency(), 5.0, 1e-9);
  EXPECT_NEAR(modes[1].natural_frequency(), 10.0, 1e-9);
}

}  // namespace
}  // namespace eslabon::dynamics
