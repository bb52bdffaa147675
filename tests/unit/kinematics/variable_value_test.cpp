#include "eslabon/kinematics/variable_value.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/motion_of_time.hpp"
#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using core::Pose;
using core::Rotation;
using model::JointType;
using model::MechanismBuilder;
using std::numbers::pi;
using test::D2;

/// A planar body `arm` on a revolute joint A, with a spring and dampers; a slider on joint rail.
model::Mechanism planar() {
  MechanismBuilder builder("plane", model::Space::kPlanar);
  builder.add_ground_point("O", {0.375, -0.25, 0.0});
  builder.add_body({.name = "arm",
                    .mass = 1.0,
                    .shape = model::Bar{"O", "P"},
                    .points = {{"O", {0.1, 0.2, 0.0}}, {"P", {0.875, -0.375, 0.0}}}});
  builder.add_body({.name = "slide", .points = {{"S", {0.2, 0.1, 0.0}}}});
  builder.add_joint({"A", JointType::kRevolute, "ground.O", "arm.O"});
  builder.add_joint(
      {"rail", JointType::kPrismatic, "arm.P", "slide.S", model::AxisPair{{0.6, 0.8, 0.0}, {0.6, 0.8, 0.0}}});
  builder.add_driver({"motor", "A.q", model::DriverLevel::kSpeed, 1.0});
  builder.add_spring({"strut", {"ground.O", "arm.P"}, 100.0});
  builder.add_spring({"coil", {"A"}, 100.0});
  builder.add_damper({"shock", {"slide.S", "ground.O"}, 5.0});
  builder.add_damper({"brake", {"A.q"}, 5.0});
  return builder.build();
}

/// A spatial body `arm` on a cylindrical joint.
model::Mechanism spatial() {
  MechanismBuilder builder("space", model::Space::kSpatial);
  builder.add_ground_point("O", {0.3, -0.2, 0.6});
  builder.add_body({.name = "arm", .points = {{"O", {0.1, 0.2, -0.5}}, {"P", {0.9, -0.3, 0.4}}}});
  builder.add_joint(
      {"J", JointType::kCylindrical, "ground.O", "arm.O", model::AxisPair{{0.1, 0.2, 0.9}, {0.1, 0.2, 0.9}}});
  return builder.build();
}

double value(const model::Mechanism& mechanism, const std::string& name, const MechanismMotion& motion) {
  return value_of(mechanism, model::find_variable(mechanism, name), motion);
}

/// The motion of both bodies in the plane, as functions of time.
Pose<D2> arm_pose(const D2& t) { return test::tumbling_in_plane(t); }
Pose<D2> slide_pose(const D2& t) { return test::tumbling_in_plane(0.4 - 1.6 * t); }

core::Vector3<D2> point_of(const Pose<D2>& X_WB, const Eigen::Vector3d& p_BP_B) {
  return X_WB.apply_to_point(p_BP_B.unaryExpr([](double x) { return D2(x); }));
}

D2 distance(const core::Vector3<D2>& a, const core::Vector3<D2>& b) {
  const core::Vector3<D2> d = b - a;
  return sqrt(d.x() * d.x() + d.y() * d.y() + d.z() * d.z());
}

/// Names of a value and its first and second derivative, and what they must be.
struct Case {
  std::string position, velocity, acceleration;
  D2 expected;
};

void expect_values(const model::Mechanism& mechanism, const MechanismMotion& motion, const Case& sample) {
  const double allowed = test::roundoff(256, 40.0);  // the largest acceleration is below 40
  EXPECT_LE(std::abs(value(mechanism, sample.position, motion) - sample.expected.value.value), allowed)
      << sample.position;
  EXPECT_LE(std::abs(value(mechanism, sample.velocity, motion) - sample.expected.value.derivative), allowed)
      << sample.velocity;
  if (sample.acceleration.empty()) return;
  EXPECT_LE(std::abs(value(mechanism, sample.acceleration, motion) - sample.expected.derivative.derivative),
            allowed)
      << sample.acceleration;
}

