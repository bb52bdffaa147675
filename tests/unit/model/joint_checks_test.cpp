// Every rule about joints with the sentence it gives, and the frames that joints get.
#include <limits>

#include "tests/unit/model/sample_builders.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::build_sentence;
using test::four_bar;
using test::loose_arm;
using test::sentence;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string add(MechanismBuilder builder, JointDescription joint) {
  return sentence([&] { builder.add_joint(joint); });
}

std::string add_and_build(MechanismBuilder builder, JointDescription joint) {
  return sentence([&] {
    builder.add_joint(joint);
    (void)builder.build();
  });
}

JointDescription shoulder(JointType type, std::optional<AxisPair> axis = {}) {
  return {"shoulder", type, "ground.O", "arm.P", axis};
}

/// The joint of the arm when it is built with this description.
Joint built(JointDescription joint) {
  MechanismBuilder builder = loose_arm();
  builder.add_joint(std::move(joint));
  return builder.build().joints().front();
}

Matrix3d axes(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d m;
  m << x, y, z;
  return m;
}
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

TEST(JointTypes, OfSpaceAreRefusedInThePlane) {
  EXPECT_EQ(
      add(four_bar(), {"S", JointType::kSpherical, "ground.A", "crank.P1"}),
      "a spherical joint is not possible in a planar mechanism [joint 'S', spherical]: expected 'revolute', "
      "'prismatic', 'fixed', 'free', 'rod', 'slot', 'circular_slot', 'rolling', 'linear_actuator', "
      "'translation' "
      "or 3 more, got 'spherical'. Use one of these, or remove 'plane' to make "
      "the "
      "mechanism spatial.");
  for (const JointType type : {JointType::kCylindrical, JointType::kUniversal, JointType::kPlanar})
    EXPECT_NE(add(four_bar(), {"S", type, "ground.A", "crank.P1"}), "no error");
}

TEST(JointEnds, AreMarkersOfBodies) {
  EXPECT_EQ(
      add_and_build(four_bar(), {"J", JointType::kFixed, "ground", "crank.P1"}),
      "no such point or frame [joint 'J', fixed]: expected BODY.POINT or BODY.FRAME, got 'ground'. Write the "
      "body, a dot and the name of the point or frame.");
  EXPECT_EQ(add_and_build(four_bar(), {"J", JointType::kFixed, "ground.A", "crnk.P1"}),
            "no such body [joint 'J', fixed]: expected a body: 'ground', 'crank', 'coupler' or 'rocker', got "
            "'crnk.P1'. Did you mean 'crank.P1'?");
  EXPECT_EQ(
      add_and_build(four_bar(), {"J", JointType::kRevolute, "ground.A", "crank.P2"}),
      "no such point or frame [joint 'J', revolute]: expected a point or frame of 'crank': 'A' or 'P1', got "
      "'crank.P2'. Did you mean 'crank.P1'?");
  EXPECT_EQ(
      add_and_build(loose_arm(), {"J", JointType::kFixed, "ground.zzz", "arm.P"}),
      "no such point or frame [joint 'J', fixed]: expected a point or frame of 'ground': 'O' or 'F', got "
      "'ground.zzz'. Add it to 'ground', or use another.");
  EXPECT_EQ(add_and_build(four_bar(), {"J", JointType::kFixed, "P1.x", "crank.P1"}),
            "no such body [joint 'J', fixed]: expected a body: 'ground', 'crank', 'coupler' or 'rocker', got "
            "'P1.x'. "
            "Add the body, or use one of these.");
}

TEST(JointEnds, BelongToTwoBodies) {
  EXPECT_EQ(add_and_build(four_bar(), {"J", JointType::kFixed, "crank.A", "crank.P1"}),
            "a joint holds the same body at both ends [joint 'J', fixed]: expected two different bodies, got "
            "'crank.A' "
            "and 'crank.P1'. Change one of the ends.");
}

TEST(JointAxis, IsNeeded_WhereAJointOfPointsHasOne) {
  for (const char* type : {"revolute", "prismatic", "cylindrical", "universal", "planar"})
    EXPECT_EQ(add_and_build(loose_arm(), shoulder(*find_joint_type(type, false))),
              std::string("a ") + type +
                  " joint without axis [joint 'shoulder', axis]: expected an axis, or frames instead of "
                  "points, got "
                  "none. Give the direction as 'axis:'.");
  EXPECT_EQ(
      add_and_build(four_bar(), {"J", JointType::kPrismatic, "ground.A", "crank.P1"}),
      "a prismatic joint without axis [joint 'J', axis]: expected an axis, or frames instead of points, got "
      "none. Give the direction as 'axis:'.");
}

