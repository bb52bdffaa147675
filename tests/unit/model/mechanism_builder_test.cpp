#include "eslabon/model/mechanism_builder.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "tests/processor_clock.hpp"
#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using Eigen::Vector3d;
using test::arm_with;
using test::build_sentence;
using test::four_bar;
using test::sentence;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(MechanismBuilder, MakesWhatWasDescribed) {
  MechanismBuilder builder = four_bar();
  builder.set_description("a test");
  builder.set_source("nowhere");
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.name(), "four-bar");
  EXPECT_EQ(mechanism.description(), "a test");
  EXPECT_EQ(mechanism.source(), "nowhere");
  EXPECT_TRUE(mechanism.is_planar());
  EXPECT_EQ(mechanism.body_freedoms(), 3);
  EXPECT_EQ(mechanism.gravity_W(), Vector3d(0.0, -9.81, 0.0));
  ASSERT_EQ(mechanism.bodies().size(), 4u);
  EXPECT_EQ(mechanism.body(kGround).name, "ground");
  EXPECT_TRUE(mechanism.body(kGround).mass_properties.is_massless());
  ASSERT_EQ(mechanism.joints().size(), 4u);
  EXPECT_EQ(mechanism.joint(JointIndex(2)).first(), BodyIndex(2));
  EXPECT_EQ(mechanism.joint(JointIndex(2)).second(), BodyIndex(3));
  EXPECT_EQ(mechanism.name_of({BodyIndex(2), PointIndex(1)}), "coupler.P2");
}

TEST(MechanismBuilder, NeedsANameAndABody) {
  EXPECT_EQ(sentence([] { MechanismBuilder("", Space::kPlanar); }),
            "a name is empty [mechanism '']: expected a name of at least one letter, got nothing. Give the "
            "mechanism a "
            "name.");
  EXPECT_EQ(build_sentence(MechanismBuilder("empty", Space::kPlanar)),
            "nothing moves [mechanism 'empty']: expected at least one body beside the ground, got none. Add "
            "a body and "
            "a joint.");
}

TEST(MechanismBuilder, ChecksGravity) {
  EXPECT_EQ(sentence([] {
              four_bar().set_gravity({0.0, 0.0, -9.81});
            }),
            "gravity leaves the plane [mechanism 'four-bar', gravity]: expected z = 0 in a planar mechanism, "
            "got -9.81 "
            "m/s^2. Set z to 0, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(sentence([] {
              four_bar().set_gravity({0.0, kNan, 0.0});
            }),
            "gravity is not a vector one can compute with [mechanism 'four-bar', gravity]: expected finite "
            "numbers, got "
            "[0, nan, 0]. Check the number and the parameters it is computed from.");
}

TEST(ElementNames, BelongToOneElement) {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"crank", "A.q", DriverLevel::kSpeed, 1.0});
  EXPECT_EQ(build_sentence(builder),
            "two elements have the same name [driver 'crank']: expected one element per name, got a body and "
            "a driver. "
            "Rename one of the two.");
  builder = four_bar();
  builder.add_body({.name = "crank"});
  EXPECT_EQ(build_sentence(builder),
            "two elements have the same name [body 'crank']: expected one element per name, got two bodies. "
            "Rename one "
            "of the two.");
  builder = four_bar();
  builder.add_joint({"A", JointType::kFixed, "ground.A", "crank.P1"});
  EXPECT_EQ(build_sentence(builder),
            "two elements have the same name [joint 'A']: expected one element per name, got two joints. "
            "Rename one of "
            "the two.");
  builder = four_bar();
  builder.add_spring({"s", {"A"}, 1.0});
  builder.add_sensor({"s", SensorKind::kEncoder, "A"});
  EXPECT_EQ(build_sentence(builder),
            "two elements have the same name [sensor 's']: expected one element per name, got a spring and a "
            "sensor. "
            "Rename one of the two.");
  builder = four_bar();
  builder.add_damper({"s", {"A"}, 1.0});
  builder.add_load({"s", LoadKind::kJointEffort, "A", {1.0}});
  EXPECT_EQ(
      build_sentence(builder),
      "two elements have the same name [force 's']: expected one element per name, got a damper and a force. "
      "Rename one of the two.");
}

