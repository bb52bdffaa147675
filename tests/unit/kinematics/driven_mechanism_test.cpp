// What drivers may prescribe: as many freedoms as there are, none that joints hold, from a position that is not singular. Each
// message names the element and what to do about it.
#include "eslabon/kinematics/drivers/driven_mechanism.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "tests/driven_run.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::kinematics {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// What is said when the mechanism is assembled and its drivers are looked at; "" when nothing is wrong.
std::string complaint_about(const model::Mechanism& mechanism) {
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport assembly = assemble(mechanism, structure);
  if (!assembly.usable()) return "not assembled: " + assembly.brief();
  const std::string sentence = test::sentence_of<core::ModelError>(
      [&] { const DrivenMechanism driven(mechanism, structure, assembly); });
  return sentence == "nothing was thrown" ? "" : sentence;
}

std::string complaint_about(const std::string& text) {
  return complaint_about(io::read_mechanism("mechanism: m\n" + text, "m.yaml"));
}

const std::string kFourBar =
    "plane: xy\nground: {points: {A: [0, 0], B: [0.8, 0]}}\n"
    "bodies:\n  crank: {points: {A: [0, 0], P1: [0.12, 0]}}\n  coupler: {points: {P1: [0, 0], P2: [0.54, "
    "0]}}\n"
    "  rocker: {points: {B: [0, 0], P2: [0.455, 0]}}\n"
    "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P1: {revolute: [crank.P1, coupler.P1]}\n"
    "  P2: {revolute: [coupler.P2, rocker.P2]}\n  B: {revolute: [ground.B, rocker.B]}\n"
    "assembly: {crank.angle: 90 deg, coupler.angle: 23.75 deg, rocker.angle: 132 deg}\n";

const std::string kFiveBar =
    "plane: xy\nground: {points: {A: [0, 0], E: [0.5, 0]}}\nbodies:\n  b1: {points: {S: [0, 0], T: [0.4, "
    "0]}}\n"
    "  b2: {points: {S: [0, 0], T: [0.4, 0]}}\n  b3: {points: {S: [0, 0], T: [0.4, 0]}}\n  b4: {points: {S: "
    "[0, 0], T: [0.4, 0]}}\n"
    "joints:\n  A: {revolute: [ground.A, b1.S]}\n  B: {revolute: [b1.T, b2.S]}\n  C: {revolute: [b2.T, "
    "b3.T]}\n"
    "  D: {revolute: [b3.S, b4.T]}\n  E: {revolute: [ground.E, b4.S]}\n"
    "assembly: {b1.angle: 1.7 rad, b2.angle: 0.6 rad, b3.angle: 2.4 rad, b4.angle: 1.2 rad}\n";

// ---- Too few -------------------------------------------------------------------------------------------------------

TEST(DrivenMechanism, FreedomsWithoutDriverAreNamedByTheirJoints) {
  EXPECT_THAT(complaint_about(kFourBar),
              AllOf(StartsWith("the drivers do not move every degree of freedom [joint '"),
                    HasSubstr("expected 1 driver, got none, so joints "),
                    HasSubstr("Add a driver for one of these joints under 'drivers:'")));
  EXPECT_THAT(complaint_about(kFiveBar + "drivers:\n  m: {joint: A, speed: 1 rad/s}\n"),
              AllOf(HasSubstr("expected 2 drivers, got 1; with it held, joint"), HasSubstr("B"),
                    HasSubstr("E"), HasSubstr(" can still move.")));
  EXPECT_THAT(complaint_about(kFiveBar), HasSubstr("expected 2 drivers, got none, so joints "));
  EXPECT_EQ(complaint_about(kFiveBar +
                            "drivers:\n  m: {joint: A, speed: 1 rad/s}\n  n: {joint: C, speed: 1 rad/s}\n"),
            "");
}

// ---- Too many ------------------------------------------------------------------------------------------------------

