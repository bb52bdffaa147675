// Every rule about drivers, springs, dampers and loads, with the sentence it gives.
#include <limits>

#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using test::arm_with;
using test::four_bar;
using test::sentence;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string with(MechanismBuilder builder, DriverDescription driver) {
  return sentence([&] {
    builder.add_driver(driver);
    (void)builder.build();
  });
}
std::string with(MechanismBuilder builder, SpringDescription spring) {
  return sentence([&] {
    builder.add_spring(spring);
    (void)builder.build();
  });
}
std::string with(MechanismBuilder builder, DamperDescription damper) {
  return sentence([&] {
    builder.add_damper(damper);
    (void)builder.build();
  });
}
std::string with(MechanismBuilder builder, LoadDescription load) {
  return sentence([&] {
    builder.add_load(load);
    (void)builder.build();
  });
}

const ConnectionDescription kAcross{"ground.B", "crank.P1"};
const ConnectionDescription kInJoint{"A"};

TEST(Drivers, MovePositions) {
  EXPECT_EQ(with(four_bar(), DriverDescription{"motor", "A.v", DriverLevel::kSpeed, 1.0}),
            "not a position [driver 'motor', target]: expected the angle of a body, a coordinate of a point "
            "or a joint "
            "coordinate, got 'A.v'. Choose a variable that says where the mechanism is.");
  EXPECT_EQ(
      with(arm_with(JointType::kRevolute), DriverDescription{"motor", "arm.e0", DriverLevel::kSpeed, 1.0}),
      "not a position [driver 'motor', target]: expected a coordinate of a point or a joint coordinate, got "
      "'arm.e0'. Choose a variable that says where the mechanism is.");
  EXPECT_EQ(with(four_bar(), DriverDescription{"motor", "ground.A.x", DriverLevel::kSpeed, 1.0}),
            "the ground does not move [driver 'motor', target]: expected a variable of a moving body or of a "
            "joint, "
            "got 'ground.A.x'. Choose another variable.");
  EXPECT_EQ(with(four_bar(), DriverDescription{"motor", "ground.angle", DriverLevel::kSpeed, 1.0}),
            "the ground does not move [driver 'motor', target]: expected a variable of a moving body or of a "
            "joint, "
            "got 'ground.angle'. Choose another variable.");
  EXPECT_EQ(
      with(four_bar(), DriverDescription{"motor", "crank.angel", DriverLevel::kSpeed, 1.0}),
      "no such variable [driver 'motor', target]: expected 'angle', 'rate' or 'angular_acceleration' after "
      "'crank.', got 'crank.angel'. Did you mean 'crank.angle'?");
  EXPECT_EQ(with(four_bar(), DriverDescription{"motor", "motor.q", DriverLevel::kSpeed, 1.0}),
            "no such variable [driver 'motor', target]: expected 'effort' after 'motor.', got 'motor.q'. "
            "Choose one of "
            "these.")
      << "names of elements that are not resolved yet are safe to use";
}

TEST(Drivers, AreAloneOnTheirVariable) {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  EXPECT_EQ(with(builder, DriverDescription{"second", "A.q", DriverLevel::kSpeed, 2.0}),
            "a variable is driven twice [driver 'second', target]: expected one driver per variable, got "
            "'A.q', which "
            "driver 'motor' moves already. Remove one of the two drivers.");
  EXPECT_EQ(with(builder, DriverDescription{"second", "B.q", DriverLevel::kSpeed, 2.0}), "no error");
}

TEST(Drivers, HaveStartsThatTheirLevelLeavesOpen) {
  EXPECT_EQ(with(four_bar(), DriverDescription{"m", "A.q", DriverLevel::kPosition, 1.0, 0.5}),
            "start beside position [driver 'm', start]: expected start with speed or acceleration only, got "
            "0.5. Remove "
            "'start:'; the position at t = 0 s is the start.");
  EXPECT_EQ(with(four_bar(), DriverDescription{"m", "A.q", DriverLevel::kSpeed, 1.0, 0.5, 2.0}),
            "start_speed beside speed [driver 'm', start_speed]: expected start_speed with acceleration "
            "only, got 2. "
            "Remove 'start_speed:'.");
  EXPECT_EQ(with(four_bar(), DriverDescription{"m", "A.q", DriverLevel::kAcceleration, 1.0, kNan, 2.0}),
            "start is not a number one can compute with [driver 'm', start]: expected a finite number, got "
            "nan. Check "
            "the number and the parameters it is computed from.");
  EXPECT_EQ(with(four_bar(), DriverDescription{"m", "A.q", DriverLevel::kAcceleration, 1.0, 0.5, 2.0}),
            "no error");
}

TEST(Drivers, HaveAFunctionThatBeginsAtZero) {
  const TimeFunction t = TimeFunction::time();
  EXPECT_EQ(with(four_bar(), DriverDescription{"m", "A.q", DriverLevel::kSpeed, 1.0 / t}),
            "speed has no value at the start [driver 'm', speed]: expected a finite number at t = 0 s, got "
            "inf. Change "
            "the function so that it is defined from t = 0 s on.");
  EXPECT_EQ(with(four_bar(), DriverDescription{"m", "A.q", DriverLevel::kPosition, sin(t)}), "no error");
}