// derivative: every rate is the dual number's derivative of the position of the same name.
TEST(ValueOf, IsThePositionAndItsDerivatives_ForEveryKindInThePlane) {
  const model::Mechanism mechanism = planar();
  for (const double time : {0.0, 0.4, 1.1}) {
    const D2 t = test::seeded_time(time);
    const MechanismMotion motion{BodyMotion(), test::motion_of(arm_pose(t)), test::motion_of(slide_pose(t))};
    const D2 angle = 0.4 + 0.7 * t + 0.3 * sin(t);
    const core::Vector3<D2> O(D2(0.375), D2(-0.25), D2(0.0));
    const auto P = point_of(arm_pose(t), {0.875, -0.375, 0.0});
    const auto S = point_of(slide_pose(t), {0.2, 0.1, 0.0});
    expect_values(mechanism, motion, {"arm.angle", "arm.rate", "arm.angular_acceleration", angle});
    expect_values(mechanism, motion, {"arm.P.x", "arm.P.vx", "arm.P.ax", P.x()});
    expect_values(mechanism, motion, {"arm.P.y", "arm.P.vy", "arm.P.ay", P.y()});
    expect_values(mechanism, motion, {"A.q", "A.v", "A.a", angle});
    expect_values(mechanism, motion, {"strut.length", "strut.rate", "", distance(O, P)});
    expect_values(mechanism, motion, {"coil.length", "coil.rate", "", angle});
    expect_values(mechanism, motion, {"shock.length", "shock.rate", "", distance(S, O)});
    expect_values(mechanism, motion, {"brake.length", "brake.rate", "", angle});
    // S seen from P along the axis (0.6, 0.8) that turns with the arm
    const auto PS = arm_pose(t).R_AB.inverse() * core::Vector3<D2>(S - P);
    expect_values(mechanism, motion, {"rail.q", "rail.v", "rail.a", 0.6 * PS.x() + 0.8 * PS.y()});
    EXPECT_EQ(value(mechanism, "ground.O.y", motion), -0.25);
    EXPECT_EQ(value(mechanism, "ground.O.vy", motion), 0.0);
  }
}

TEST(ValueOf, IsThePositionAndItsDerivatives_ForEveryKindInSpace) {
  const model::Mechanism mechanism = spatial();
  for (const double time : {0.0, 0.4, 1.1}) {
    const D2 t = test::seeded_time(time);
    const BodyMotion arm = test::motion_of(test::tumbling(t));
    const MechanismMotion motion{BodyMotion(), arm};
    const auto P = point_of(test::tumbling(t), {0.9, -0.3, 0.4});
    const auto e = test::tumbling(t).R_AB.to_euler_parameters();
    for (int k = 0; k < 3; ++k) {
      const std::string letter(1, "xyz"[k]);
      expect_values(mechanism, motion, {"arm.P." + letter, "arm.P.v" + letter, "arm.P.a" + letter, P(k)});
      EXPECT_EQ(value(mechanism, "arm.w" + letter, motion), arm.w_WB_W(k));
      EXPECT_EQ(value(mechanism, "arm.alpha" + letter, motion), arm.alpha_WB_W(k));
    }
    for (int k = 0; k < 4; ++k)
      EXPECT_LE(std::abs(value(mechanism, "arm.e" + std::to_string(k), motion) - e(k).value.value),
                test::roundoff(16, 1.0));
    const auto relative = coordinates::relative_motion(mechanism.joints()[0], motion);
    for (int k = 0; k < 2; ++k) {
      const auto expected = coordinates::joint_coordinate(JointType::kCylindrical, k, relative);
      const std::string number = std::to_string(k + 1);
      EXPECT_NEAR(value(mechanism, "J.q" + number, motion), expected.position, test::roundoff(64, 1.0));
      EXPECT_NEAR(value(mechanism, "J.v" + number, motion), expected.velocity, test::roundoff(64, 1.0));
      EXPECT_NEAR(value(mechanism, "J.a" + number, motion), expected.acceleration, test::roundoff(64, 1.0));
    }
  }
}

TEST(ConnectionValue, OfCoincidentPointsIsZeroAndTheSpeedApart) {
  const model::Mechanism mechanism = planar();
  MechanismMotion motion(3);
  motion[1].X_WB.p_AB_A = Eigen::Vector3d(-0.5, 0.125, 0.0);  // arm.P on ground.O
  motion[1].v_WB_W = Eigen::Vector3d(3.0, -4.0, 0.0);
  const ConnectionValue strut = connection_value(mechanism, mechanism.springs()[0].connection, motion);
  EXPECT_EQ(strut.length, 0.0);
  EXPECT_EQ(strut.rate, 5.0);
}

TEST(ValueOf, AForceOrAForeignMotionIsRefused) {
  const model::Mechanism mechanism = planar();
  const MechanismMotion motion(3);
  EXPECT_EQ(
      test::sentence_of<core::ContractError>([&] { (void)value(mechanism, "motor.effort", motion); }),
      "a motion does not determine forces [value_of]: expected a variable of the motion, got 'motor.effort'. "
      "Ask needs_forces first; layer dynamics gives forces.");
  for (const char* name : {"A.fx", "A.mz", "coil.force", "shock.force", "motor.effort"})
    EXPECT_TRUE(needs_forces(model::find_variable(mechanism, name))) << name;
  for (const char* name : {"A.q", "arm.angle", "arm.P.ax", "coil.length", "shock.rate"})
    EXPECT_FALSE(needs_forces(model::find_variable(mechanism, name))) << name;
  EXPECT_EQ(
      test::sentence_of<core::ContractError>(
          [&] { (void)value(mechanism, "arm.angle", MechanismMotion(2)); }),
      "a motion of another mechanism [plane]: expected 3 bodies with the ground, got 2. Give the motion of "
      "all bodies, the ground first.");
}

