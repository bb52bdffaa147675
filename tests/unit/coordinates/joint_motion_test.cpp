#include "eslabon/coordinates/joint_motion.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/motion_of_time.hpp"
#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::coordinates {
namespace {

using core::Pose;
using core::Rotation;
using core::Vector3;
using model::JointType;
using std::numbers::pi;
using test::D2;

const std::vector<double> kTimes{0.0, 0.37, 1.2, 2.9};

/// Coordinates of the joint as functions of time.
D2 q1(const D2& t) { return 0.8 - 0.5 * t + 0.3 * t * t; }
D2 q2(const D2& t) { return -0.4 + 0.6 * sin(1.7 * t); }
D2 q3(const D2& t) { return 0.3 * t - 0.2 * cos(t); }

Rotation<D2> about(int axis, const D2& angle) {
  Vector3<D2> u = Vector3<D2>::Zero();
  u(axis) = D2(1.0);
  return Rotation<D2>::from_axis_angle(u, angle);
}

/// X_F1F2 of a joint with these coordinates, as docs/theory-model.md has it.
Pose<D2> joint_pose(JointType type, const D2& t) {
  const D2 zero(0.0);
  switch (type) {
    case JointType::kRevolute:
      return {about(2, q1(t)), {zero, zero, zero}};
    case JointType::kPrismatic:
      return {Rotation<D2>(), {q1(t), zero, zero}};
    case JointType::kCylindrical:
      return {about(2, q1(t)), {zero, zero, q2(t)}};
    case JointType::kHelical:
      return {about(2, q1(t)), {zero, zero, D2(0.7 / (2.0 * pi)) * q1(t)}};
    case JointType::kUniversal:
      return {about(0, q1(t)) * about(1, q2(t)), {zero, zero, zero}};
    case JointType::kPlanar:
      return {about(2, q3(t)), {q1(t), q2(t), zero}};
    case JointType::kSlot:
    case JointType::kRolling:
      return {about(2, q2(t)), {q1(t), zero, zero}};
    case JointType::kCircularSlot:
      return {about(2, q2(t)), {0.7 * cos(q1(t)), 0.7 * sin(q1(t)), zero}};
    case JointType::kPointOnLine:
      return {Rotation<D2>::from_rotation_vector({q3(t), q1(t), q2(t)}), {q1(t), zero, zero}};
    case JointType::kPointOnPlane:
      return {Rotation<D2>::from_rotation_vector({q3(t), q1(t), q2(t)}), {q1(t), q2(t), zero}};
    case JointType::kLinearActuator:
      return {Rotation<D2>::from_rotation_vector({q3(t), q1(t), q2(t)}),
              {q1(t) * cos(q2(t)) * cos(q3(t)), q1(t) * sin(q2(t)) * cos(q3(t)), q1(t) * sin(q3(t))}};
    default:
      return {Rotation<D2>::from_rotation_vector({q1(t), q2(t), q3(t)}), {q3(t), q1(t), q2(t)}};
  }
}

D2 expected_coordinate(int component, const D2& t) {
  return component == 0 ? q1(t) : component == 1 ? q2(t) : q3(t);
}

/// A joint of this type between bodies 1 and 2, with frames that share no axis with the bodies.
model::Joint make_joint(JointType type) {
  model::Joint joint;
  joint.type = type;
  joint.length = type == JointType::kRolling ? 0.4 : model::has_lead(type) ? 0.7 : 0.0;
  joint.ends[0].body = model::BodyIndex(1);
  joint.ends[0].X_BF = {Rotation<double>::from_rotation_vector({0.5, -0.8, 1.1}), {0.3, -0.2, 0.7}};
  joint.ends[1].body = model::BodyIndex(2);
  joint.ends[1].X_BF = {Rotation<double>::from_rotation_vector({-1.3, 0.4, 0.6}), {-0.6, 0.9, 0.1}};
  return joint;
}

/// X_WB2 = X_WB1 X_B1F1 X_F1F2 X_F2B2 with a first body that moves.
MechanismMotion bodies_at(const model::Joint& joint, double time) {
  const D2 t = test::seeded_time(time);
  const Pose<D2> X_WB1 = test::tumbling(t);
  const Pose<D2> X_WB2 = X_WB1 * test::constant(joint.ends[0].X_BF) * joint_pose(joint.type, t) *
                         test::constant(joint.ends[1].X_BF.inverse());
  return {BodyMotion(), test::motion_of(X_WB1), test::motion_of(X_WB2)};
}

/// Products of some hundred factors of this size, the largest intermediate of the motion of the bodies.
double tolerance(const MechanismMotion& bodies) {
  const double scale = 1.0 + bodies[2].a_WB_W.norm() + bodies[2].alpha_WB_W.norm() +
                       std::pow(bodies[2].w_WB_W.norm() + bodies[1].w_WB_W.norm(), 2);
  return test::roundoff(128, scale);
}

// derivative: the motion between the frames is differentiated by dual numbers in F1 itself, where it is
// given.
TEST(RelativeMotion, IsTheMotionThatAnObserverOnTheFirstFrameSees) {
  const model::Joint joint = make_joint(JointType::kFree);
  for (const double time : kTimes) {
    const BodyMotion expected = test::motion_of(joint_pose(joint.type, test::seeded_time(time)));
    const MechanismMotion bodies = bodies_at(joint, time);
    const RelativeMotion actual = relative_motion(joint, bodies);
    const double allowed = tolerance(bodies);
    EXPECT_LE((actual.R - expected.X_WB.R_AB.matrix()).norm(), allowed) << time;
    EXPECT_LE((actual.p - expected.X_WB.p_AB_A).norm(), allowed) << time;
    EXPECT_LE((actual.w - expected.w_WB_W).norm(), allowed) << time;
    EXPECT_LE((actual.v - expected.v_WB_W).norm(), allowed) << time;
    EXPECT_LE((actual.alpha - expected.alpha_WB_W).norm(), allowed) << time;
    EXPECT_LE((actual.a - expected.a_WB_W).norm(), allowed) << time;
  }
}

TEST(JointCoordinate, AndItsRatesAreThoseTheMotionWasBuiltFrom_ForEveryTypeAndComponent) {
  int compared = 0;
  for (const model::JointTypeFacts& facts : model::all_joint_types()) {
    if (model::has_curve(facts.type)) continue;  // contact_motion_test
    const model::Joint joint = make_joint(facts.type);
    for (const double time : kTimes) {
      const MechanismMotion bodies = bodies_at(joint, time);
      const RelativeMotion relative = relative_motion(joint, bodies);
      for (int k = 0; k < model::coordinate_count(facts.type); ++k) {
        const D2 expected = expected_coordinate(k, test::seeded_time(time));
        const double allowed = tolerance(bodies);
        for (const CoordinateValue& actual :
             {joint_coordinate(facts.type, k, relative), joint_coordinate(joint, k, bodies)}) {
          const double off = actual.position - expected.value.value;
          const bool counts_turns = facts.type == JointType::kRolling && k == 1;
          EXPECT_LE(std::abs(counts_turns ? std::remainder(off, 2.0 * std::numbers::pi) : off), allowed)
              << facts.name << k;
          EXPECT_LE(std::abs(actual.velocity - expected.value.derivative), allowed) << facts.name << k;
          EXPECT_LE(std::abs(actual.acceleration - expected.derivative.derivative), allowed)
              << facts.name << k;
        }
        ++compared;
      }
    }
  }
  // 1 + 1 + 2 + 1 + 2 + 3, of higher pairs 2 + 2 + 2 + 1 + 2, of a linear actuator 1
  EXPECT_EQ(compared, 20 * static_cast<int>(kTimes.size()));
}

// The second angle of a universal joint is measured all around, beyond the quarter turn of most hardware.
// What a wheel has turned is nearest to what its way says, over any number of turns.
TEST(JointCoordinate, OfWhatRollsCountsTheTurnsOfItsWay) {
  model::Joint joint = make_joint(JointType::kRolling);
  for (const double way : {-5.3, -1.1, 0.2, 0.9, 7.7}) {
    const double turn = -way / joint.length;
    const Pose<double> X_F1F2{Rotation<double>::about_z(turn), {way, 0.0, 0.0}};
    MechanismMotion bodies(3);
    bodies[2].X_WB = joint.ends[0].X_BF * X_F1F2 * joint.ends[1].X_BF.inverse();
    EXPECT_NEAR(joint_coordinate(joint, 1, bodies).position, turn, 1e-13) << way;
  }
}

TEST(JointCoordinate, OfUniversalJointIsRightAllAround) {
  for (double first = -3.0; first < 3.1; first += 0.75)
    for (double second = -3.1; second < 3.1; second += 0.7) {
      RelativeMotion relative;
      relative.R = (Rotation<double>::from_axis_angle(Eigen::Vector3d::UnitX(), first) *
                    Rotation<double>::from_axis_angle(Eigen::Vector3d::UnitY(), second))
                       .matrix();
      EXPECT_LE(std::abs(joint_coordinate(JointType::kUniversal, 0, relative).position - first),
                test::roundoff(8, pi));
      EXPECT_LE(std::abs(joint_coordinate(JointType::kUniversal, 1, relative).position - second),
                test::roundoff(8, pi));
    }
}

TEST(JointCoordinate, OfHalfATurnIsPlusPi_WhateverTheSignOfZero) {
  for (const double sine : {0.0, -0.0, -1e-320}) {
    RelativeMotion relative;
    relative.R << -1, -sine, 0, sine, -1, 0, 0, 0, 1;
    EXPECT_EQ(joint_coordinate(JointType::kRevolute, 0, relative).position, pi);
  }
}

TEST(JointCoordinate, ThatTheJointDoesNotHave_IsRefused) {
  EXPECT_EQ(
      test::sentence_of<core::ContractError>(
          [] { static_cast<void>(joint_coordinate(JointType::kCylindrical, 2, RelativeMotion{})); }),
      "a joint does not have this coordinate [joint_coordinate]: expected a component from 0 to below 2 "
      "of a cylindrical joint, got 2. Ask model::coordinate_count first.");
  for (const JointType type : {JointType::kSpherical, JointType::kFixed, JointType::kFree, JointType::kRod})
    EXPECT_THROW(static_cast<void>(joint_coordinate(type, 0, RelativeMotion{})), core::ContractError);
  EXPECT_THROW(static_cast<void>(joint_coordinate(JointType::kRevolute, -1, RelativeMotion{})),
               core::ContractError);
  EXPECT_THROW(static_cast<void>(joint_coordinate(make_joint(JointType::kRod), 0, MechanismMotion(3))),
               core::ContractError);
}

TEST(Unwrapped, IsTheSameAngleNearestToTheGivenOne) {
  EXPECT_EQ(unwrapped(0.3, 0.0), 0.3);
  EXPECT_EQ(unwrapped(0.3, 3.4), 0.3);                                                   // 3.1 away
  EXPECT_LE(std::abs(unwrapped(0.3, 3.5) - (0.3 + 2 * pi)), test::roundoff(4, 2 * pi));  // 3.2 away from 0.3
  EXPECT_LE(std::abs(unwrapped(-3.0, 40.0) - (-3.0 + 14 * pi)), test::roundoff(4, 14 * pi));
  EXPECT_LE(std::abs(unwrapped(3.0, -40.0) - (3.0 - 14 * pi)), test::roundoff(4, 14 * pi));
  for (double x = -50.0; x < 50.0; x += 0.61) {
    const double wrapped = std::atan2(std::sin(x), std::cos(x));
    EXPECT_LE(std::abs(unwrapped(wrapped, x + 3.0) - x), test::roundoff(8, 50.0));
    EXPECT_LE(std::abs(unwrapped(wrapped, x - 3.0) - x), test::roundoff(8, 50.0));
  }
}

}  // namespace
}  // namespace eslabon::coordinates