TEST(ElementNames, FollowTheSameRule_ForEveryKind) {
  const auto where = [](const std::function<void(MechanismBuilder&)>& action) {
    MechanismBuilder builder = four_bar();
    try {
      action(builder);
    } catch (const core::ModelError& error) {
      return error.text().where;
    }
    return std::string("no error");
  };
  EXPECT_EQ(where([](auto& b) {
              b.add_joint({"a b", JointType::kFixed, "ground.A", "crank.P1"});
            }),
            "joint 'a b'");
  EXPECT_EQ(where([](auto& b) {
              b.add_joint({"ground", JointType::kFixed, "ground.A", "crank.P1"});
            }),
            "joint 'ground'");
  EXPECT_EQ(where([](auto& b) { b.add_driver({"a=b", "A.q", DriverLevel::kSpeed, 1.0}); }), "driver 'a=b'");
  EXPECT_EQ(where([](auto& b) { b.add_spring({"", {"A"}, 1.0}); }), "spring ''");
  EXPECT_EQ(where([](auto& b) { b.add_damper({"1", {"A"}, 1.0}); }), "damper '1'");
  EXPECT_EQ(where([](auto& b) { b.add_load({"a,b", LoadKind::kJointEffort, "A", {1.0}}); }), "force 'a,b'");
  EXPECT_EQ(where([](auto& b) { b.add_sensor({"a'b", SensorKind::kEncoder, "A"}); }), "sensor 'a'b'");
}

TEST(StartValues, AreFiniteFirstGuessesOfPositions) {
  EXPECT_EQ(sentence([] { four_bar().add_start_value("crank.angle", kNan); }),
            "the value is not a number one can compute with [start value 'crank.angle']: expected a finite "
            "number, got "
            "nan. Check the number and the parameters it is computed from.");
  MechanismBuilder builder = four_bar();
  builder.add_start_value("crank.rate", 1.0);
  EXPECT_EQ(
      build_sentence(builder),
      "not a position [start value 'crank.rate']: expected the angle of a body, a coordinate of a point or a "
      "joint coordinate, got 'crank.rate'. Choose a variable that says where the mechanism is.");
  builder = four_bar();
  builder.add_start_value("crank.angular_acceleration", 1.0);
  EXPECT_EQ(
      build_sentence(builder),
      "neither a position nor a rate [start value 'crank.angular_acceleration']: expected an angle or "
      "rate of a body, or a coordinate of a point or joint or its velocity, got "
      "'crank.angular_acceleration'. Choose a variable that says where the mechanism is, or how fast it "
      "moves.");
  builder = four_bar();
  builder.add_start_value("crank.angle", 1.0);
  builder.add_start_value("crank.angle", 1.0);
  EXPECT_EQ(build_sentence(builder),
            "a start value is given twice [start value 'crank.angle']: expected each variable once, got "
            "'crank.angle' "
            "twice. Remove one of the two.");
}

TEST(StartRates, AreKeptInTheirOrder) {
  MechanismBuilder builder = four_bar();
  builder.add_spring({"strut", {"ground.A", "coupler.P2"}, 100.0});
  builder.add_start_rate("rocker.rate", 1.5);
  builder.add_start_rate("A.v", -2.5);
  builder.add_start_rate("coupler.P2.vy", 0.5);
  builder.add_start_rate("strut.rate", 0.25);
  const Mechanism mechanism = builder.build();
  const std::vector<StartRate> expected{{find_variable(mechanism, "rocker.rate"), 1.5},
                                        {find_variable(mechanism, "A.v"), -2.5},
                                        {find_variable(mechanism, "coupler.P2.vy"), 0.5},
                                        {find_variable(mechanism, "strut.rate"), 0.25}};
  EXPECT_EQ(mechanism.start_rates(), expected);
  EXPECT_TRUE(mechanism.start_values().empty());
  MechanismBuilder other = four_bar();
  other.add_spring({"strut", {"ground.A", "coupler.P2"}, 100.0});
  EXPECT_FALSE(other.build() == mechanism);
}