TEST(JointAxis, IsRefused_WhereItMeansNothing) {
  for (const char* type : {"spherical", "fixed", "free", "rod"})
    EXPECT_EQ(
        add(loose_arm(), shoulder(*find_joint_type(type, false), AxisPair{kX, kY})),
        std::string("a ") + type +
            " joint has no axis [joint 'shoulder', axis]: expected no axis, got [1, 0, 0]. Remove the axis.");
  EXPECT_EQ(add(four_bar(), {"J", JointType::kRevolute, "ground.A", "crank.P1", AxisPair{kZ, kZ}}),
            "a revolute joint has no axis in the plane [joint 'J', axis]: expected no axis, got [0, 0, 1]. "
            "Remove the "
            "axis.");
  EXPECT_EQ(add_and_build(loose_arm(), {"J", JointType::kRevolute, "ground.F", "arm.G", AxisPair{kX, kX}}),
            "two axes for one joint [joint 'J', axis]: expected no axis for a joint of frames, which have "
            "their own, "
            "got [1, 0, 0]. Remove the axis, or join points.");
}

TEST(JointAxis, IsADirection) {
  EXPECT_EQ(add(loose_arm(), shoulder(JointType::kRevolute, AxisPair{kX, Vector3d::Zero()})),
            "axis has no direction [joint 'shoulder', axis]: expected a vector that is not zero, got [0, 0, "
            "0]. Give "
            "at least one component that is not 0.");
  EXPECT_EQ(add(loose_arm(), shoulder(JointType::kRevolute, AxisPair{{kNan, 0, 0}, kX})),
            "axis is not a vector one can compute with [joint 'shoulder', axis]: expected finite numbers, "
            "got [nan, 0, "
            "0]. Check the number and the parameters it is computed from.");
  EXPECT_EQ(add(four_bar(), {"J", JointType::kPrismatic, "ground.A", "crank.P1", AxisPair{{1, 0, 0.5}, kX}}),
            "axis leaves the plane [joint 'J', axis]: expected z = 0 in a planar mechanism, got 0.5. Set z "
            "to 0, or "
            "remove 'plane' to make the mechanism spatial.");
}

TEST(JointEnds, AreTwoPointsOrTwoFrames_WhereTheJointHasAnAxis) {
  EXPECT_EQ(add_and_build(loose_arm(), {"J", JointType::kRevolute, "ground.F", "arm.P", AxisPair{kX, kX}}),
            "a joint of a point and a frame [joint 'J', revolute]: expected two points and an axis, or two "
            "frames, got "
            "'ground.F' and 'arm.P'. Add a frame at the point, and join the frames.");
  EXPECT_EQ(add_and_build(loose_arm(), {"J", JointType::kSpherical, "ground.F", "arm.P"}), "no error");
}

TEST(JointFrames, HaveZAlongTheAxis_OfTurningAndPlanarJoints) {
  for (const JointType type : {JointType::kRevolute, JointType::kCylindrical, JointType::kPlanar}) {
    const Joint joint = built(shoulder(type, AxisPair{{2.0, 0.0, 0.0}, {0.0, 0.0, 5.0}}));
    EXPECT_EQ(joint.ends[0].X_BF.R_AB.matrix(), axes(kY, kZ, kX));
    EXPECT_EQ(joint.ends[0].X_BF.p_AB_A, Vector3d::Zero());
    EXPECT_EQ(joint.ends[1].X_BF.R_AB.matrix(), Matrix3d::Identity());
    EXPECT_EQ(joint.ends[1].X_BF.p_AB_A, Vector3d(1.0, 0.5, 0.25));
    EXPECT_EQ(joint.ends[0].axis_B, Vector3d(2.0, 0.0, 0.0)) << "kept as written";
  }
}

TEST(JointFrames, HaveXAlongTheAxis_OfSlidingJoints) {
  const Joint joint = built(shoulder(JointType::kPrismatic, AxisPair{{0.0, 4.0, 0.0}, {0.0, 0.0, 1.0}}));
  EXPECT_EQ(joint.ends[0].X_BF.R_AB.matrix(), axes(kY, -kX, kZ));
  EXPECT_EQ(joint.ends[1].X_BF.R_AB.matrix(), axes(kZ, kX, kY));
}