/// The recorder of these names.
VariableRecorder recorder_of(const model::Mechanism& mechanism, const std::vector<std::string>& names) {
  std::vector<model::Variable> variables;
  for (const std::string& name : names) variables.push_back(model::find_variable(mechanism, name));
  return {mechanism, variables};
}

/// The arm at this angle about joint A, with these rates; the slide at rest on it.
MechanismMotion turned_arm(const D2& angle) {
  const Pose<D2> X_WB{Rotation<D2>::about_z(angle), core::Vector3<D2>::Zero()};
  return {BodyMotion(), test::motion_of(X_WB), test::motion_of(X_WB)};
}

// 40 rad/s with steps of 0.1 s: two thirds of a turn and more from row to row, faster and faster, both ways.
TEST(VariableRecorder, KeepsAnglesContinuous_OverManyTurnsWithCoarseSteps) {
  const model::Mechanism mechanism = planar();
  VariableRecorder recorder =
      recorder_of(mechanism, {"arm.angle", "arm.P.x", "A.q", "coil.length", "brake.length"});
  for (const double direction : {1.0, -1.0}) {
    recorder.reset();
    std::vector<double> out(5);
    for (int k = 0; k <= 60; ++k) {
      const D2 t = test::seeded_time(0.1 * k);
      const D2 angle = direction * (0.5 + 40.0 * t + 3.0 * t * t + 0.5 * sin(3.0 * t));
      const MechanismMotion motion = turned_arm(angle);
      recorder.record(0.1 * k, motion, out);
      const double allowed = test::roundoff(16, 400.0);
      for (const std::size_t slot : {0u, 2u, 3u, 4u})
        ASSERT_LE(std::abs(out[slot] - angle.value.value), allowed) << k;
      EXPECT_EQ(out[1], value(mechanism, "arm.P.x", motion));
    }
  }
}

// Three turns and more from row to row: only the instants between tell how many.
TEST(VariableRecorder, GoesOnFromInstantsOfWhichNoValuesAreWanted) {
  const model::Mechanism mechanism = planar();
  VariableRecorder recorder = recorder_of(mechanism, {"arm.angle", "A.q", "brake.length"});
  std::vector<double> out(3);
  for (int k = 0; k <= 60; ++k) {
    const D2 t = test::seeded_time(0.1 * k);
    const D2 angle = 30.0 * sin(2.0 * t);
    if (k % 10 != 0) {
      recorder.follow(0.1 * k, turned_arm(angle));
      continue;
    }
    recorder.record(0.1 * k, turned_arm(angle), out);
    for (const double value : out)
      ASSERT_LE(std::abs(value - angle.value.value), test::roundoff(16, 30.0)) << k;
  }
  EXPECT_THROW(recorder.follow(7.0, MechanismMotion(4)), core::ContractError);
}

TEST(VariableRecorder, BeginsNearTheHint_AndInOneTurnWithoutIt) {
  const model::Mechanism mechanism = planar();
  VariableRecorder recorder = recorder_of(mechanism, {"A.q", "arm.angle", "arm.P.y"});
  recorder.set_hint(0, 19.0);
  recorder.set_hint(2, 19.0);  // no angle: no effect
  std::vector<double> out(3);
  const double start = 1.0 + 6 * pi;
  for (const bool again : {false, true}) {
    if (again) recorder.reset();
    for (int k = 0; k < 4; ++k) {
      const D2 t = test::seeded_time(0.5 * k);
      recorder.record(0.5 * k, turned_arm(start + 4.0 * t), out);
      EXPECT_LE(std::abs(out[0] - (start + 2.0 * k)), test::roundoff(16, 30.0));
      EXPECT_LE(std::abs(out[1] - (1.0 + 2.0 * k)), test::roundoff(16, 30.0));
    }
  }
}

TEST(VariableRecorder, ForgetsTheTurnsAfterReset) {
  const model::Mechanism mechanism = planar();
  VariableRecorder recorder = recorder_of(mechanism, {"A.q"});
  std::vector<double> out(1);
  recorder.record(0.0, turned_arm(D2(3.0)), out);
  recorder.record(0.1, turned_arm(D2(3.5)), out);
  EXPECT_LE(std::abs(out[0] - 3.5), test::roundoff(8, 3.5));
  recorder.reset();
  recorder.record(0.2, turned_arm(D2(3.5)), out);
  EXPECT_LE(std::abs(out[0] - (3.5 - 2 * pi)), test::roundoff(8, 3.5));
}

