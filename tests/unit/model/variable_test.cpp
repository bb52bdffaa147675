#include "eslabon/model/variables/variable.hpp"

#include <set>

#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using test::arm_with;
using test::four_bar;
using test::sentence;

Mechanism plane() {
  MechanismBuilder builder = four_bar();
  builder.add_body({.name = "slide", .points = {{"S", {0.0, 0.0, 0.0}}}});
  builder.add_joint({"rail", JointType::kPrismatic, "ground.A", "slide.S",
                     AxisPair{Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitX()}});
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  builder.add_driver({"piston", "rail.q", DriverLevel::kSpeed, 1.0});
  builder.add_driver({"cam", "coupler.P2.y", DriverLevel::kSpeed, 1.0});
  builder.add_spring({"strut", {"ground.A", "rocker.P2"}, 100.0});
  builder.add_spring({"coil", {"B"}, 100.0});
  builder.add_damper({"shock", {"rail.q"}, 5.0});
  builder.add_load({"push", LoadKind::kPointForce, "crank.P1", {1.0}});
  return builder.build();
}

Mechanism space(JointType type) { return arm_with(type).build(); }

struct NameAndUnit {
  const char* name;
  const char* unit;
};

void expect_round_trip(const Mechanism& mechanism, const std::vector<NameAndUnit>& expected) {
  for (const auto& [text, si_unit] : expected) {
    const Variable variable = find_variable(mechanism, text);
    EXPECT_EQ(name(mechanism, variable), text);
    EXPECT_EQ(unit(mechanism, variable), si_unit) << text;
  }
}

TEST(Variable, NameLeadsBackToItself_ForEveryKindInThePlane) {
  expect_round_trip(plane(), {{"crank.angle", "rad"},
                              {"crank.rate", "rad/s"},
                              {"crank.angular_acceleration", "rad/s^2"},
                              {"coupler.P2.x", "m"},
                              {"coupler.P2.y", "m"},
                              {"coupler.P2.vx", "m/s"},
                              {"coupler.P2.vy", "m/s"},
                              {"coupler.P2.ax", "m/s^2"},
                              {"coupler.P2.ay", "m/s^2"},
                              {"ground.B.x", "m"},
                              {"A.q", "rad"},
                              {"A.v", "rad/s"},
                              {"A.a", "rad/s^2"},
                              {"rail.q", "m"},
                              {"rail.v", "m/s"},
                              {"rail.a", "m/s^2"},
                              {"A.fx", "N"},
                              {"A.fy", "N"},
                              {"A.mz", "N*m"},
                              {"motor.effort", "N*m"},
                              {"piston.effort", "N"},
                              {"cam.effort", "N"},
                              {"strut.length", "m"},
                              {"strut.rate", "m/s"},
                              {"strut.force", "N"},
                              {"coil.length", "rad"},
                              {"coil.rate", "rad/s"},
                              {"coil.force", "N*m"},
                              {"shock.length", "m"},
                              {"shock.rate", "m/s"},
                              {"shock.force", "N"}});
}

TEST(Variable, NameLeadsBackToItself_ForEveryKindInSpace) {
  expect_round_trip(space(JointType::kCylindrical), {{"arm.e0", "1"},
                                                     {"arm.e3", "1"},
                                                     {"arm.wx", "rad/s"},
                                                     {"arm.wz", "rad/s"},
                                                     {"arm.alphay", "rad/s^2"},
                                                     {"arm.P.z", "m"},
                                                     {"arm.P.vz", "m/s"},
                                                     {"arm.P.az", "m/s^2"},
                                                     {"shoulder.q1", "rad"},
                                                     {"shoulder.q2", "m"},
                                                     {"shoulder.v2", "m/s"},
                                                     {"shoulder.a1", "rad/s^2"},
                                                     {"shoulder.fz", "N"},
                                                     {"shoulder.mx", "N*m"},
                                                     {"wrist.my", "N*m"}});
  expect_round_trip(space(JointType::kPlanar),
                    {{"shoulder.q1", "m"}, {"shoulder.q2", "m"}, {"shoulder.q3", "rad"}});
  expect_round_trip(space(JointType::kUniversal), {{"shoulder.q1", "rad"}, {"shoulder.q2", "rad"}});
}

