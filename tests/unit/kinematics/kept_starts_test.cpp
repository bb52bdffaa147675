// Which start values stay where they were given. Mechanisms are drawn where they close, or their closed positions are known in
// closed form; files that were rounded to eight digits close to that.
#include "eslabon/kinematics/assembly/kept_starts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/four_bar_closed_form.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Status = AssemblyReport::Status;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kExact = 1e-11;  // roundoff of a closing, a hundred times over

struct Assembled {
  explicit Assembled(const model::Mechanism& mechanism_)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        report(assemble(mechanism, structure)) {}
  explicit Assembled(const std::string& text)
      : Assembled(io::read_mechanism("mechanism: m\n" + text, "m.yaml")) {}
  double value(const std::string& name) const {
    return value_of(mechanism, model::find_variable(mechanism, name), report.bodies);
  }
  const core::Pose<double>& pose(const std::string& body) const {
    return report.bodies[std::get<model::BodyIndex>(*mechanism.find(body)).slot()].X_WB;
  }
  std::vector<std::string> moved() const {
    std::vector<std::string> names;
    for (const StartShift& shift : start_shifts(mechanism, report.bodies)) names.push_back(shift.name);
    return names;
  }
  std::string sentence() const { return core::ModelError(report.error_text()).what(); }

  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport report;
};

// ---- Planar --------------------------------------------------------------------------------------------------------

constexpr double kBase = 10.0, kCrank = 2.0, kCoupler = 8.0, kRocker = 5.0;

Assembled four_bar(const std::string& starts) {
  return Assembled(
      "plane: xy\nground: {points: {A: [0, 0], B: [10, 0]}}\nbodies:\n"
      "  crank: {points: {A: [0, 0], P1: [2, 0]}}\n  coupler: {points: {P1: [0, 0], P2: [8, 0]}}\n"
      "  rocker: {points: {B: [0, 0], P2: [5, 0]}}\njoints:\n  A: {revolute: [ground.A, crank.A]}\n"
      "  P1: {revolute: [crank.P1, coupler.P1]}\n  P2: {revolute: [coupler.P2, rocker.P2]}\n"
      "  B: {revolute: [ground.B, rocker.B]}\n" +
      starts);
}

void expect_crank_at_60_degrees(const Assembled& start, bool is_open = true) {
  ASSERT_TRUE(start.report.usable()) << start.report.brief();
  const auto exact = test::four_bar_motion(kBase, kCrank, kCoupler, kRocker, 60 * kDegree, 0.0, is_open);
  EXPECT_NEAR(start.value("crank.angle"), 60 * kDegree, kExact);
  EXPECT_NEAR(start.value("A.q"), 60 * kDegree, kExact);
  EXPECT_NEAR(std::remainder(start.value("coupler.angle") - exact.phi, 2.0 * std::numbers::pi), 0.0, kExact);
  EXPECT_NEAR(std::remainder(start.value("rocker.angle") - exact.psi, 2.0 * std::numbers::pi), 0.0, kExact);
}

TEST(KeptStarts, RoughGuessesOfOtherBodiesDoNotShiftACrank) {
  for (const char* starts : {
           "assembly: {crank.angle: 60 deg, coupler.angle: 20 deg, rocker.angle: 105 deg}\n",
           "assembly: {crank.angle: 60 deg, coupler.angle: 30 deg, rocker.angle: 120 deg}\n",
           "assembly: {crank.angle: 60 deg, rocker.angle: 100 deg}\n",
           "assembly: {coupler.angle: 20 deg, rocker.angle: 105 deg, A: 60 deg}\n",
           "assembly: {rocker.angle: 105 deg, crank.angle: 60 deg}\ninputs: [A.q]\n",
           "assembly: {rocker.angle: 105 deg, crank.angle: 60 deg}\ninputs: [crank.angle]\n",
           "assembly: {crank.angle: 60 deg, rocker.angle: 105 deg, B.v: 2 rad/s}\n",
           "assembly: {rocker.angle: 105 deg, A.q: 60 deg, crank.rate: 2 rad/s}\n",
           "assembly: {crank.angle: 420 deg, coupler.angle: 20 deg, rocker.angle: 105 deg}\n",
           "assembly: {coupler.P2.x: 8.5, coupler.P2.y: 4.5, crank.angle: 60 deg, coupler.angle: 25 deg}\n",
           "drivers: {m: {joint: A, speed: 1 rad/s}}\n"
           "assembly: {crank.angle: 60 deg, coupler.angle: 20 deg, rocker.angle: 105 deg}\n",
       }) {
    SCOPED_TRACE(starts);
    expect_crank_at_60_degrees(four_bar(starts));
  }
}

