#include "eslabon/dynamics/mass/energy.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/motion_of_time.hpp"
#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using core::Pose;
using core::Rotation;
using Eigen::Vector3d;
using model::ForceTable;
using model::JointType;
using model::MechanismBuilder;
using std::numbers::pi;
using test::D2;

const Vector3d kGravity(0.7, -1.3, -9.5);
constexpr double kRodMass = 1.7;
const ForceTable kTable{{-0.4, -90.0}, {-0.1, -20.0}, {0.2, 10.0}, {0.7, 160.0}};

/// A body `arm` free in space, a rod with mass from it to the body `tool`, springs between them and the
/// ground.
model::Mechanism spatial() {
  MechanismBuilder builder("space", model::Space::kSpatial);
  builder.set_gravity(kGravity);
  builder.add_ground_point("O", {0.3, -0.2, 0.6});
  Eigen::Matrix3d I;
  I << 0.5, 0.05, -0.02, 0.05, 0.7, 0.03, -0.02, 0.03, 0.6;
  builder.add_body({.name = "arm",
                    .mass = 2.3,
                    .center_of_mass = Vector3d(0.2, -0.4, 0.1),
                    .inertia = I,
                    .points = {{"O", {0.1, 0.2, -0.5}}, {"P", {0.9, -0.3, 0.4}}}});
  builder.add_body({.name = "tool", .points = {{"Q", {-0.2, 0.8, 0.3}}}});
  builder.add_joint({"float", JointType::kFree, "ground.O", "arm.O"});
  builder.add_joint({.name = "bar",
                     .type = JointType::kRod,
                     .first = "arm.P",
                     .second = "tool.Q",
                     .length = 1.0,
                     .rod_mass = kRodMass});
  builder.add_spring({.name = "strut",
                      .connection = {"ground.O", "tool.Q"},
                      .stiffness = 130.0,
                      .free_length = 0.4,
                      .damping = 5.0,
                      .preload = 3.0});
  builder.add_spring({.name = "stop",
                      .connection = {"ground.O", "arm.P"},
                      .free_length = 0.9,
                      .preload = -2.0,
                      .table = kTable});
  return builder.build();
}

Pose<D2> arm_pose(const D2& t) { return test::tumbling(t); }
Pose<D2> tool_pose(const D2& t) { return test::tumbling(0.3 - 0.8 * t); }

MechanismMotion motion_at(double time) {
  const D2 t = test::seeded_time(time);
  return {BodyMotion(), test::motion_of(arm_pose(t)), test::motion_of(tool_pose(t))};
}

/// The ends of the rod.
const Vector3d kP(0.9, -0.3, 0.4), kQ(-0.2, 0.8, 0.3);

// analytic: a planar pendulum of length L that turns at w has T = ½ (m L²/3) w² and V = m g L/2 sin θ.
TEST(Energy, OfAPendulumIsItsClosedForm) {
  MechanismBuilder builder("pendulum", model::Space::kPlanar);
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "bob",
                    .mass = 1.4,
                    .shape = model::Bar{"O", "tip"},
                    .points = {{"O", {0, 0, 0}}, {"tip", {0.8, 0, 0}}}});
  builder.add_joint({"pivot", JointType::kRevolute, "ground.O", "bob.O"});
  const model::Mechanism pendulum = builder.build();
  const D2 t = test::seeded_time(0.6);
  const Pose<D2> X_WB{Rotation<D2>::about_z(0.5 + 1.2 * t), core::Vector3<D2>::Zero()};
  const MechanismMotion motion{BodyMotion(), test::motion_of(X_WB)};
  const double T = 0.5 * (1.4 * 0.8 * 0.8 / 3.0) * 1.2 * 1.2,
               V = 1.4 * 9.81 * 0.4 * std::sin(0.5 + 1.2 * 0.6);
  EXPECT_LE(std::abs(kinetic_energy(pendulum, motion) - T), test::roundoff(16, T));
  EXPECT_LE(std::abs(potential_energy(pendulum, motion) - V), test::roundoff(16, V));
  EXPECT_EQ(mechanical_energy(pendulum, motion),
            kinetic_energy(pendulum, motion) + potential_energy(pendulum, motion));
}