TEST(Variable, SaysWhatItIs) {
  const Mechanism mechanism = space(JointType::kCylindrical);
  EXPECT_EQ(find_variable(mechanism, "arm.P.vz"),
            (Variable{VariableKind::kPointVelocity, PointRef{BodyIndex(1), PointIndex(1)}, 2}));
  EXPECT_EQ(find_variable(mechanism, "shoulder.a2"),
            (Variable{VariableKind::kJointAcceleration, JointIndex(0), 1}));
  EXPECT_EQ(find_variable(mechanism, "arm.e3"),
            (Variable{VariableKind::kBodyEulerParameter, BodyIndex(1), 3}));
  EXPECT_EQ(find_variable(plane(), "A.mz"), (Variable{VariableKind::kJointMoment, JointIndex(0), 2}));
  EXPECT_EQ(find_variable(plane(), "shock.force"),
            (Variable{VariableKind::kElementForce, DamperIndex(0), 0}));
}

TEST(Variable, IsAPosition_OnlyWhereItSaysWhereTheMechanismIs) {
  const Mechanism mechanism = plane();
  for (const char* text : {"crank.angle", "coupler.P2.x", "A.q"})
    EXPECT_TRUE(is_position(find_variable(mechanism, text))) << text;
  for (const char* text : {"crank.rate", "coupler.P2.vx", "A.v", "A.fx", "motor.effort", "strut.length"})
    EXPECT_FALSE(is_position(find_variable(mechanism, text))) << text;
  EXPECT_FALSE(is_position(find_variable(space(JointType::kRevolute), "arm.e0")));
}

TEST(Variable, IsARate_WhereItIsTheDerivativeOfAPosition_OrAnAngularVelocity) {
  const Mechanism mechanism = plane();
  for (const auto& [rate, position] : {std::pair("crank.rate", "crank.angle"),
                                       {"coupler.P2.vy", "coupler.P2.y"},
                                       {"A.v", "A.q"},
                                       {"strut.rate", "strut.length"}}) {
    EXPECT_TRUE(is_rate(find_variable(mechanism, rate))) << rate;
    EXPECT_EQ(position_of(find_variable(mechanism, rate)), find_variable(mechanism, position)) << rate;
    EXPECT_FALSE(is_rate(find_variable(mechanism, position))) << position;
    EXPECT_EQ(position_of(find_variable(mechanism, position)), std::nullopt) << position;
  }
  for (const char* text : {"crank.angular_acceleration", "A.a", "A.fx", "motor.effort", "strut.force"})
    EXPECT_FALSE(is_rate(find_variable(mechanism, text))) << text;
  const Variable w = find_variable(space(JointType::kRevolute), "arm.wy");
  EXPECT_TRUE(is_rate(w));
  EXPECT_EQ(position_of(w), std::nullopt);
}

std::string fault(const Mechanism& mechanism, std::string_view text) {
  return sentence([&] { (void)find_variable(mechanism, text); });
}