TEST(KeptStarts, RoughGuessesChooseTheBranch) {
  expect_crank_at_60_degrees(four_bar("assembly: {crank.angle: 60 deg, rocker.angle: -130 deg}\n"), false);
}

TEST(KeptStarts, ShiftsSayFromWhereToWhere_TheFarthestFirst) {
  const Assembled start =
      four_bar("assembly: {crank.angle: 60 deg, coupler.angle: 20 deg, rocker.angle: 105 deg}\n");
  EXPECT_THAT(start.moved(), ElementsAre("rocker.angle", "coupler.angle"));
  const auto exact = test::four_bar_motion(kBase, kCrank, kCoupler, kRocker, 60 * kDegree, 0.0, true);
  char text[64];
  std::snprintf(text, sizeof text, "from 105° to %.4g°", exact.psi / kDegree);
  EXPECT_EQ(start_shifts(start.mechanism, start.report.bodies).front().move, text);
}

// The rocker swings between two limits: with crank and coupler in one line, |B P2| = 5 and |A P2| = 10 or 6.
TEST(KeptStarts, WhatCannotBeReachedMovesToTheNearestClosedPosition) {
  const double lower = std::numbers::pi - std::acos((25.0 + 100.0 - 36.0) / 100.0);
  const double upper = std::numbers::pi - std::acos((25.0 + 100.0 - 100.0) / 100.0);
  for (const double given : {170.0, 40.0}) {
    const Assembled start = four_bar("assembly: {B.q: " + std::to_string(given) + " deg}\n");
    ASSERT_TRUE(start.report.usable()) << start.report.brief();
    EXPECT_THAT(start.moved(), ElementsAre("B.q"));
    const double limit = given > 100.0 ? std::max(lower, upper) : std::min(lower, upper);
    EXPECT_NEAR(start.value("B.q"), limit, 0.02) << given;
  }
}

TEST(KeptStarts, FiveBarKeepsBothBarsAtTheGround_WhateverTheOrder) {
  const std::string five_bar =
      "plane: xy\nground: {points: {A: [0, 0], E: [0.5, 0]}}\nbodies:\n"
      "  b1: {points: {S: [0, 0], T: [0.4, 0]}}\n  b2: {points: {S: [0, 0], T: [0.4, 0]}}\n"
      "  b3: {points: {S: [0, 0], T: [0.4, 0]}}\n  b4: {points: {S: [0, 0], T: [0.4, 0]}}\n"
      "joints:\n  A: {revolute: [ground.A, b1.S]}\n  B: {revolute: [b1.T, b2.S]}\n"
      "  C: {revolute: [b2.T, b3.T]}\n  D: {revolute: [b3.S, b4.T]}\n  E: {revolute: [ground.E, b4.S]}\n";
  for (const char* starts : {"{b1.angle: 1.7 rad, b2.angle: 0.6 rad, b3.angle: 2.4 rad, b4.angle: 1.2 rad}",
                             "{b2.angle: 0.4 rad, b3.angle: 2.5 rad, b4.angle: 1.2 rad, b1.angle: 1.7 rad}",
                             "{b2.angle: 0.4 rad, b3.angle: 2.5 rad, E: 1.2 rad, A: 1.7 rad}"}) {
    const Assembled start(five_bar + "assembly: " + starts + "\n");
    ASSERT_TRUE(start.report.usable());
    EXPECT_NEAR(start.value("A.q"), 1.7, kExact) << starts;
    EXPECT_NEAR(start.value("E.q"), 1.2, kExact) << starts;
    EXPECT_LT(std::abs(std::remainder(start.value("b2.angle") - 0.5, 2.0 * std::numbers::pi)), 0.5) << starts;
  }
}

// ---- In space ------------------------------------------------------------------------------------------------------