// analytic: a body that turns by θ about an axis u after a first turn e₀ has e = (cos θ/2, sin θ/2 u) e₀ as θ
// grows beyond all bounds. With steps of 0.7 turns neither the step before nor a prediction the wrong way
// round tells the sign; e₀ turns u nearly into −u and so tells whether the turn is in world axes.
TEST(VariableRecorder, KeepsTheSignOfEulerParameters_OverManyTurnsWithCoarseSteps) {
  const model::Mechanism mechanism = spatial();
  VariableRecorder recorder =
      recorder_of(mechanism, {"arm.e0", "arm.e1", "arm.wx", "arm.e2", "arm.e3", "J.q2"});
  const Eigen::Vector3d u = Eigen::Vector3d(0.6, -1.1, 0.8).normalized();
  const core::Vector3<D2> axis = u.unaryExpr([](double x) { return D2(x); });
  const Eigen::Vector3d u0 = Eigen::Vector3d(1.1, 0.6, 0.0).normalized();
  const Pose<D2> start = test::constant({Rotation<double>::from_axis_angle(u0, 3.0), {0.3, 0.1, -0.6}});
  for (const double step : {0.05, 0.7 * 2 * pi}) {
    recorder.reset();
    std::vector<double> out(6);
    for (int k = 0; k < 60; ++k) {
      const D2 t = test::seeded_time(0.1 * k);
      const D2 angle = 0.3 + 10.0 * step * t;
      const Pose<D2> turn{Rotation<D2>::from_axis_angle(axis, angle), core::Vector3<D2>::Zero()};
      const MechanismMotion motion{BodyMotion(), test::motion_of(turn * start)};
      recorder.record(0.1 * k, motion, out);
      const Eigen::Quaterniond e =
          Eigen::AngleAxisd(angle.value.value, u) * Eigen::Quaterniond(Eigen::AngleAxisd(3.0, u0));
      const Eigen::Vector4d expected(e.w(), e.x(), e.y(), e.z());
      const Eigen::Vector4d actual(out[0], out[1], out[3], out[4]);
      ASSERT_LE((actual - expected).norm(), test::roundoff(64, 1.0 + angle.value.value)) << k;
      EXPECT_EQ(out[2], motion[1].w_WB_W.x());
      EXPECT_EQ(out[5], value(mechanism, "J.q2", motion));
    }
  }
}

TEST(VariableRecorder, LeavesForcesToOthers) {
  const model::Mechanism mechanism = planar();
  VariableRecorder recorder = recorder_of(mechanism, {"A.fx", "arm.angle", "motor.effort"});
  std::vector<double> out{7.0, 8.0, 9.0};
  recorder.record(0.0, turned_arm(D2(0.25)), out);
  EXPECT_EQ(out[0], 7.0);
  EXPECT_LE(std::abs(out[1] - 0.25), test::roundoff(4, 1.0));
  EXPECT_EQ(out[2], 9.0);
}

TEST(VariableRecorder, RefusesWrongSizes) {
  const model::Mechanism mechanism = planar();
  VariableRecorder recorder = recorder_of(mechanism, {"A.q", "A.v"});
  std::vector<double> out(3);
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { recorder.record(0.0, MechanismMotion(3), out); }),
            "no place for the values [VariableRecorder::record]: expected one number per variable, 2, got 3. "
            "Give a "
            "span of that size.");
  out.resize(2);
  EXPECT_THROW(recorder.record(0.0, MechanismMotion(4), out), core::ContractError);
  EXPECT_THROW(recorder.set_hint(2, 0.0), core::ContractError);
  EXPECT_THROW(recorder.set_hint(-1, 0.0), core::ContractError);
}

TEST(VariableRecorder, DoesNotAllocate) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  const model::Mechanism plane = planar(), space = spatial();
  VariableRecorder first =
      recorder_of(plane, {"arm.angle", "arm.P.x", "A.q", "rail.a", "strut.length", "coil.rate"});
  VariableRecorder second = recorder_of(space, {"arm.e0", "arm.e3", "J.q1", "J.q2", "arm.P.az"});
  std::vector<double> out1(6), out2(5);
  const MechanismMotion plane_motion = turned_arm(test::seeded_time(0.3));
  const MechanismMotion space_motion{BodyMotion(), test::motion_of(test::tumbling(test::seeded_time(0.3)))};
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k < 10; ++k) {
                first.record(0.1 * k, plane_motion, out1);
                second.record(0.1 * k, space_motion, out2);
              }
            }),
            0);
}

}  // namespace
}  // namespace eslabon::kinematics