// By count it has no freedom, by rank one: two drivers are one too many.
const std::string kThreeCranks =
    "plane: xy\nground: {points: {A: [0, 0], B: [0.3, 0.1], C: [0.6, 0.4]}}\nbodies:\n  c1: {points: {S: [0, "
    "0], T: [0.5, 0]}}\n"
    "  c2: {points: {S: [0, 0], T: [0.5, 0]}}\n  c3: {points: {S: [0, 0], T: [0.5, 0]}}\n"
    "  bar: {points: {A: [0, 0], B: [0.3, 0.1], C: [0.6, 0.4]}}\n"
    "joints:\n  A: {revolute: [ground.A, c1.S]}\n  A2: {revolute: [c1.T, bar.A]}\n  B: {revolute: [ground.B, "
    "c2.S]}\n"
    "  B2: {revolute: [c2.T, bar.B]}\n  C: {revolute: [ground.C, c3.S]}\n  C2: {revolute: [c3.T, bar.C]}\n"
    "assembly: {c1.angle: 70 deg, c2.angle: 70 deg, c3.angle: 70 deg, bar.angle: 0 deg}\n";

TEST(DrivenMechanism, SecondDriverOfARedundantParallelogramIsOneTooMany) {
  EXPECT_EQ(complaint_about(kThreeCranks + "drivers:\n  m: {joint: A, speed: 1 rad/s}\n"), "");
  EXPECT_THAT(
      complaint_about(kThreeCranks +
                      "drivers:\n  m: {joint: A, speed: 1 rad/s}\n  n: {joint: C, speed: 1 rad/s}\n"),
      AllOf(StartsWith("a driver prescribes what is already determined [driver 'n']: expected a degree of "
                       "freedom that it can move at the start position, got one that follows from "),
            HasSubstr("driver 'm'"), HasSubstr(". Remove the driver, or free a joint.")));
}

TEST(DrivenMechanism, DriverOfATrussHasNothingToMove) {
  // Equal bars of 0.7 m over pins 1 m apart: at the start to all digits, so that it can be assembled.
  const std::string truss =
      "plane: xy\nground: {points: {A: [0, 0], B: [1, 0]}}\nbodies:\n  l: {points: {A: [0, 0], C: [0.7, "
      "0]}}\n"
      "  r: {points: {B: [0, 0], C: [0.7, 0]}}\njoints:\n  A: {revolute: [ground.A, l.A]}\n  C: {revolute: "
      "[l.C, r.C]}\n"
      "  B: {revolute: [ground.B, r.B]}\nassembly: {l.angle: = acos(0.5/0.7), r.angle: = pi - "
      "acos(0.5/0.7)}\n";
  EXPECT_EQ(complaint_about(truss), "");
  EXPECT_THAT(complaint_about(truss + "drivers:\n  m: {joint: A, speed: 1 rad/s}\n"),
              AllOf(HasSubstr("[driver 'm']"), HasSubstr("Remove the driver, or free a joint.")));
}

// ---- What never moves ----------------------------------------------------------------------------------------------

TEST(DrivenMechanism, VariableThatNeverChangesCannotBeDriven) {
  const std::string never =
      "expected a degree of freedom that it can move at the start position, got a variable that never "
      "changes.";
  EXPECT_THAT(
      complaint_about(kFourBar + "drivers:\n  m: {point: crank.A.x, speed: 1 m/s}\n"),
      AllOf(StartsWith("a driver prescribes what is already determined [driver 'm']: "), HasSubstr(never)));
  const std::string slider =
      "plane: xy\nground: {points: {O: [0, 0]}}\nbodies:\n  block: {points: {P: [0, 0]}}\n"
      "joints:\n  guide: {prismatic: [ground.O, block.P], axis: [1, 0]}\n";
  EXPECT_THAT(complaint_about(slider + "drivers:\n  m: {body: block, speed: 1 rad/s}\n"), HasSubstr(never));
  EXPECT_THAT(complaint_about(slider + "drivers:\n  m: {point: block.P.y, speed: 1 m/s}\n"),
              HasSubstr(never));
  EXPECT_EQ(complaint_about(slider + "drivers:\n  m: {point: block.P.x, speed: 1 m/s}\n"), "");
}

// ---- Singular starts -----------------------------------------------------------------------------------------------

TEST(DrivenMechanism, RockerThatStartsAtItsLimitIsSentAway) {
  // Crank and coupler extended: A, P1 and P2 in one line.
  const std::string limit =
      "assembly: {crank.angle: = limit, coupler.angle: = limit, rocker.angle: = pi - beta}\n"
      "parameters:\n  beta: = acos((0.8^2 + 0.455^2 - 0.66^2)/(2*0.8*0.455))\n  limit: = acos((0.8^2 + "
      "0.66^2 - 0.455^2)/(2*0.8*0.66))\n";
  const std::string four_bar = kFourBar.substr(0, kFourBar.find("assembly"));
  EXPECT_THAT(
      complaint_about(four_bar + "drivers:\n  motor: {joint: B, speed: 0.1 rad/s}\n" + limit),
      AllOf(StartsWith("a driver prescribes what is already determined [driver 'motor']"),
            HasSubstr("Drive another variable, or start away from this position if it is a dead centre.")));
  EXPECT_EQ(complaint_about(four_bar + "drivers:\n  motor: {joint: A, speed: 0.1 rad/s}\n" + limit), "");
}