/// A strut suspension, every body drawn in the world frame; numbers rounded to eight digits.
std::string strut(const std::string& rest) {
  return "ground: {points: {O: [0, 0, 0], i0: [0.22, 0.52, -0.156], i1: [-0.3, 0.507, -0.137], top: [-0.115, "
         "0.785, "
         "0.579]}}\nbodies:\n"
         "  upright: {mass: 20, center_of_mass: C, inertia: [0.5, 0.5, 0.5], points: {low: [-0.07402507, "
         "0.8532915, 0.2484536], C: [-0.04000403, 1.09999965, "
         "-0.02602507], "
         "o0: [-0.02165371, 0.94057703, -0.17402826], o2: [-0.2373756, 0.89495045, -0.01605418]}}\n"
         "  rack: {points: {O: [0, 0, 0], T: [-0.3, 0.52, -0.059]}}\n"
         "  strut: {points: {top: [-0.115, 0.785, 0.579]}}\n"
         "joints:\n  steer: {prismatic: [ground.O, rack.O], axis: y}\n"
         "  link0: {rod: [ground.i0, upright.o0], length: 0.48539321367218619}\n"
         "  link1: {rod: [ground.i1, upright.o0], length: 0.51656247457496618}\n"
         "  tie: {rod: [rack.T, upright.o2], length: 0.38256241175269018}\n"
         "  tops: {universal: [ground.top, strut.top], axis: {first: [0, 0.9721801716, 0.2008542286], "
         "second: "
         "[-0.9854767071, 0.02420547041, -0.1171599848]}}\n"
         "  tube: {cylindrical: [upright.low, strut.top], axis: [-0.1205126254, -0.2008542286, "
         "0.9721801716]}\n" +
         rest;
}
const std::string kSteered = "drivers: {wheel: {joint: steer, position: 0}}\n";

void expect_as_drawn(const Assembled& start) {
  ASSERT_TRUE(start.report.usable()) << start.report.brief();
  for (std::size_t b = 1; b < start.report.bodies.size(); ++b) {
    const core::Pose<double>& X = start.report.bodies[b].X_WB;
    EXPECT_LE(X.p_AB_A.norm(), 1e-6) << start.mechanism.bodies()[b].name;
    EXPECT_LE(X.R_AB.to_rotation_vector().norm(), 1e-6) << start.mechanism.bodies()[b].name;
  }
  EXPECT_THAT(start.moved(), IsEmpty());
}

TEST(KeptStarts, StrutThatIsDrawnWhereItClosesStaysThere) {
  for (const std::string& drivers : {kSteered, std::string()})
    for (const char* starts : {
             "",
             "assembly: {upright.position: [0, 0, 0], upright.rotation: [0, 0, 0]}\n",
             "assembly: {upright.rotation: [0, 0, 0]}\n",
             "assembly: {upright.position: [0, 0, 0]}\n",
             "assembly: {upright.C.z: -0.02602507}\n",
             "assembly: {strut.rotation: [0, 0, 0], steer: 0}\n",
         }) {
      SCOPED_TRACE(drivers + starts);
      expect_as_drawn(Assembled(strut(drivers + starts)));
    }
}

TEST(KeptStarts, StrutThatIsDrawnWhereItClosesTravelsFromThere) {
  for (const double travel : {0.05, -0.06}) {
    for (const char* section : {"assembly"}) {
      const Assembled start(strut(kSteered + section + ": {upright.C.z: " + std::to_string(travel) + "}\n"));
      ASSERT_TRUE(start.report.usable()) << start.report.brief();
      EXPECT_NEAR(start.value("upright.C.z"), travel, kExact);
      EXPECT_LE(start.pose("upright").R_AB.to_rotation_vector().norm(), 0.2) << section << travel;
      EXPECT_LE(start.pose("strut").R_AB.to_rotation_vector().norm(), 0.2) << section << travel;
    }
  }
}

// The given pose is that of the drawing, exact; where the strut is turned to is only roughly said.
TEST(KeptStarts, RoughPoseOfAStrutDoesNotMoveTheUpright) {
  const Assembled start(
      strut(kSteered + "assembly: {upright.position: [0, 0, 0], upright.rotation: [0, 0, 0], strut.rotation: "
                       "[5 deg, -3 deg, 4 deg]}\n"));
  ASSERT_TRUE(start.report.usable());
  EXPECT_NEAR(start.value("upright.C.z"), -0.02602507, 1e-7);
  EXPECT_THAT(start.moved(), ElementsAre("strut.rotation"));
}

/// A double wishbone of five rods, drawn in the world frame.
std::string wishbone(const std::string& rest) {
  return "ground: {points: {O: [0, 0, 0], i0: [-0.048, 0.446, 0.245], i1: [-0.268, 0.478, 0.196], i2: "
         "[0.223, 0.307, "
         "0], i3: [-0.223, 0.307, 0]}}\nbodies:\n"
         "  upright: {points: {C: [-0.04, 0.91, -0.026], o0: [-0.053, 0.716, 0.215], o2: [-0.036, 0.787, "
         "-0.118], o4: "
         "[-0.176, 0.821, -0.016]}}\n  rack: {points: {O: [0, 0, 0], T: [-0.25, 0.448, 0.054]}}\n"
         "joints:\n  steer: {prismatic: [ground.O, rack.O], axis: y}\n"
         "  link0: {rod: [ground.i0, upright.o0], length: 0.27170756338387042}\n"
         "  link1: {rod: [ground.i1, upright.o0], length: 0.32129425765176695}\n"
         "  link2: {rod: [ground.i2, upright.o2], length: 0.5580367371419197}\n"
         "  link3: {rod: [ground.i3, upright.o2], length: 0.52848178776567134}\n"
         "  tie: {rod: [rack.T, upright.o4], length: 0.3866587642870648}\n" +
         rest;
}