TEST(StartRates, AreFiniteRatesOfWhatMoves_EachOnce) {
  EXPECT_EQ(sentence([] { four_bar().add_start_rate("crank.rate", kNan); }),
            "the value is not a number one can compute with [start rate 'crank.rate']: expected a finite "
            "number, got nan. Check the number and the parameters it is computed from.");
  const auto sentence_of = [](const std::vector<std::string>& rates) {
    MechanismBuilder builder = four_bar();
    for (const std::string& rate : rates) builder.add_start_rate(rate, 1.0);
    return build_sentence(builder);
  };
  EXPECT_EQ(sentence_of({"crank.angle"}),
            "not a rate [start rate 'crank.angle']: expected the rate of a body, or the velocity of a point, "
            "joint, spring or damper, got 'crank.angle'. Choose a variable that says how fast the mechanism "
            "moves.");
  EXPECT_EQ(sentence_of({"ground.A.vx"}),
            "the ground does not move [start rate 'ground.A.vx']: expected a variable of a moving body or of "
            "a joint, got 'ground.A.vx'. Choose another variable.");
  EXPECT_EQ(sentence_of({"A.v", "crank.rate", "A.v"}),
            "a start rate is given twice [start rate 'A.v']: expected each variable once, got 'A.v' twice. "
            "Remove one of the two.");
  EXPECT_EQ(sentence_of({"crank.rat"}),
            "no such variable [start rate 'crank.rat']: expected 'angle', 'rate' or 'angular_acceleration' "
            "after 'crank.', got 'crank.rat'. Did you mean 'crank.rate'?");
}

// They count when the driver is let go; with it they must be its speed, which only a run can tell.
TEST(StartRates, OfWhatADriverMoves_AreTaken) {
  for (const auto& [target, rate] : {std::pair("A.q", "A.v"), std::pair("crank.angle", "crank.rate"),
                                     std::pair("coupler.P2.y", "coupler.P2.vy"), std::pair("A.q", "B.v")}) {
    MechanismBuilder builder = four_bar();
    builder.add_driver({"motor", target, DriverLevel::kSpeed, 1.0});
    builder.add_start_rate(rate, 1.0);
    EXPECT_EQ(build_sentence(builder), "no error") << rate;
  }
}

TEST(StartPoses, BelongToBodiesInSpace) {
  EXPECT_EQ(sentence([] {
              four_bar().add_start_position("crank", {1.0, 0.0, 0.0});
            }),
            "a start pose in a planar mechanism [start value 'crank.position']: expected an angle or a "
            "coordinate of a "
            "point, got 'crank.position'. Use 'crank.angle' and 'crank.POINT.x', '.y' instead.");
  EXPECT_EQ(sentence([] {
              arm_with(JointType::kFree).add_start_rotation("arm", {kNan, 0.0, 0.0});
            }),
            "the value is not a vector one can compute with [start value 'arm.rotation']: expected finite "
            "numbers, got "
            "[nan, 0, 0]. Check the number and the parameters it is computed from.");
  MechanismBuilder builder = arm_with(JointType::kFree);
  builder.add_start_position("amr", {1.0, 0.0, 0.0});
  EXPECT_EQ(build_sentence(builder),
            "no such body [start value 'amr.position']: expected a body: 'ground', 'arm' or 'tool', got "
            "'amr'. Did you "
            "mean 'arm'?");
  builder = arm_with(JointType::kFree);
  builder.add_start_rotation("ground", {1.0, 0.0, 0.0});
  EXPECT_EQ(build_sentence(builder),
            "the ground does not move [start value 'ground.rotation']: expected a moving body, got 'ground'. "
            "Choose "
            "another body.");
}

TEST(StartPoses, JoinPositionAndRotationOfABody_EachOnce) {
  MechanismBuilder builder = arm_with(JointType::kFree);
  builder.add_start_rotation("tool", {0.1, 0.2, 0.3});
  builder.add_start_position("arm", {1.0, 2.0, 3.0});
  builder.add_start_position("tool", {4.0, 5.0, 6.0});
  const Mechanism mechanism = builder.build();
  const std::vector<StartPose> expected{{BodyIndex(2), Vector3d(4.0, 5.0, 6.0), Vector3d(0.1, 0.2, 0.3)},
                                        {BodyIndex(1), Vector3d(1.0, 2.0, 3.0), std::nullopt}};
  EXPECT_EQ(mechanism.start_poses(), expected);
  builder.add_start_position("arm", {1.0, 2.0, 3.0});
  EXPECT_EQ(build_sentence(builder),
            "a start value is given twice [start value 'arm.position']: expected each variable once, got "
            "'arm.position' twice. Remove one of the two.");
}