TEST(FindVariable, SuggestsTheNearestName) {
  const Mechanism mechanism = plane();
  EXPECT_EQ(
      fault(mechanism, "cranck.angle"),
      "no such variable: expected a name that begins with a body, joint, driver, spring, damper or stop, got "
      "'cranck.angle'. Did you mean 'crank.angle'?");
  EXPECT_EQ(fault(mechanism, "crank.rat"),
            "no such variable: expected 'angle', 'rate' or 'angular_acceleration' after 'crank.', got "
            "'crank.rat'. Did "
            "you mean 'crank.rate'?");
  EXPECT_EQ(fault(mechanism, "coupler.P3.x"),
            "no such variable: expected a point of 'coupler': 'P1' or 'P2', got 'coupler.P3.x'. Did you mean "
            "'coupler.P1.x'?");
  EXPECT_EQ(
      fault(mechanism, "slide.zzz.x"),
      "no such variable: expected a point of 'slide': 'S', got 'slide.zzz.x'. Add the point to the body.");
  EXPECT_EQ(fault(mechanism, "A.q1"),
            "no such variable: expected 'q', 'v', 'a', 'fx', 'fy', 'mz' or 'friction' after 'A.', got "
            "'A.q1'. Did you "
            "mean 'A.q'?");
  EXPECT_EQ(fault(mechanism, "strut.stiffness"),
            "no such variable: expected 'length', 'rate' or 'force' after 'strut.', got 'strut.stiffness'. "
            "Choose one "
            "of these.");
}

TEST(FindVariable, ListsWhatThereIs_WhenANameIsNotComplete) {
  const Mechanism mechanism = plane();
  EXPECT_EQ(fault(mechanism, "crank"),
            "no such variable: expected 'angle', 'rate' or 'angular_acceleration' after 'crank.', got "
            "'crank'. Choose "
            "one of these.");
  EXPECT_EQ(fault(mechanism, "crank.P1"),
            "no such variable: expected 'x', 'y', 'vx', 'vy', 'ax' or 'ay' after 'crank.P1.', got "
            "'crank.P1'. Choose "
            "one of these.");
  EXPECT_EQ(fault(mechanism, "A."),
            "no such variable: expected 'q', 'v', 'a', 'fx', 'fy', 'mz' or 'friction' after 'A.', got 'A.'. "
            "Choose one "
            "of these.");
  EXPECT_EQ(
      fault(space(JointType::kCylindrical), "shoulder.q"),
      "no such variable: expected 'q1', 'q2', 'v1', 'v2', 'a1', 'a2', 'fx', 'fy', 'fz', 'mx' or 4 more after "
      "'shoulder.', got "
      "'shoulder.q'. Did you mean 'shoulder.q1'?");
}

TEST(FindVariable, TellsPlanarFromSpatialNames) {
  EXPECT_EQ(fault(plane(), "crank.P1.z"),
            "no such variable: expected 'x', 'y', 'vx', 'vy', 'ax' or 'ay' after 'crank.P1.', got "
            "'crank.P1.z'. The "
            "mechanism is planar and has no 'z' here.");
  EXPECT_EQ(fault(plane(), "crank.wx"),
            "no such variable: expected 'angle', 'rate' or 'angular_acceleration' after 'crank.', got "
            "'crank.wx'. The "
            "mechanism is planar and has no 'wx' here.");
  EXPECT_EQ(fault(plane(), "A.mx"),
            "no such variable: expected 'q', 'v', 'a', 'fx', 'fy', 'mz' or 'friction' after 'A.', got "
            "'A.mx'. The mechanism is "
            "planar and has no 'mx' here.");
  EXPECT_EQ(fault(space(JointType::kRevolute), "arm.angle"),
            "no such variable: expected 'e0', 'e1', 'e2', 'e3', 'wx', 'wy', 'wz', 'alphax', 'alphay' or "
            "'alphaz' after "
            "'arm.', got "
            "'arm.angle'. The mechanism is spatial and has no 'angle' here.");
}

TEST(FindVariable, RefusesWhateverElseIsTyped) {
  const Mechanism mechanism = plane();
  for (const char* text : {"", ".", "..", "crank..x", "crank.P1.x.y", ".angle", "crank.angle.",
                           "crank.angle.x", " A.q", "A.q ", "push.force", "strut.length.x"})
    EXPECT_NE(fault(mechanism, text), "no error") << text;
}

TEST(VariableName, RefusesVariablesOfOtherMechanisms) {
  EXPECT_THROW((void)name(plane(), {VariableKind::kBodyAlpha, BodyIndex(1), 0}), core::ContractError);
}

}  // namespace
}  // namespace eslabon::model
