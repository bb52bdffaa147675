// Where bodies are put before any loop is closed: by the user's words, and along the tree where he says nothing.
#include "eslabon/kinematics/assembly/start_guess.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {
namespace {

using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180.0;

struct Guessed {
  explicit Guessed(const model::Mechanism& mechanism_)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        guess(guess_start(mechanism, structure)) {}
  double value(const std::string& name) const {
    return value_of(mechanism, model::find_variable(mechanism, name), guess.bodies);
  }
  bool is_turn_given(const std::string& body) const {
    const auto index = std::get<model::BodyIndex>(mechanism.find(body).value());
    return guess.is_turn_given[structure.topology.link_of(index).slot()];
  }
  /// Distance of the two points of a joint.
  double gap(const std::string& joint) const {
    const auto index = std::get<model::JointIndex>(mechanism.find(joint).value());
    return coordinates::relative_motion(mechanism.joint(index), guess.bodies).p.norm();
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  StartGuess guess;
};

Guessed guessed(const std::string& text) {
  return Guessed(io::read_mechanism("mechanism: m\n" + text, "m.yaml"));
}

const std::string kPendulum =
    "plane: xy\nground: {points: {O: [1, 2]}}\nbodies:\n  upper: {points: {O: [0.1, 0], T: [0.6, 0]}}\n"
    "  lower: {points: {S: [0, 0.2], T: [0.3, 0.2]}}\njoints:\n  O: {revolute: [ground.O, upper.O]}\n"
    "  K: {revolute: [upper.T, lower.S]}\n";

TEST(StartGuess, WithoutStartValuesJointsAreAtZeroAndClosed) {
  const Guessed g = guessed(kPendulum);
  EXPECT_DOUBLE_EQ(g.value("O.q"), 0.0);
  EXPECT_DOUBLE_EQ(g.value("K.q"), 0.0);
  EXPECT_NEAR(g.value("upper.T.x"), 1.5, 1e-15);
  EXPECT_NEAR(g.value("lower.T.x"), 1.8, 1e-15);
  EXPECT_FALSE(g.is_turn_given("upper"));
  EXPECT_FALSE(g.is_turn_given("lower"));
}

TEST(StartGuess, JointAnglesAndBodyAnglesTurnAboutTheJoint) {
  const Guessed g = guessed(kPendulum + "assembly: {O.q: 30 deg, lower.angle: 100 deg}\n");
  EXPECT_NEAR(g.value("upper.angle"), 30 * kDegree, 1e-15);
  EXPECT_NEAR(g.value("lower.angle"), 100 * kDegree, 1e-15);
  EXPECT_NEAR(g.gap("O"), 0.0, 1e-15);
  EXPECT_NEAR(g.gap("K"), 0.0, 1e-15);
  EXPECT_NEAR(g.value("upper.T.x"), 1.0 + 0.5 * std::cos(30 * kDegree), 1e-15);
  EXPECT_NEAR(g.value("lower.T.x"), 1.0 + 0.5 * std::cos(30 * kDegree) + 0.3 * std::cos(100 * kDegree),
              1e-15);
  EXPECT_TRUE(g.is_turn_given("lower"));
}

TEST(StartGuess, PointsOfTheUserMoveTheBody_EvenIfTheyOpenAJoint) {
  const Guessed g = guessed(kPendulum + "assembly: {upper.T.x: 3 m, upper.T.y: -1 m, lower.angle: 20 deg}\n");
  EXPECT_NEAR(g.value("upper.T.x"), 3.0, 1e-15);
  EXPECT_NEAR(g.value("upper.T.y"), -1.0, 1e-15);
  EXPECT_GT(g.gap("O"), 1.0);
  EXPECT_NEAR(g.gap("K"), 0.0, 1e-15) << "what follows in the tree stays on it";
}

TEST(StartGuess, DriverStartsAreStartValues) {
  EXPECT_NEAR(guessed(kPendulum + "drivers:\n  m: {joint: O, speed: 1 rad/s, start: 40 deg}\n").value("O.q"),
              40 * kDegree, 1e-15);
  EXPECT_NEAR(guessed(kPendulum + "drivers:\n  m: {joint: K, position: = 0.3 + t}\n").value("K.q"), 0.3,
              1e-15);
}

// The joint is written from the second body of the tree to the first: its coordinate is still the one of the model.
TEST(StartGuess, JointsWrittenBackwardsKeepTheSignOfTheirCoordinate) {
  const Guessed g = guessed(
      "plane: xy\nground: {points: {O: [0, 0]}}\nbodies:\n  bar: {points: {O: [0, 0], T: [0.5, 0]}}\n"
      "  block: {points: {P: [0, 0]}}\njoints:\n  O: {revolute: [bar.O, ground.O]}\n"
      "  slide: {prismatic: [block.P, bar.T], axis: [1, 0]}\nassembly: {O.q: 25 deg, slide.q: 0.2 m}\n");
  EXPECT_NEAR(g.value("O.q"), 25 * kDegree, 1e-15);
  EXPECT_NEAR(g.value("bar.angle"), -25 * kDegree, 1e-15);
  EXPECT_NEAR(g.value("slide.q"), 0.2, 1e-15);
}

TEST(StartGuess, PosesInSpaceAreTakenAsTheyAre) {
  const Guessed g(io::load_model("family:truck-suspension,axles=3", {}));
  for (const model::StartPose& start : g.mechanism.start_poses()) {
    const core::Pose<double>& X = g.guess.bodies[start.body.slot()].X_WB;
    if (start.p_WB_W) {
      // The axle's wheels are driven: their heights of the listing move it by what it is rounded by.
      const bool is_axle = g.mechanism.body(start.body).name.starts_with("axle_");
      EXPECT_LE((X.p_AB_A - *start.p_WB_W).norm(), is_axle ? 1e-12 : 1e-15)
          << g.mechanism.body(start.body).name;
    }
    if (start.rotation_vector) {
      const auto R = core::Rotation<double>::from_rotation_vector(*start.rotation_vector);
      EXPECT_LE((X.R_AB.matrix() - R.matrix()).norm(), test::roundoff(8, 1.0))
          << g.mechanism.body(start.body).name;
    }
  }
}

// Bodies welded together are one link: what is said about one of them places all.
TEST(StartGuess, WeldedBodiesMoveTogether) {
  const Guessed g = guessed(
      "plane: xy\nground: {points: {O: [0, 0]}}\nbodies:\n  bar: {points: {O: [0, 0], T: [0.5, 0]}}\n"
      "  flag: {points: {P: [0, 0], Q: [0.1, 0]}}\njoints:\n  O: {revolute: [ground.O, bar.O]}\n"
      "  weld: {fixed: [bar.T, flag.P]}\nassembly: {flag.angle: 90 deg}\n");
  EXPECT_NEAR(g.value("bar.angle"), 90 * kDegree, 1e-15);
  EXPECT_NEAR(g.value("flag.Q.y"), 0.6, 1e-15);
  EXPECT_TRUE(g.is_turn_given("bar"));
}

}  // namespace
}  // namespace eslabon::kinematics
