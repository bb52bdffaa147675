// Which points and vectors links share in natural coordinates, by their names, and that no row is counted twice: in mechanisms
// without redundant joints the rows are as many as their rank, which an SVD finds.
#include <string>
#include <vector>

#include "tests/known_mobility.hpp"
#include <Eigen/SVD>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::coordinates {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// Names of coordinates and rows of a mechanism with its drivers.
struct Described {
  explicit Described(const model::Mechanism& mechanism) {
    const structure::Structure structure = structure::analyse_structure(mechanism);
    std::vector<Prescribed> prescribed;
    for (const model::Driver& driver : mechanism.drivers())
      prescribed.push_back({driver.target, "driver '" + driver.name + "'"});
    const ConstraintSystem system("natural", mechanism, structure, prescribed);
    for (const Coordinate& coordinate : system.coordinates()) coordinates.push_back(coordinate.name);
    for (int r = 0; r < system.num_rows(); ++r) rows.push_back(describe_row(system, r));
  }
  std::vector<std::string> coordinates, rows;
};

Described described(const std::string& name) {
  return Described(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {}));
}

Described read(const std::string& text) {
  return Described(io::read_mechanism("mechanism: m\n" + text, "m.yaml"));
}

// [Seed003, §2]: two points, three lengths, and the angle that is driven.
TEST(NaturalLayout, FourBarIsTwoPointsAndTheDrivenAngle) {
  const Described four_bar = described("fourbar-testbed");
  EXPECT_THAT(four_bar.coordinates,
              ElementsAre("crank.P1.x", "crank.P1.y", "rocker.P2.x", "rocker.P2.y", "A.q"));
  EXPECT_THAT(
      four_bar.rows,
      ElementsAre("body 'crank', length from A to P1", "body 'rocker', length from B to P2",
                  "body 'coupler', length from P1 to P2", "joint 'A', its coordinate", "driver 'motor'"));
}

// The slider has one pin, so it needs a direction; that direction is kept along the guide.
TEST(NaturalLayout, SliderCrankHasADirectionForItsSlider) {
  const Described slider_crank = described("slider-crank");
  EXPECT_THAT(slider_crank.coordinates, ElementsAre("crank.A.x", "crank.A.y", "slider.B.x", "slider.B.y",
                                                    "slider.u1.x", "slider.u1.y", "O.q"));
  EXPECT_THAT(slider_crank.rows,
              ElementsAre("body 'crank', length from O to A", "body 'slider', unit vector u1",
                          "body 'rod', length from A to B", "joint 'guide', translation along y",
                          "joint 'guide', rotation about z", "joint 'O', its coordinate", "driver 'motor'"));
}

// Crank and rocker share the ground's axes, the coupler shares both balls: three new points or vectors of the coupler only.
TEST(NaturalLayout, RssrSharesAxesWithTheGroundAndBallsWithTheCoupler) {
  const Described rssr = described("rssr");
  std::vector<std::string> names;
  for (const char* element : {"crank.A", "crank.u3", "rocker.B", "rocker.u3", "coupler.u2", "coupler.u3"})
    for (const char* component : {".x", ".y", ".z"}) names.push_back(std::string(element) + component);
  names.emplace_back("O.q");
  EXPECT_THAT(rssr.coordinates, ElementsAreArray(names));
  EXPECT_EQ(rssr.rows.size(), 18u);  // 19 − 18: the spin of the coupler is free
  EXPECT_THAT(rssr.rows, testing::Each(testing::Not(testing::HasSubstr("joint 'A'"))));
  EXPECT_THAT(rssr.rows, testing::Each(testing::Not(testing::HasSubstr("joint 'G'"))));
}

// A door on two hinges: both points are the ground's, so the door's only new elements are a point and a vector.
TEST(NaturalLayout, DoorOnTwoHingesSharesBothPoints) {
  const Described door = read(
      "ground: {points: {H1: [0, 0, 0], H2: [0, 0, 1]}}\nbodies:\n"
      "  door: {points: {H1: [0, 0, 0], H2: [0, 0, 1], latch: [0.8, 0, 0.5]}}\njoints:\n"
      "  H1: {revolute: [ground.H1, door.H1], axis: [0, 0, 1]}\n  H2: {revolute: [ground.H2, door.H2], axis: "
      "[0, 0, 1]}\n");
  EXPECT_THAT(door.coordinates, ElementsAre("door.latch.x", "door.latch.y", "door.latch.z", "door.u3.x",
                                            "door.u3.y", "door.u3.z"));
  EXPECT_THAT(door.rows, testing::Not(testing::Contains(testing::HasSubstr("length from H1 to H2"))))
      << "the ground holds both";
  EXPECT_THAT(door.rows, testing::Not(testing::Contains(testing::HasSubstr("translation"))));
}

