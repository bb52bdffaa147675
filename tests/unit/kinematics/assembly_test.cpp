// Closing loops: residuals, the branch that is nearest to the start values, and what is said when it cannot be done. Gaps and
// reaches are known by thought.
#include "eslabon/kinematics/assembly/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/four_bar_closed_form.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {
namespace {

using testing::StartsWith;
using Status = AssemblyReport::Status;

/// A mechanism and its assembly.
struct Assembled {
  explicit Assembled(const model::Mechanism& mechanism_)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        report(assemble(mechanism, structure)) {}
  double value(const std::string& name) const {
    return value_of(mechanism, model::find_variable(mechanism, name), report.bodies);
  }
  std::string sentence() const { return core::ModelError(report.error_text()).what(); }

  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport report;
};

Assembled assembled(const std::string& text) {
  return Assembled(io::read_mechanism("mechanism: m\n" + text, "m.yaml"));
}

/// The four-bar of the testbed with one length changed.
std::string four_bar(const std::string& rest, const std::string& base = "0.8",
                     const std::string& coupler = "0.54") {
  return "plane: xy\nground: {points: {A: [0, 0], B: [" + base +
         ", 0]}}\n"
         "bodies:\n  crank: {points: {A: [0, 0], P1: [0.12, 0]}}\n  coupler: {points: {P1: [0, 0], P2: [" +
         coupler +
         ", 0]}}\n  rocker: {points: {B: [0, 0], P2: [0.455, 0]}}\n"
         "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P1: {revolute: [crank.P1, coupler.P1]}\n"
         "  P2: {revolute: [coupler.P2, rocker.P2]}\n  B: {revolute: [ground.B, rocker.B]}\n" +
         rest;
}

const std::string kMotor = "drivers:\n  motor: {joint: A, speed: 1 rad/s}\n";
const std::string kStart =
    "assembly: {crank.angle: 90 deg, coupler.angle: 23.75 deg, rocker.angle: 132 deg}\n";

// ---- Lengths that do not fit ---------------------------------------------------------------------------------------

// The gap that is left with all bars stretched towards each other: 2 − 0.12 − 0.54 − 0.455 = 0.885 m, and
// 5 − 0.8 − 0.12 − 0.455 = 3.625 m, whatever the driver says.
TEST(Assembly, FourBarThatCannotCloseNamesLoopAndGap) {
  for (const std::string& driver : {std::string(), kMotor}) {
    const Assembled long_base = assembled(four_bar(driver + kStart, "2.0"));
    EXPECT_EQ(long_base.report.status, Status::kOpen);
    EXPECT_FALSE(long_base.report.usable());
    EXPECT_EQ(long_base.report.gap, "joint 'P2' stays open by 0.885 m");
    EXPECT_EQ(assembled(four_bar(driver + kStart, "0.8", "5")).report.gap, "joint 'P2' stays open by 3.63 m");
    EXPECT_EQ(long_base.sentence(),
              "the mechanism cannot be assembled [loop P2, B, A, P1]: expected lengths and start values with "
              "which the loop "
              "closes, got joint 'P2' stays open by 0.885 m. Check the lengths around this loop; if they are "
              "right, give "
              "start values nearer to the assembled position under 'assembly:'.");
    EXPECT_THAT(long_base.report.brief(),
                StartsWith("loop P2, B, A, P1: joint 'P2' stays open by 0.885 m after "));
  }
}

// Of two loops only the second is wrong: the rocker's pin reaches x = 1.7, two bars of 0.1 m lead on, and G is at 3.
TEST(Assembly, TheLoopThatCannotCloseIsNamed_NotItsNeighbour) {
  // The second loop is short by |BG| − 0.7 − 0.1 − 0.1 wherever G is; the first, which shares the rocker, could close.
  for (const auto& [G, gap] : {std::pair("3", "1.1 m"), std::pair("2.3", "0.4 m"), std::pair("2", "0.1 m")}) {
    const Assembled six_bar = assembled(
        "plane: xy\nground: {points: {A: [0, 0], B: [1, 0], G: [" + std::string(G) +
        ", 0]}}\nbodies:\n"
        "  crank: {points: {S: [0, 0], T: [0.4, 0]}}\n  coupler: {points: {S: [0, 0], T: [0.9, 0]}}\n"
        "  rocker: {points: {S: [0, 0], T: [0.7, 0]}}\n  bar: {points: {S: [0, 0], T: [0.1, 0]}}\n"
        "  last: {points: {S: [0, 0], T: [0.1, 0]}}\njoints:\n  A: {revolute: [ground.A, crank.S]}\n"
        "  C: {revolute: [crank.T, coupler.S]}\n  D: {revolute: [coupler.T, rocker.T]}\n  B: {revolute: "
        "[ground.B, rocker.S]}\n"
        "  E: {revolute: [rocker.T, bar.S]}\n  F: {revolute: [bar.T, last.T]}\n  G: {revolute: [ground.G, "
        "last.S]}\n"
        "assembly: {crank.angle: 100 deg, coupler.angle: 20 deg, rocker.angle: 80 deg, bar.angle: -30 deg, "
        "last.angle: 120 deg}\n");
    EXPECT_EQ(six_bar.report.status, Status::kOpen);
    EXPECT_EQ(six_bar.report.element, "loop F, G, B, E");
    EXPECT_EQ(six_bar.report.gap, std::string("joint 'F' stays open by ") + gap);
  }
}

// Start values choose the branch also when nothing is said about the other bodies, whatever the order of the joints.
TEST(Assembly, StartValuesOfSomeBodiesChooseTheBranch) {
  constexpr double g = 0.8, a = 0.12, h = 0.54, b = 0.455;
  std::vector<std::string> joints{
      "  A: {revolute: [ground.A, crank.S]}\n", "  C: {revolute: [crank.T, coupler.S]}\n",
      "  D: {revolute: [coupler.T, rocker.T]}\n", "  B: {revolute: [ground.B, rocker.S]}\n"};
  std::ranges::sort(joints);
  do {
    for (const bool is_open : {true, false})
      for (const char* given : {"coupler", "rocker"}) {
        const auto exact = test::four_bar_motion(g, a, h, b, 1.4, 1.0, is_open);
        const double value = (std::string(given) == "coupler" ? exact.phi : exact.psi) + 0.05;
        const Assembled start = assembled(
            "plane: xy\nground: {points: {A: [0, 0], B: [0.8, 0]}}\nbodies:\n"
            "  crank: {points: {S: [0, 0], T: [0.12, 0]}}\n  coupler: {points: {S: [0, 0], T: [0.54, 0]}}\n"
            "  rocker: {points: {S: [0, 0], T: [0.455, 0]}}\njoints:\n" +
            joints[0] + joints[1] + joints[2] + joints[3] + "drivers: {motor: {joint: A, speed: 1 rad/s}}\n" +
            "assembly: {crank.angle: 1.4, " + given + ".angle: " + std::to_string(value) + "}\n");
        ASSERT_TRUE(start.report.usable()) << start.report.brief();
        const auto body = std::get<model::BodyIndex>(*start.mechanism.find("rocker"));
        const auto& R = start.report.bodies[body.slot()].X_WB.R_AB.matrix();
        EXPECT_NEAR(std::remainder(std::atan2(R(1, 0), R(0, 0)) - exact.psi, 2.0 * M_PI), 0.0, 1e-9)
            << given << (is_open ? " open" : " crossed");
      }
  } while (std::ranges::next_permutation(joints).found);
}

// ---- Starts that do not fit ----------------------------------------------------------------------------------------

// Without start values all bars lie in one line: a place from which no way leads downhill.
TEST(Assembly, NeedsNoStartValues_EvenWithAllBarsInOneLine) {
  for (const std::string& driver : {std::string(), kMotor}) {
    const Assembled flat = assembled(four_bar(driver));
    EXPECT_TRUE(flat.report.usable()) << flat.report.brief();
    EXPECT_LE(flat.report.residual, test::tolerance_scale() * 1e-12);
  }
}

TEST(Assembly, DriverThatStartsOutOfReachIsNamed_WithWhatWouldBeReached) {
  const Assembled report =
      assembled(four_bar("drivers:\n  motor: {joint: B, speed: 0.1 rad/s, start: 90 deg}\n" + kStart));
  EXPECT_EQ(report.report.status, Status::kUnreachableDriver);
  EXPECT_EQ(report.sentence(),
            "the mechanism cannot be assembled where the driver starts [driver 'motor']: expected a position "
            "that the "
            "mechanism can reach, got B.q = 1.5708 rad; it closes at 2.30693 rad. Start the driver within "
            "reach, or give "
            "start values nearer to where it starts.");
  const Assembled position =
      assembled(four_bar("drivers:\n  motor: {joint: B, position: = 20 deg + 1 rad/s*t}\n" + kStart));
  EXPECT_EQ(position.report.status, Status::kUnreachableDriver);
  EXPECT_THAT(position.report.gap, StartsWith("B.q = 0.349066 rad; it closes at "));
}

const std::string kFiveBar =
    "plane: xy\nground: {points: {A: [0, 0], E: [0.5, 0]}}\nbodies:\n  b1: {points: {S: [0, 0], T: [0.4, "
    "0]}}\n"
    "  b2: {points: {S: [0, 0], T: [0.4, 0]}}\n  b3: {points: {S: [0, 0], T: [0.4, 0]}}\n  b4: {points: {S: "
    "[0, 0], T: [0.4, 0]}}\n"
    "joints:\n  A: {revolute: [ground.A, b1.S]}\n  B: {revolute: [b1.T, b2.S]}\n  C: {revolute: [b2.T, "
    "b3.T]}\n"
    "  D: {revolute: [b3.S, b4.T]}\n  E: {revolute: [ground.E, b4.S]}\n"
    "assembly: {b1.angle: 1.7 rad, b2.angle: 0.6 rad, b3.angle: 2.4 rad, b4.angle: 1.2 rad}\n";

// One driver is a whole turn on, which is the same place; the other cannot be where it starts.
TEST(Assembly, DriverThatStartsAfterAWholeTurnIsNotBlamed) {
  const Assembled report = assembled(kFiveBar +
                                     "drivers:\n  m: {joint: A, speed: 1 rad/s, start: 457.4 deg}\n"
                                     "  n: {joint: E, speed: 1 rad/s, start: -60 deg}\n");
  EXPECT_EQ(report.report.status, Status::kUnreachableDriver);
  EXPECT_EQ(report.report.element, "driver 'n'");
}

TEST(Assembly, DriverMayStartBeyondAWholeTurn) {
  const Assembled report =
      assembled(four_bar("drivers:\n  motor: {joint: A, speed: 1 rad/s, start: 810 deg}\n" + kStart));
  ASSERT_TRUE(report.report.usable()) << report.report.brief();
  EXPECT_DOUBLE_EQ(report.report.driver_starts.at(0), 4.5 * std::numbers::pi);
  EXPECT_NEAR(report.value("crank.angle"), 0.5 * std::numbers::pi, 1e-12);
}

const std::string kHinge =
    "ground: {points: {A: [0, 0, 0]}}\nbodies:\n  arm: {points: {A: [0, 0, 0], T: [0.5, 0, 0]}}\n"
    "joints:\n  hinge: {revolute: [ground.A, arm.A], axis: [0, 0, 1]}\ndrivers:\n  m: {joint: hinge, speed: "
    "1 rad/s}\n";

TEST(Assembly, JointTurnedInsideOutIsNamed) {
  for (const char* tilt : {"180 deg", "100 deg"}) {
    const Assembled report = assembled(kHinge + "assembly: {arm.rotation: [" + tilt + ", 0, 0]}\n");
    EXPECT_EQ(report.report.status, Status::kInsideOut) << tilt;
    EXPECT_EQ(report.sentence(),
              "the mechanism closes only with a joint turned inside out [joint 'hinge']: expected start "
              "values less than a "
              "quarter turn from the assembled position, got a joint that would be turned inside out. Give "
              "better start "
              "values for the bodies of this joint under 'assembly:'.");
  }
  EXPECT_TRUE(assembled(kHinge + "assembly: {arm.rotation: [80 deg, 0, 0]}\n").report.usable());
  const std::string slider =
      "plane: xy\nground: {points: {O: [0, 0]}}\nbodies:\n  block: {points: {P: [0, 0]}}\n"
      "joints:\n  guide: {prismatic: [ground.O, block.P], axis: [1, 0]}\ndrivers:\n  m: {joint: guide, "
      "speed: 1 m/s}\n";
  const Assembled turned = assembled(slider + "assembly: {block.angle: 170 deg}\n");
  EXPECT_EQ(turned.report.status, Status::kInsideOut);
  EXPECT_EQ(turned.report.element, "joint 'guide'");
  EXPECT_TRUE(assembled(slider + "assembly: {block.angle: 60 deg}\n").report.usable());
}

TEST(Assembly, StartsThatAreFarOffStillClose) {
  const Assembled report = assembled(
      four_bar(kMotor + "assembly: {crank.angle: 90 deg, coupler.P1.x: 100 m, rocker.P2.y: -500 m}\n"));
  ASSERT_TRUE(report.report.usable()) << report.report.brief();
  EXPECT_LE(report.report.residual, test::tolerance_scale() * 1e-12);
  EXPECT_NEAR(report.value("crank.angle"), 0.5 * std::numbers::pi, 1e-12);
}

// ---- What closes ---------------------------------------------------------------------------------------------------

TEST(Assembly, BarsWithoutLengthClose) {
  EXPECT_TRUE(assembled("plane: xy\nground: {points: {A: [0, 0]}}\nbodies:\n  b: {points: {A: [0, 0]}}\n  c: "
                        "{points: {A: [0, 0]}}\n"
                        "joints:\n  A: {revolute: [ground.A, b.A]}\n  B: {revolute: [b.A, c.A]}\n  C: "
                        "{revolute: [c.A, ground.A]}\n")
                  .report.usable());
}

TEST(Assembly, EveryModelFileClosesToRoundoff) {
  for (const char* name :
       {"andrews-squeezer", "double-wishbone", "five-bar", "fourbar-crank-rocker", "fourbar-double-crank",
        "fourbar-testbed", "quarter-vehicle", "rssr", "slider-crank", "stephenson-sixbar", "watt-sixbar"}) {
    const Assembled report(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {}));
    EXPECT_TRUE(report.report.usable()) << name << ": " << report.report.brief();
    EXPECT_LE(report.report.residual, test::tolerance_scale() * 1e-12) << name;
  }
}