// crosscheck: a rod between two points of one moving bar is a bar; T by many point masses along it (midpoint
// rule, error 1/n² of the spread of the speeds).
TEST(KineticEnergy, OfARodIsThatOfItsPoints) {
  const model::Mechanism mechanism = spatial();
  const MechanismMotion motion = motion_at(0.4);
  const Vector3d v1 = motion[1].point_velocity(kP), v2 = motion[2].point_velocity(kQ);
  constexpr int kPieces = 1000;
  double expected = 0.0;
  for (int k = 0; k < kPieces; ++k) {
    const double s = (k + 0.5) / kPieces;
    expected += 0.5 * kRodMass / kPieces * ((1 - s) * v1 + s * v2).squaredNorm();
  }
  const model::MassProperties& arm = mechanism.bodies()[1].mass_properties;
  const Eigen::Matrix3d R = motion[1].X_WB.R_AB.matrix();
  const Eigen::Matrix3d I_W = R * arm.I_BC_B * R.transpose();
  const double of_arm = 0.5 * arm.mass * motion[1].point_velocity(arm.p_BC_B).squaredNorm() +
                        0.5 * motion[1].w_WB_W.dot(I_W * motion[1].w_WB_W);
  const double error = kRodMass * (v2 - v1).squaredNorm() / 24.0 / kPieces / kPieces;
  EXPECT_LE(std::abs(kinetic_energy(mechanism, motion) - of_arm - expected),
            1.01 * error + test::roundoff(kPieces, expected + of_arm));
}

/// Power of the inertia forces: Σ m a_C·v_C + ω·(I α + ω × I ω), and for rods ∫ a·v dm
/// = m/6 (2 a₁·v₁ + a₁·v₂ + a₂·v₁ + 2 a₂·v₂).
double inertia_power(const model::Mechanism& mechanism, const MechanismMotion& motion) {
  const model::MassProperties& arm = mechanism.bodies()[1].mass_properties;
  const Eigen::Matrix3d R = motion[1].X_WB.R_AB.matrix();
  const Eigen::Matrix3d I_W = R * arm.I_BC_B * R.transpose();
  const Vector3d &w = motion[1].w_WB_W, &alpha = motion[1].alpha_WB_W;
  const Vector3d v1 = motion[1].point_velocity(kP), v2 = motion[2].point_velocity(kQ);
  const Vector3d a1 = motion[1].point_acceleration(kP), a2 = motion[2].point_acceleration(kQ);
  return arm.mass * motion[1].point_acceleration(arm.p_BC_B).dot(motion[1].point_velocity(arm.p_BC_B)) +
         w.dot(I_W * alpha + w.cross(I_W * w)) +
         kRodMass / 6.0 * (2 * a1.dot(v1) + a1.dot(v2) + a2.dot(v1) + 2 * a2.dot(v2));
}

// invariant: the change of T is the power of the inertia forces.
TEST(KineticEnergy, ChangesByThePowerOfTheInertiaForces) {
  const model::Mechanism mechanism = spatial();
  const double h = test::central_step(1.0);
  for (const double t : {0.1, 0.5, 1.3}) {
    const double slope =
        (kinetic_energy(mechanism, motion_at(t + h)) - kinetic_energy(mechanism, motion_at(t - h))) / (2 * h);
    // T and its third derivative are below 2000 here.
    EXPECT_LE(std::abs(slope - inertia_power(mechanism, motion_at(t))), test::central_tolerance(h, 2000.0))
        << t;
  }
}

/// Force of a table, by the definition in force_elements.hpp.
double table_force(double x) {
  std::size_t k = 1;
  while (k + 1 < kTable.size() && x > kTable[k].first) ++k;
  const auto& [x0, f0] = kTable[k - 1];
  const auto& [x1, f1] = kTable[k];
  return f0 + (f1 - f0) / (x1 - x0) * (x - x0);
}

// invariant: the change of V is minus the power of weights and springs.
TEST(PotentialEnergy, ChangesByMinusThePowerOfWeightsAndSprings) {
  const model::Mechanism mechanism = spatial();
  const double h = test::central_step(1.0);
  const Vector3d O(0.3, -0.2, 0.6);
  for (const double t : {0.1, 0.5, 1.3}) {
    const MechanismMotion motion = motion_at(t);
    const Vector3d v1 = motion[1].point_velocity(kP), v2 = motion[2].point_velocity(kQ);
    const Vector3d OP = motion[1].point_position(kP) - O, OQ = motion[2].point_position(kQ) - O;
    double power = -2.3 * kGravity.dot(motion[1].point_velocity(Vector3d(0.2, -0.4, 0.1)));
    power -= kRodMass * kGravity.dot(0.5 * (v1 + v2));
    power += (3.0 + 130.0 * (OQ.norm() - 0.4)) * v2.dot(OQ.normalized());
    power += (-2.0 + table_force(OP.norm() - 0.9)) * v1.dot(OP.normalized());
    const double slope =
        (potential_energy(mechanism, motion_at(t + h)) - potential_energy(mechanism, motion_at(t - h))) /
        (2 * h);
    EXPECT_LE(std::abs(slope - power), test::central_tolerance(h, 2000.0)) << t;
  }
}