// A plate with three pins has a base of two points; the third pin is a joint with rows.
TEST(NaturalLayout, ThirdPinOfAPlateIsAJointWithRows) {
  const Described plate = read(
      "plane: xy\nground: {points: {A: [0, 0], B: [1, 0], C: [2, 0]}}\nbodies:\n"
      "  plate: {points: {A: [0, 0.2], B: [1, 0.3], C: [2, 0.4]}}\n  a: {points: {S: [0, 0], T: [0.5, 0]}}\n"
      "  b: {points: {S: [0, 0], T: [0.5, 0]}}\n  c: {points: {S: [0, 0], T: [0.5, 0]}}\njoints:\n"
      "  A: {revolute: [ground.A, a.S]}\n  B: {revolute: [ground.B, b.S]}\n  C: {revolute: [ground.C, c.S]}\n"
      "  PA: {revolute: [a.T, plate.A]}\n  PB: {revolute: [b.T, plate.B]}\n  PC: {revolute: [c.T, "
      "plate.C]}\n");
  EXPECT_THAT(plate.coordinates, ElementsAre("a.PA.x", "a.PA.y", "b.PB.x", "b.PB.y", "c.PC.x", "c.PC.y"));
  EXPECT_THAT(plate.rows, ElementsAre("body 'a', length from A to PA", "body 'b', length from B to PB",
                                      "body 'c', length from C to PC", "body 'plate', length from PA to PB",
                                      "joint 'PC', translation along x", "joint 'PC', translation along y"));
}

// A driven coordinate of a shared point is that coordinate itself: nothing is appended.
TEST(NaturalLayout, DrivenPointCoordinateIsNoMixedCoordinate) {
  const Described driven = read(
      "plane: xy\nground: {points: {A: [0, 0]}}\nbodies:\n  bar: {points: {A: [0, 0], T: [0.5, 0], M: [0.2, "
      "0.1]}}\n"
      "joints:\n  A: {revolute: [ground.A, bar.A]}\ndrivers:\n  m: {point: bar.T.y, position: = 0.1 "
      "m/s*t}\n");
  EXPECT_THAT(driven.coordinates, ElementsAre("bar.T.x", "bar.T.y"));
  EXPECT_THAT(driven.rows, ElementsAre("body 'bar', length from A to T", "driver 'm'"));
}

TEST(NaturalLayout, RankOfTheRowsIsCoordinatesMinusMobility_AndEveryRowCountsOnce) {
  for (const test::KnownMobility& known : test::known_mobility_mechanisms()) {
    SCOPED_TRACE(known.name);
    const structure::Structure structure = structure::analyse_structure(known.mechanism);
    const kinematics::AssemblyReport assembly = kinematics::assemble(known.mechanism, structure);
    ASSERT_TRUE(assembly.usable());
    const ConstraintSystem system("natural", known.mechanism, structure, {});
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(assembly.bodies, {q, v, a});
    PositionLevel positions;
    system.evaluate_positions(q, {}, positions);
    int rank = 0;
    if (n > 0) {  // Eigen's SVD does not like empty matrices
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(system.dense(positions.Phi_q));
      svd.setThreshold(1e-9);
      rank = static_cast<int>(svd.rank());
    }
    EXPECT_EQ(rank, system.num_coordinates() - known.rank - (known.shaky ? 1 : 0));
    if (known.redundant == 0) {
      EXPECT_EQ(system.num_rows(), system.num_coordinates() - known.rank)
          << "a row is counted twice, or one is missing";
    } else {
      EXPECT_GE(system.num_rows(), rank);
      EXPECT_LE(system.num_rows() - rank, known.redundant) << "sharing can only take redundant rows away";
    }
  }
}

}  // namespace
}  // namespace eslabon::coordinates