TEST(KeptStarts, WishboneOfRodsKeepsAGivenRotation_OrTheDrawing) {
  const std::string travel =
      "drivers:\n  travel: {point: upright.C.z, position: = -0.026 + t}\n  wheel: {joint: steer, position: "
      "0}\n";
  for (const std::string& drivers : {travel, kSteered, std::string()})
    for (const char* starts :
         {"", "assembly: {upright.rotation: [0, 0, 0]}\n", "assembly: {upright.C.y: 0.91}\n"}) {
      SCOPED_TRACE(drivers + starts);
      expect_as_drawn(Assembled(wishbone(drivers + starts)));
    }
}

// The lengths of rods are those of the drawing; with the origin shifted nothing is in the world frame any more.
TEST(KeptStarts, GivenPoseThatClosesIsKept_WhereverTheBodyWasDrawn) {
  std::string text = wishbone("assembly: {upright.position: [1, 2, 3], upright.rotation: [0, 0, 90 deg]}\n");
  // Points of the upright in a frame at (1, 2, 3) that is turned by 90° about z: (x, y, z) ↦ (y − 2, 1 − x, z − 3).
  const std::size_t begin = text.find("  upright: "), end = text.find("  rack: ");
  text.replace(
      begin, end - begin,
      "  upright: {points: {C: [-1.09, 1.04, -3.026], o0: [-1.284, 1.053, -2.785], o2: [-1.213, 1.036, "
      "-3.118], o4: [-1.179, 1.176, -3.016]}}\n");
  for (const std::string& drivers : {kSteered, std::string()}) {
    const Assembled start(text + drivers);
    ASSERT_TRUE(start.report.usable()) << start.report.brief();
    EXPECT_NEAR(start.value("upright.C.x"), -0.04, 1e-9);
    EXPECT_NEAR(start.value("upright.C.y"), 0.91, 1e-9);
    EXPECT_NEAR(start.value("upright.C.z"), -0.026, 1e-9);
    EXPECT_THAT(start.moved(), IsEmpty());
  }
}

TEST(KeptStarts, CrankInSpaceKeepsItsAngle) {
  const std::string rssr =
      "ground: {points: {O: [0, 0, 0], G: [0.2, 0.25, 0.1]}}\nbodies:\n"
      "  crank: {points: {O: [0, 0, 0], A: [0.1, 0, 0]}}\n  coupler: {points: {A: [0, 0, 0], B: [0.4, 0, "
      "0]}}\n"
      "  rocker: {points: {G: [0, 0, 0], B: [0, 0.25, 0]}}\njoints:\n"
      "  O: {revolute: [ground.O, crank.O], axis: [0, 0, 1]}\n  A: {spherical: [crank.A, coupler.A]}\n"
      "  B: {spherical: [coupler.B, rocker.B]}\n  G: {revolute: [ground.G, rocker.G], axis: [1, 0, 0]}\n";
  for (const char* starts : {
           "assembly: {coupler.position: [0.06, 0.08, 0.01], coupler.rotation: [0, -60 deg, 20 deg], "
           "rocker.rotation: "
           "[90 deg, 0, 0], O: 60 deg}\n",
           "assembly: {crank.rotation: [0, 0, 60 deg], rocker.rotation: [90 deg, 0, 0], coupler.rotation: "
           "[0, -60 deg, "
           "20 deg]}\n",
           "assembly: {O: 60 deg, G: 90 deg}\n",
       }) {
    const Assembled start(rssr + starts);
    ASSERT_TRUE(start.report.usable()) << starts << start.report.brief();
    EXPECT_NEAR(start.value("O.q"), 60 * kDegree, kExact) << starts;
    EXPECT_NEAR(start.value("G.q"), 90 * kDegree, 0.5) << starts;
  }
}

TEST(KeptStarts, WhatIsGivenExactlyIsKeptInEveryModel) {
  for (const char* name : {"andrews-squeezer", "five-bar", "fourbar-testbed", "slider-crank", "rssr"}) {
    const Assembled first(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {}));
    ASSERT_TRUE(first.report.usable()) << name;
    EXPECT_THAT(first.moved(), IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace eslabon::kinematics