TEST(Springs, ActBetweenTwoBodiesOrInAJoint) {
  EXPECT_EQ(
      with(four_bar(), SpringDescription{"s", {"crank.A", "crank.P1"}, 100.0}),
      "both points belong to one body [spring 's', between]: expected points of two different bodies, got "
      "'crank.A' and 'crank.P1'. Change one of the points.");
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", {"crank.A", "ground.C"}, 100.0}),
            "no such point [spring 's', between]: expected a point of 'ground': 'A' or 'B', got 'ground.C'. "
            "Add it to "
            "'ground', or use another.");
  EXPECT_EQ(with(arm_with(JointType::kRevolute), SpringDescription{"s", {"arm.F", "ground.O"}, 100.0}),
            "no such point [spring 's', between]: expected a point of 'arm': 'O' or 'P', got 'arm.F'. Add it "
            "to 'arm', "
            "or use another.")
      << "a frame is no point";
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", {"P9"}, 100.0}),
            "no such joint [spring 's', joint]: expected a joint: 'A', 'P1', 'P2' or 'B', got 'P9'. Did you "
            "mean 'P1'?");
  EXPECT_EQ(with(arm_with(JointType::kRevolute), SpringDescription{"s", {"wrist"}, 100.0}),
            "a joint without coordinates [spring 's', joint]: expected a revolute, prismatic, cylindrical, "
            "universal or "
            "planar joint, got 'wrist', a spherical joint. Choose another joint.");
  EXPECT_EQ(with(arm_with(JointType::kCylindrical), SpringDescription{"s", {"shoulder"}, 100.0}),
            "no such joint coordinate [spring 's', joint]: expected 'shoulder.q1' or 'shoulder.q2', got "
            "'shoulder'. Use "
            "one of these.");
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", {"A.q1"}, 100.0}),
            "no such joint coordinate [spring 's', joint]: expected 'A.q', got 'A.q1'. Use one of these.");
}

TEST(Springs, FindTheCoordinateTheyActOn) {
  MechanismBuilder builder = arm_with(JointType::kPlanar);
  builder.add_spring({"s", {"shoulder.q3"}, 100.0});
  builder.add_damper({"d", {"arm.P", "ground.O"}, 5.0});
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.springs()[0].connection, Connection(JointCoordinate{JointIndex(0), 2}));
  EXPECT_EQ(mechanism.dampers()[0].connection,
            Connection(PointPair{{BodyIndex(1), PointIndex(1)}, {kGround, PointIndex(0)}}));
  MechanismBuilder plane = four_bar();
  plane.add_spring({"s", {"B"}, 100.0});
  EXPECT_EQ(plane.build().springs()[0].connection, Connection(JointCoordinate{JointIndex(3), 0}));
}

TEST(Springs, HaveForcesThatHold) {
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", kAcross, -1.0}),
            "stiffness is negative [spring 's', stiffness]: expected stiffness >= 0, got -1. Give a value "
            "that is zero "
            "or positive.");
  EXPECT_EQ(with(four_bar(), SpringDescription{.name = "s", .connection = kAcross, .damping = -1.0}),
            "damping is negative [spring 's', damping]: expected damping >= 0, got -1. Give a value that is "
            "zero or "
            "positive.");
  EXPECT_EQ(with(four_bar(), SpringDescription{.name = "s", .connection = kAcross, .preload = kNan}),
            "preload is not a number one can compute with [spring 's', preload]: expected a finite number, "
            "got nan. "
            "Check the number and the parameters it is computed from.");
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", kAcross}),
            "a spring without force [spring 's', stiffness]: expected stiffness, table, damping or preload, "
            "got none of "
            "them. Give one of them, or remove the spring.");
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", kAcross, 1.0, -0.1}),
            "free_length is negative [spring 's', free_length]: expected free_length >= 0 m, got -0.1 m. "
            "Give a value "
            "that is zero or positive.");
  EXPECT_EQ(with(four_bar(), SpringDescription{"s", kInJoint, 1.0, -0.1}), "no error")
      << "an angle may be negative";
}

TEST(Tables, HaveTwoRowsThatIncrease) {
  const auto spring = [](ForceTable table, double stiffness = 0.0) {
    return with(four_bar(),
                SpringDescription{
                    .name = "s", .connection = kAcross, .stiffness = stiffness, .table = std::move(table)});
  };
  EXPECT_EQ(spring({{0.0, 1.0}}),
            "table has too few rows [spring 's', table]: expected at least 2 rows, got 1 row. Add a row, or "
            "remove the "
            "table.");
  EXPECT_EQ(spring({{0.0, 1.0}, {0.2, 2.0}, {0.2, 3.0}}),
            "table is not in order [spring 's', table]: expected first columns that increase from row to "
            "row, got 0.2 "
            "in row 3 after 0.2. Sort the rows, and keep one row per argument.");
  EXPECT_EQ(spring({{0.0, 1.0}, {0.2, kNan}}),
            "table is not a number one can compute with [spring 's', table]: expected a finite number, got "
            "nan. Check "
            "the number and the parameters it is computed from.");
  EXPECT_EQ(spring({{0.0, 1.0}, {0.2, 2.0}}, 5.0),
            "stiffness and table are both given [spring 's', table]: expected one of the two, got stiffness "
            "5 and a "
            "table of 2 rows. Remove one of them.");
  EXPECT_EQ(spring({{0.0, 1.0}, {0.2, 2.0}}), "no error");
}