// The start values of the listing are rounded: its parts move by up to 2 cm, and it closes.
TEST(Assembly, TruckClosesFromTheListingsStart) {
  for (const int axles : {1, 5}) {
    const Assembled report(io::load_model("family:truck-suspension,axles=" + std::to_string(axles), {}));
    ASSERT_TRUE(report.report.usable()) << report.report.brief();
    EXPECT_LE(report.report.residual, test::tolerance_scale() * 1e-12);
    EXPECT_NEAR(report.value("axle_1.wheel_left.z"), 0.0, test::tolerance_scale() * 1e-12);
    for (const model::StartPose& start : report.mechanism.start_poses()) {
      if (!start.p_WB_W) continue;
      EXPECT_LE((report.report.bodies[start.body.slot()].X_WB.p_AB_A - *start.p_WB_W).norm(), 0.025)
          << report.mechanism.body(start.body).name;
    }
  }
}

// statistical: seeded; a perturbation of at most 0.2 rad is far less than half the way to the other branch.
TEST(Assembly, PerturbedStartsReturnToTheirBranch_OverTwoHundredSeededStarts) {
  core::Rng rng(41);
  const Assembled right = assembled(four_bar(kMotor + kStart));
  const double g = 0.8, a = 0.12, h = 0.54, b = 0.455;
  for (int trial = 0; trial < 200; ++trial) {
    coordinates::MechanismMotion guess = right.report.bodies;
    const bool is_open = trial % 2 == 0;
    const auto m = test::four_bar_motion(g, a, h, b, 0.5 * std::numbers::pi, 0.0, is_open);
    const double angles[] = {0.5 * std::numbers::pi, m.phi, m.psi};
    for (std::size_t k = 0; k < 3; ++k) {
      const double noise = 0.4 * (rng.uniform() - 0.5);
      guess[k + 1].X_WB.R_AB = core::Rotation<double>::about_z(angles[k] + noise);
      guess[k + 1].X_WB.p_AB_A += 0.05 * Eigen::Vector3d(rng.uniform() - 0.5, rng.uniform() - 0.5, 0.0);
    }
    const AssemblyReport report =
        assemble_from(right.mechanism, right.structure, guess, {0.5 * std::numbers::pi});
    ASSERT_TRUE(report.usable()) << trial << report.brief();
    EXPECT_LE(report.residual, test::tolerance_scale() * 1e-12);
    const double psi =
        value_of(right.mechanism, model::find_variable(right.mechanism, "rocker.angle"), report.bodies);
    EXPECT_NEAR(std::remainder(psi - m.psi, 2.0 * std::numbers::pi), 0.0, test::tolerance_scale() * 1e-12)
        << trial;
  }
}

TEST(Assembly, SameInputGivesTheSameBits) {
  const Assembled one = assembled(four_bar("")), other = assembled(four_bar(""));
  for (std::size_t i = 0; i < one.report.bodies.size(); ++i) {
    EXPECT_EQ(one.report.bodies[i].X_WB.p_AB_A, other.report.bodies[i].X_WB.p_AB_A);
    EXPECT_EQ(one.report.bodies[i].X_WB.R_AB.matrix(), other.report.bodies[i].X_WB.R_AB.matrix());
  }
  EXPECT_EQ(one.report.brief(), other.report.brief());
  EXPECT_THAT(one.report.brief(), StartsWith("closed in "));
}

}  // namespace
}  // namespace eslabon::kinematics