TEST(Inputs, ArePositionsThatNothingDrives) {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  builder.add_input("A.q");
  EXPECT_EQ(
      build_sentence(builder),
      "an input is driven already [input 'A.q']: expected a variable that no driver moves, got 'A.q', which "
      "driver 'motor' moves. Remove the input, or the driver.");
  builder = four_bar();
  builder.add_input("A.v");
  EXPECT_EQ(build_sentence(builder),
            "not a position [input 'A.v']: expected the angle of a body, a coordinate of a point or a joint "
            "coordinate, got 'A.v'. Choose a variable that says where the mechanism is.");
  builder = four_bar();
  builder.add_input("ground.A.x");
  EXPECT_EQ(build_sentence(builder),
            "the ground does not move [input 'ground.A.x']: expected a variable of a moving body or of a "
            "joint, got "
            "'ground.A.x'. Choose another variable.");
  builder = four_bar();
  builder.add_input("A.q");
  builder.add_input("A.q");
  EXPECT_EQ(build_sentence(builder),
            "an input is listed twice [input 'A.q']: expected each variable once, got 'A.q' twice. Remove "
            "one of the "
            "two.");
}

TEST(Outputs, AreVariablesListedOnce) {
  MechanismBuilder builder = four_bar();
  builder.add_output("crank.angle");
  builder.add_output("A.fx");
  EXPECT_EQ(builder.build().outputs().size(), 2u);
  builder.add_output("A.fx");
  EXPECT_EQ(build_sentence(builder),
            "an output is listed twice [output 'A.fx']: expected each variable once, got 'A.fx' twice. "
            "Remove one of "
            "the two.");
  builder = four_bar();
  builder.add_output("crank.phi");
  EXPECT_EQ(build_sentence(builder),
            "no such variable [output 'crank.phi']: expected 'angle', 'rate' or 'angular_acceleration' after "
            "'crank.', "
            "got 'crank.phi'. Choose one of these.");
}

TEST(Mechanism, FindsElementsByName) {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  builder.add_spring({"strut", {"A"}, 1.0});
  builder.add_damper({"shock", {"A"}, 1.0});
  builder.add_load({"push", LoadKind::kJointEffort, "A", {1.0}});
  builder.add_sensor({"imu", SensorKind::kGyroscope, "crank"});
  const Mechanism mechanism = builder.build();
  using Element = Mechanism::Element;
  EXPECT_EQ(mechanism.find("ground"), Element(kGround));
  EXPECT_EQ(mechanism.find("rocker"), Element(BodyIndex(3)));
  EXPECT_EQ(mechanism.find("B"), Element(JointIndex(3)));
  EXPECT_EQ(mechanism.find("motor"), Element(DriverIndex(0)));
  EXPECT_EQ(mechanism.find("strut"), Element(SpringIndex(0)));
  EXPECT_EQ(mechanism.find("shock"), Element(DamperIndex(0)));
  EXPECT_EQ(mechanism.find("push"), Element(LoadIndex(0)));
  EXPECT_EQ(mechanism.find("imu"), Element(std::monostate()));
  EXPECT_FALSE(mechanism.find("crank.P1"));
  EXPECT_EQ(mechanism.find_point(BodyIndex(1), "P1"), PointIndex(1));
  EXPECT_FALSE(mechanism.find_point(BodyIndex(1), "P2"));
}

TEST(Mechanism, IsBuiltByBuildersOnlyAndNeverChanges) {
  static_assert(!std::is_default_constructible_v<Mechanism>);
  static_assert(std::is_same_v<decltype(std::declval<Mechanism&>().parts()), const MechanismParts&>);
  static_assert(std::is_same_v<decltype(std::declval<Mechanism&>().bodies()), const std::vector<Body>&>);
  MechanismBuilder builder = four_bar();
  const Mechanism before = builder.build();
  const Mechanism copy = before;
  builder.add_body(test::bar_body("extra", "A", "B", 1.0));
  EXPECT_EQ(before, copy) << "a builder that goes on does not reach what it built";
  EXPECT_FALSE(before.find("extra"));
}

TEST(Mechanism, IsTheSame_WhenBuiltTwice) {
  const MechanismBuilder builder = four_bar();
  EXPECT_EQ(builder.build(), builder.build());
  EXPECT_EQ(builder.build(), four_bar().build());
  MechanismBuilder other = four_bar();
  other.set_gravity({0.0, -9.8, 0.0});
  EXPECT_NE(other.build(), builder.build());
}