TEST(JointFrames, HaveXAndThenYAlongTheTwoAxes_OfUniversalJoints) {
  const Joint plain = built(shoulder(JointType::kUniversal, AxisPair{{3.0, 0.0, 0.0}, {0.0, 2.0, 0.0}}));
  EXPECT_EQ(plain.ends[0].X_BF.R_AB.matrix(), Matrix3d::Identity());
  EXPECT_EQ(plain.ends[1].X_BF.R_AB.matrix(), Matrix3d::Identity());
  EXPECT_EQ(plain.ends[1].X_BF.p_AB_A, Vector3d(1.0, 0.5, 0.25));
  const Joint turned = built(shoulder(JointType::kUniversal, AxisPair{kY, kZ}));
  EXPECT_EQ(turned.ends[0].X_BF.R_AB.matrix(), axes(kY, -kX, kZ));
  EXPECT_EQ(turned.ends[1].X_BF.R_AB.matrix(), axes(kX, kZ, -kY));
  EXPECT_EQ(built(shoulder(JointType::kUniversal, AxisPair{kY, kX})).ends[1].X_BF.R_AB.matrix(),
            axes(kZ, kX, kY));
}

TEST(JointFrames, HaveTheAxesOfTheBody_WithoutAnAxis) {
  for (const JointType type : {JointType::kSpherical, JointType::kFixed, JointType::kFree}) {
    const Joint joint = built(shoulder(type));
    EXPECT_EQ(joint.ends[1].X_BF.R_AB.matrix(), Matrix3d::Identity());
    EXPECT_EQ(joint.ends[1].X_BF.p_AB_A, Vector3d(1.0, 0.5, 0.25));
    EXPECT_FALSE(joint.ends[1].axis_B);
  }
}

TEST(JointFrames, AreTheNamedFrames_ForEveryType) {
  MechanismBuilder builder = loose_arm();
  builder.add_body({.name = "tool", .frames = {{.name = "F", .p_BF_B = {1, 2, 3}, .x_B = kY, .z_B = kX}}});
  builder.add_joint({"a", JointType::kRevolute, "ground.F", "arm.F"});
  builder.add_joint({"b", JointType::kUniversal, "arm.G", "tool.F"});
  const Mechanism mechanism = builder.build();
  const JointEnd& end = mechanism.joints()[1].ends[1];
  EXPECT_EQ(end.X_BF.R_AB.matrix(), axes(kY, kZ, kX));
  EXPECT_EQ(end.X_BF.p_AB_A, Vector3d(1, 2, 3));
  EXPECT_EQ(end.marker, "F");
  EXPECT_FALSE(end.axis_B);
}

TEST(JointFrames, InThePlane_TurnAboutZOnly) {
  MechanismBuilder builder = four_bar();
  builder.add_body({.name = "slide", .points = {{"S", {0.5, 0.0, 0.0}}}});
  builder.add_joint({"S", JointType::kPrismatic, "coupler.P2", "slide.S", AxisPair{{-1, -1, 0}, {0, -3, 0}}});
  const Mechanism mechanism = builder.build();
  const Joint& joint = mechanism.joints().back();
  const double h = std::sqrt(0.5);
  EXPECT_LE((joint.ends[0].X_BF.R_AB.matrix() - axes({-h, -h, 0}, {h, -h, 0}, kZ)).norm(), 1e-15);
  EXPECT_EQ(joint.ends[1].X_BF.R_AB.matrix(), axes(-kY, kX, kZ));
  EXPECT_EQ(mechanism.joints()[0].ends[1].X_BF.R_AB.matrix(), Matrix3d::Identity());
}

TEST(Rods, HaveALength) {
  JointDescription rod{"R", JointType::kRod, "ground.A", "coupler.P2"};
  EXPECT_EQ(add(four_bar(), rod),
            "a rod without length [joint 'R', length]: expected length > 0 m, got none. Give the distance of "
            "its two "
            "points as 'length:'.");
  rod.length = 0.0;
  EXPECT_EQ(
      add(four_bar(), rod),
      "length is not positive [joint 'R', length]: expected length > 0 m, got 0 m. Give a positive value.");
  rod.length = 0.5;
  rod.rod_mass = -0.1;
  EXPECT_EQ(
      add(four_bar(), rod),
      "mass is negative [joint 'R', mass]: expected mass >= 0 kg, got -0.1 kg. Give a value that is zero or "
      "positive.");
  rod.rod_mass = 0.1;
  MechanismBuilder builder = four_bar();
  builder.add_joint(rod);
  const Joint joint = builder.build().joints().back();
  EXPECT_EQ(joint.length, 0.5);
  EXPECT_EQ(joint.rod_mass, 0.1);
}