TEST(SpringEnergy, IsTheIntegralOfPreloadAndStiffness) {
  const model::Spring spring{.name = "s",
                             .connection = model::JointCoordinate{model::JointIndex(0)},
                             .stiffness = 40.0,
                             .free_length = 0.5,
                             .preload = 3.0,
                             .table = {}};
  EXPECT_EQ(spring_energy(spring, 0.5), 0.0);
  EXPECT_EQ(spring_energy(spring, 1.0), 3.0 * 0.5 + 0.5 * 40.0 * 0.25);
  EXPECT_EQ(spring_energy(spring, 0.25), -3.0 * 0.25 + 0.5 * 40.0 * 0.0625);
}

// crosscheck: Simpson's rule between corners, exact for lines. The table need not hold 0 between its
// arguments.
TEST(SpringEnergy, OfATableIsItsIntegral_InsideAndBeyond) {
  const auto simpson = [](double a, double b, double shift) {
    return (b - a) / 6.0 *
           (table_force(a - shift) + 4 * table_force((a + b) / 2 - shift) + table_force(b - shift));
  };
  for (const double shift : {0.0, 0.35, -0.6, 3.0, -3.0}) {
    model::Spring spring{.name = "s",
                         .connection = model::JointCoordinate{model::JointIndex(0)},
                         .free_length = 0.2,
                         .preload = 1.5,
                         .table = kTable};
    for (auto& row : spring.table) row.first += shift;
    for (const double d : {-5.0, -0.7, -0.25, -0.05, 0.0, 0.1, 0.3, 0.69, 1.9, 6.0}) {
      // The path from 0 to d, cut where the table has corners.
      std::vector<double> corners{std::min(0.0, d)};
      for (const auto& [x, force] : spring.table)
        if (x > std::min(0.0, d) && x < std::max(0.0, d)) corners.push_back(x);
      corners.push_back(std::max(0.0, d));
      double expected = 0.0;
      for (std::size_t k = 1; k < corners.size(); ++k) expected += simpson(corners[k - 1], corners[k], shift);
      if (d < 0) expected = -expected;
      EXPECT_LE(std::abs(spring_energy(spring, 0.2 + d) - (expected + 1.5 * d)), test::roundoff(64, 1e4))
          << d << " shifted by " << shift;
    }
  }
}

/// A wheel on a coil spring.
model::Mechanism coil() {
  MechanismBuilder builder("coil", model::Space::kPlanar);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body(
      {.name = "wheel", .mass = 1.0, .shape = model::Disc{.radius = 0.2}, .points = {{"O", {0, 0, 0}}}});
  builder.add_joint({"A", JointType::kRevolute, "ground.O", "wheel.O"});
  builder.add_spring({.name = "coil", .connection = {"A"}, .stiffness = 8.0, .free_length = 0.3});
  return builder.build();
}

TEST(PotentialEnergy, OfACoilCountsTurns_WhenTheCallerGivesTheAngle) {
  const model::Mechanism mechanism = coil();
  const auto energy_in_turn = [](double angle) { return 4.0 * (angle - 0.3) * (angle - 0.3); };
  MechanismMotion motion(2);
  motion[1].X_WB.R_AB = Rotation<double>::about_z(1.1);
  EXPECT_LE(std::abs(potential_energy(mechanism, motion) - energy_in_turn(1.1)), test::roundoff(16, 10.0));
  const std::vector<double> lengths{1.1 + 4 * pi};
  EXPECT_LE(std::abs(potential_energy(mechanism, motion, lengths) - energy_in_turn(1.1 + 4 * pi)),
            test::roundoff(16, 1000.0));
  EXPECT_EQ(mechanical_energy(mechanism, motion, lengths), potential_energy(mechanism, motion, lengths));
}

TEST(Energy, RefusesWrongSizes) {
  const model::Mechanism mechanism = coil();
  EXPECT_EQ(
      test::sentence_of<core::ContractError>([&] { (void)kinetic_energy(mechanism, MechanismMotion(3)); }),
      "the energy of another mechanism [number of bodies]: expected 2, got 3. Give one for each, in the "
      "order "
      "of the mechanism.");
  EXPECT_THROW((void)potential_energy(mechanism, MechanismMotion(1)), core::ContractError);
  EXPECT_THROW((void)potential_energy(mechanism, MechanismMotion(2), std::vector<double>(2)),
               core::ContractError);
}

TEST(Energy, DoesNotAllocate) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  const model::Mechanism mechanism = spatial();
  const MechanismMotion motion = motion_at(0.2);
  const std::vector<double> lengths{0.5, 0.6};
  double sum = 0.0;
  EXPECT_EQ(test::count_allocations([&] {
              sum = mechanical_energy(mechanism, motion) + mechanical_energy(mechanism, motion, lengths);
            }),
            0);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace eslabon::dynamics