TEST(MechanismBuilder, TakesElementsInAnyOrder) {
  MechanismBuilder builder("four-bar", Space::kPlanar);
  builder.add_output("coupler.P2.x");
  builder.add_input("B.q");
  builder.add_start_value("A.q", 0.5);
  builder.add_sensor({"imu", SensorKind::kAccelerometer, "coupler.P2"});
  builder.add_spring({"strut", {"ground.A", "rocker.P2"}, 1.0});
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "crank.A"});
  builder.add_joint({"P1", JointType::kRevolute, "crank.P1", "coupler.P1"});
  builder.add_joint({"P2", JointType::kRevolute, "coupler.P2", "rocker.P2"});
  builder.add_joint({"B", JointType::kRevolute, "ground.B", "rocker.B"});
  builder.add_body(test::bar_body("crank", "A", "P1", 0.12));
  builder.add_body(test::bar_body("coupler", "P1", "P2", 0.54));
  builder.add_body(test::bar_body("rocker", "B", "P2", 0.455));
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("B", {0.8, 0.0, 0.0});
  builder.set_gravity({0.0, -9.81, 0.0});

  MechanismBuilder usual = four_bar();
  usual.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  usual.add_spring({"strut", {"ground.A", "rocker.P2"}, 1.0});
  usual.add_sensor({"imu", SensorKind::kAccelerometer, "coupler.P2"});
  usual.add_start_value("A.q", 0.5);
  usual.add_input("B.q");
  usual.add_output("coupler.P2.x");
  EXPECT_EQ(builder.build(), usual.build());
}

/// Bodies in a row, every second one pinned to its own point of the ground: loops without end.
MechanismBuilder long_chain(int bodies) {
  MechanismBuilder builder("chain", Space::kPlanar);
  builder.add_ground_point("g0", {0.0, 0.0, 0.0});
  for (int k = 1; k <= bodies; ++k) {
    const std::string number = std::to_string(k);
    builder.add_body(test::bar_body("b" + number, "P", "Q", 1.0));
    const std::string before = k == 1 ? "ground.g0" : "b" + std::to_string(k - 1) + ".Q";
    builder.add_joint({"j" + number, JointType::kRevolute, before, "b" + number + ".P"});
    if (k % 2 == 1) continue;
    builder.add_ground_point("g" + number, {1.0 * k, 0.0, 0.0});
    builder.add_joint({"k" + number, JointType::kRevolute, "ground.g" + number, "b" + number + ".Q"});
    builder.add_input("b" + number + ".angle");
  }
  return builder;
}

TEST(MechanismBuilder, TakesTimeInProportionToTheMechanism) {
  const auto seconds = [](int bodies) {
    const eslabon::test::ProcessorClock clock;
    EXPECT_EQ(long_chain(bodies).build().joints().size(), static_cast<std::size_t>(bodies + bodies / 2));
    return clock.seconds();
  };
  double small = std::numeric_limits<double>::infinity(), large = small;
  for (int run = 0; run < 3; ++run) {
    small = std::min(small, seconds(4'000));
    large = std::min(large, seconds(64'000));
  }
  RecordProperty("seconds_for_64000_bodies", std::to_string(large));
  // Sixteen times the size is sixteen times the work, but outgrows the caches (measured: 45 times the time). One
  // quadratic loop over names makes it several hundred.
  EXPECT_LT(large, 150.0 * small);
}

TEST(Mechanism, IndexOutOfRange_IsAContractError) {
  const Mechanism mechanism = four_bar().build();
  EXPECT_THROW((void)mechanism.joint(JointIndex(4)), core::ContractError);
  EXPECT_THROW((void)mechanism.body(BodyIndex(-1)), core::ContractError);
  EXPECT_THROW((void)mechanism.point({BodyIndex(1), PointIndex(9)}), core::ContractError);
}

TEST(MechanismBuilder, StartValueAndDriverThatDisagree_AreAnError) {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0, 0.5});
  builder.add_start_value("A.q", 0.25);
  EXPECT_EQ(build_sentence(builder),
            "a start value and a driver disagree [start value 'A.q']: expected the start of driver 'motor', "
            "0.5, got "
            "0.25. Remove one of the two.");
}

}  // namespace
}  // namespace eslabon::model