TEST(DrivenMechanism, FlatParallelogramIsASingularStart_NotAFreedomWithoutDriver) {
  const std::string text =
      "plane: xy\nground: {points: {A: [0, 0], B: [0.7, 0]}}\nbodies:\n  crank: {points: {S: [0, 0], T: "
      "[0.3, 0]}}\n"
      "  coupler: {points: {S: [0, 0], T: [0.7, 0]}}\n  rocker: {points: {S: [0, 0], T: [0.3, 0]}}\n"
      "joints:\n  A: {revolute: [ground.A, crank.S]}\n  P1: {revolute: [crank.T, coupler.S]}\n"
      "  P2: {revolute: [coupler.T, rocker.T]}\n  B: {revolute: [ground.B, rocker.S]}\n"
      "drivers:\n  motor: {joint: A, speed: 1 rad/s}\nassembly: {crank.angle: 0, coupler.angle: 0, "
      "rocker.angle: 0}\n";
  EXPECT_THAT(complaint_about(text),
              AllOf(StartsWith("the start position is singular [joint '"), HasSubstr("P1"), HasSubstr("P2"),
                    HasSubstr("B"), HasSubstr("Start ")));
}

// ---- Idle freedoms -------------------------------------------------------------------------------------------------

TEST(DrivenMechanism, SpinOfABarBetweenBallsIsHeld) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/rssr.yaml", {});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport assembly = assemble(mechanism, structure);
  const DrivenMechanism driven(mechanism, structure, assembly);
  ASSERT_EQ(driven.held().size(), 1u);
  EXPECT_EQ(mechanism.body(driven.held()[0].body).name, "coupler");
  ASSERT_EQ(driven.prescribed().size(), 2u);
  EXPECT_EQ(driven.prescribed()[1].name, "spin of body 'coupler'");
  // It is held where it is, across the line of its balls.
  const coordinates::HeldDirection& held = driven.held()[0].direction;
  const Eigen::Vector3d u_W = assembly.bodies[held.body.slot()].X_WB.apply_to_direction(held.u_B);
  EXPECT_NEAR(u_W.dot(held.d_W), 0.0, 1e-15);
  EXPECT_NEAR(u_W.norm(), 1.0, 1e-15);
  EXPECT_NEAR(held.u_B.dot(Eigen::Vector3d::UnitX()), 0.0, 1e-12);
  std::vector<coordinates::CoordinateValue> values(2);
  driven.evaluate_or_throw(0.5, values);
  EXPECT_EQ(values[1].position, 0.0);
  EXPECT_EQ(values[1].velocity, 0.0);
}

TEST(DrivenMechanism, AssemblyThatIsNotUsableIsRefused) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {{"base=2 m"}});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport assembly = assemble(mechanism, structure);
  EXPECT_THAT(
      test::sentence_of<core::ContractError>(
          [&] { const DrivenMechanism driven(mechanism, structure, assembly); }),
      AllOf(StartsWith("a mechanism that is not assembled cannot be moved [assembly]: expected a usable "
                       "AssemblyReport, got loop "),
            HasSubstr("stays open by 0.885 m")));
}

// ---- What the solver and the motion refuse ---------------------------------------------------------------------------

TEST(KinematicSolver, UnknownMethodAndKindListWhatThereIs) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const DrivenMechanism driven(mechanism, structure, assemble(mechanism, structure));
  EXPECT_THAT(
      test::sentence_of<core::ModelError>([&] { const Motion motion("newton", "natural", driven, 1.0); }),
      AllOf(StartsWith("unknown method"), HasSubstr("'global'"), HasSubstr("'sparse'"),
            HasSubstr("got 'newton'")));
  EXPECT_THAT(
      test::sentence_of<core::ModelError>([&] { const Motion motion("global", "cartesian", driven, 1.0); }),
      AllOf(HasSubstr("natural"), HasSubstr("reference-point"), HasSubstr("relative"),
            HasSubstr("'cartesian'")));
}

}  // namespace
}  // namespace eslabon::kinematics