TEST(Dampers, HaveForcesThatHold) {
  EXPECT_EQ(with(four_bar(), DamperDescription{"d", kInJoint, -1.0}),
            "damping is negative [damper 'd', damping]: expected damping >= 0, got -1. Give a value that is "
            "zero or "
            "positive.");
  EXPECT_EQ(with(four_bar(), DamperDescription{"d", kInJoint}),
            "a damper without force [damper 'd', damping]: expected damping or table, got neither. Give one "
            "of them, or "
            "remove the damper.");
  EXPECT_EQ(with(four_bar(), DamperDescription{"d", kInJoint, 1.0, {{0.0, 0.0}, {1.0, 1.0}}}),
            "damping and table are both given [damper 'd', table]: expected one of the two, got damping 1 "
            "and a table "
            "of 2 rows. Remove one of them.");
  EXPECT_EQ(
      with(four_bar(), DamperDescription{"d", {"crank.A", "crank.P1"}, 1.0}),
      "both points belong to one body [damper 'd', between]: expected points of two different bodies, got "
      "'crank.A' and 'crank.P1'. Change one of the points.");
}

TEST(Loads, HaveTargetsOfTheirKind) {
  using enum LoadKind;
  EXPECT_EQ(with(four_bar(), LoadDescription{"f", kPointForce, "ground.A", {1.0}}),
            "the ground does not move [force 'f', point]: expected a point of a moving body, got "
            "'ground.A'. Choose "
            "another point.");
  EXPECT_EQ(with(four_bar(), LoadDescription{"f", kPointForce, "crank", {1.0}}),
            "no such point [force 'f', point]: expected BODY.POINT, got 'crank'. Write the body, a dot and "
            "the name of "
            "the point.");
  EXPECT_EQ(with(four_bar(), LoadDescription{"f", kBodyTorque, "ground", {0.0, 0.0, 1.0}}),
            "the ground does not move [force 'f', body]: expected a moving body, got 'ground'. Choose "
            "another body.");
  EXPECT_EQ(with(four_bar(), LoadDescription{"f", kBodyTorque, "cranc", {0.0, 0.0, 1.0}}),
            "no such body [force 'f', body]: expected a body: 'ground', 'crank', 'coupler' or 'rocker', "
            "got 'cranc'. "
            "Did you mean 'crank'?");
  EXPECT_EQ(
      with(four_bar(), LoadDescription{"f", kJointEffort, "crank", {1.0}}),
      "no such joint [force 'f', joint]: expected a joint: 'A', 'P1', 'P2' or 'B', got 'crank'. Use one of "
      "these.");
}

TEST(Loads, HaveTheComponentsOfTheirSpace) {
  using enum LoadKind;
  EXPECT_EQ(
      with(four_bar(), LoadDescription{"f", kPointForce, "crank.P1", {1.0, 2.0, 3.0}}),
      "force has a component too many [force 'f', force]: expected x and y only in a planar mechanism, got a "
      "component 3. Set the others to 0.");
  EXPECT_EQ(
      with(four_bar(), LoadDescription{"f", kBodyTorque, "crank", {1.0, 0.0, 3.0}}),
      "torque has a component too many [force 'f', torque]: expected z only in a planar mechanism, got a "
      "component 1. Set the others to 0.");
  EXPECT_EQ(with(four_bar(), LoadDescription{"f", kJointEffort, "A", {1.0, 2.0}}),
            "effort has a component too many [force 'f', effort]: expected one component, got a component 2. "
            "Set the "
            "others to 0.");
  EXPECT_EQ(
      with(four_bar(), LoadDescription{"f", kJointEffort, "A", {1.0}, true}),
      "an effort in body axes [force 'f', effort]: expected axes for forces and torques only, got body axes. "
      "Remove the axes.");
  EXPECT_EQ(with(four_bar(), LoadDescription{"f", kPointForce, "crank.P1", {log(TimeFunction::time())}}),
            "force has no value at the start [force 'f', force]: expected a finite number at t = 0 s, got "
            "-inf. Change "
            "the function so that it is defined from t = 0 s on.");
  EXPECT_EQ(
      with(arm_with(JointType::kRevolute), LoadDescription{"f", kBodyTorque, "arm", {1.0, 2.0, 3.0}, true}),
      "no error");
}

}  // namespace
}  // namespace eslabon::model