TEST(Rods, AloneHaveLengthAndMass) {
  EXPECT_EQ(add(four_bar(), {.name = "J",
                             .type = JointType::kRevolute,
                             .first = "ground.A",
                             .second = "crank.P1",
                             .length = 0.5}),
            "length of a joint that is not a rod [joint 'J', length]: expected length with rods only, got "
            "0.5 m for a "
            "revolute joint. Remove 'length:'.");
  EXPECT_EQ(add(four_bar(), {.name = "J",
                             .type = JointType::kFixed,
                             .first = "ground.A",
                             .second = "crank.P1",
                             .rod_mass = 2.0}),
            "mass of a joint that is not a rod [joint 'J', mass]: expected mass with rods only, got 2 kg for "
            "a fixed "
            "joint. Remove 'mass:'.");
}

TEST(Friction, IsNotNegativeAndOrdered) {
  JointDescription joint{
      .name = "J", .type = JointType::kRevolute, .first = "ground.A", .second = "crank.P1"};
  joint.friction = {.viscous = -1.0};
  EXPECT_EQ(
      add(four_bar(), joint),
      "viscous is negative [joint 'J', friction, viscous]: expected viscous >= 0, got -1. Give a value that "
      "is zero or "
      "positive.");
  joint.friction = {.coulomb = 2.0, .stiction = 1.0};
  EXPECT_EQ(
      add(four_bar(), joint),
      "stiction is below sliding friction [joint 'J', friction]: expected stiction >= coulomb, got 1 and 2. "
      "Raise stiction, or remove it.");
  joint.friction = {.coulomb = 1.0, .stiction = 2.0};
  EXPECT_EQ(add(four_bar(), joint),
            "stiction without the speed at which it ends [joint 'J', friction]: expected stribeck_speed > 0, "
            "got 0. "
            "Give 'stribeck_speed:', or remove stiction.");
  joint.friction = {.coulomb = 1.0, .stiction = 2.0, .stribeck_speed = 0.1};
  EXPECT_EQ(add(four_bar(), joint), "no error");
}

TEST(Friction, StictionIsThatOfSliding_WhenItIsNotGiven) {
  MechanismBuilder builder = loose_arm();
  JointDescription joint = shoulder(JointType::kRevolute, AxisPair{kX, kX});
  joint.friction = {.coulomb = 1.5};
  builder.add_joint(joint);
  EXPECT_EQ(builder.build().joints()[0].friction,
            (JointFriction{.coulomb = 1.5, .stiction = 1.5, .creep_speed = 1e-4}));
}

TEST(Friction, NeedsBodiesThatRub) {
  for (const JointType type : {JointType::kFixed, JointType::kRod, JointType::kFree}) {
    JointDescription joint{.name = "J", .type = type, .first = "ground.A", .second = "crank.P1"};
    if (type == JointType::kRod) joint.length = 1.0;
    joint.friction.viscous = 0.1;
    EXPECT_EQ(add(four_bar(), joint),
              "friction where nothing rubs [joint 'J', friction]: expected a joint whose bodies touch and "
              "move, got a " +
                  std::string(facts(type).name) + " joint. Remove the friction.");
  }
}

TEST(Joints, AreWrittenOnce) {
  EXPECT_EQ(add_and_build(four_bar(), {"again", JointType::kRevolute, "crank.A", "ground.A"}),
            "a joint is written twice [joint 'again', revolute]: expected one revolute joint between two "
            "markers, got "
            "the same ends as joint 'A'. Remove one of the two.");
  EXPECT_EQ(add_and_build(four_bar(), {"locked", JointType::kFixed, "crank.A", "ground.A"}), "no error");
}

TEST(Joints, LeadFromEveryBodyToTheGround) {
  EXPECT_EQ(
      build_sentence(loose_arm()),
      "a body is not connected to the ground [body 'arm']: expected joints that lead from every body to the "
      "ground, got no joint. Add the joint that is missing, or a 'free' joint to the ground if the body "
      "floats.");
  MechanismBuilder pair = four_bar();
  pair.add_body(test::bar_body("left", "A", "B", 1.0));
  pair.add_body(test::bar_body("right", "A", "B", 1.0));
  pair.add_joint({"between", JointType::kRevolute, "left.A", "right.A"});
  EXPECT_EQ(
      build_sentence(pair),
      "a body is not connected to the ground [body 'left']: expected joints that lead from every body to the "
      "ground, got joints that do not lead there, and 1 more body like it. Add the joint that is missing, or "
      "a "
      "'free' joint to the ground if the body floats.");
  pair.add_joint({"float", JointType::kFree, "ground.A", "right.B"});
  EXPECT_EQ(build_sentence(pair), "no error");
}

}  // namespace
}  // namespace eslabon::model
