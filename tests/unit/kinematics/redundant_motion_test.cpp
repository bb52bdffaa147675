// Every mechanism of known mobility with one freedom to drive moves, redundant rows and idle freedoms or not, and moves the
// same in all kinds of coordinates by every method.
#include <cmath>
#include <optional>

#include "tests/known_mobility.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace eslabon::kinematics {
namespace {

/// The same mechanism with a driver on one joint coordinate, through its file.
model::Mechanism with_driver(const model::Mechanism& mechanism, const std::string& joint,
                             const std::string& speed) {
  return io::read_mechanism(io::write_mechanism(mechanism) + "\ndrivers: {test_motor: {joint: " + joint +
                                ", speed: " + speed + "}}\n",
                            mechanism.name());
}

/// A mechanism that can be driven, with all that belongs to it.
struct Driven {
  explicit Driven(model::Mechanism with_motor)
      : mechanism(std::move(with_motor)),
        structure(structure::analyse_structure(mechanism)),
        assembly(assemble(mechanism, structure)),
        driven(mechanism, structure, assembly) {}
  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  DrivenMechanism driven;
};

/// The mechanism driven at one joint; nothing when that cannot move, or not alone.
std::unique_ptr<Driven> drive_at(const model::Mechanism& mechanism, const model::Joint& joint) {
  const bool is_angle = joint.type == model::JointType::kRevolute;
  if (!is_angle && joint.type != model::JointType::kPrismatic) return nullptr;
  try {
    return std::make_unique<Driven>(with_driver(mechanism, joint.name, is_angle ? "0.2 rad/s" : "0.05 m/s"));
  } catch (const core::ModelError&) {
    return nullptr;
  }
}

/// The mechanism driven at the first joint coordinate that can be.
std::unique_ptr<Driven> drive_somewhere(const model::Mechanism& mechanism) {
  for (const model::Joint& joint : mechanism.joints())
    if (auto driven = drive_at(mechanism, joint)) return driven;
  return nullptr;
}

void expect_same(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                 const coordinates::MechanismMotion& expected, const std::string& way) {
  const double length = coordinates::length_scale(mechanism);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::string which = mechanism.bodies()[b].name + " " + way;
    const coordinates::BodyMotion &is = bodies[b], &should = expected[b];
    EXPECT_LE((is.X_WB.p_AB_A - should.X_WB.p_AB_A).norm(), 1e-9 * length) << which;
    EXPECT_LE((is.X_WB.R_AB.matrix() - should.X_WB.R_AB.matrix()).norm(), 1e-9) << which;
    EXPECT_LE((is.w_WB_W - should.w_WB_W).norm(), 1e-8) << which;
    EXPECT_LE((is.v_WB_W - should.v_WB_W).norm(), 1e-8 * length) << which;
    EXPECT_LE((is.alpha_WB_W - should.alpha_WB_W).norm(), 1e-7) << which;
    EXPECT_LE((is.a_WB_W - should.a_WB_W).norm(), 1e-7 * length) << which;
  }
}

class OneFreedom : public testing::TestWithParam<test::KnownMobility> {};

TEST_P(OneFreedom, MovesTheSameInAllCoordinatesByEveryMethod) {
  const test::KnownMobility& known = GetParam();
  const auto driven = drive_somewhere(known.mechanism);
  ASSERT_TRUE(driven) << "no revolute or prismatic joint of it can be driven";
  std::optional<coordinates::MechanismMotion> expected;
  double time = 0.3;
  for (const char* kind : {"relative", "natural", "reference-point"})
    for (const std::string& method : method_names()) {
      if (!has_coordinates(method) && kind != std::string("relative")) continue;
      Motion motion(method, kind, driven->driven, 1.0);
      if (!motion.advance_to(time)) {
        // A limit is an answer; the others have to stop there too.
        ASSERT_EQ(motion.events().back().kind, MotionEvent::Kind::kLimit) << kind << " " << method;
        if (!expected) time = 0.5 * motion.events().back().t;
        continue;
      }
      EXPECT_LE(motion.statistics().worst_residual, 1e-12);
      EXPECT_LE(motion.constraint_error(), 1e-12 * coordinates::length_scale(driven->mechanism))
          << kind << " " << method;
      coordinates::MechanismMotion bodies(driven->mechanism.bodies().size());
      motion.evaluate_bodies(bodies);
      if (!expected)
        expected = bodies;
      else
        expect_same(driven->mechanism, bodies, *expected, method + " " + kind);
    }
}

TEST_P(OneFreedom, MovesByGroupsAsBySparseOrSaysWhichGroupCannotBeSolved_WhicheverJointIsDriven) {
  for (const model::Joint& joint : GetParam().mechanism.joints()) {
    const auto driven = drive_at(GetParam().mechanism, joint);
    if (!driven) continue;
    SCOPED_TRACE(joint.name);
    Motion sparse("sparse", "natural", driven->driven, 1.0);
    const bool is_moved = sparse.advance_to(0.3);
    coordinates::MechanismMotion expected(driven->mechanism.bodies().size());
    sparse.evaluate_bodies(expected);
    for (const char* method : {"groups", "groups-tensor"}) {
      try {
        Motion motion(method, "", driven->driven, 1.0);
        ASSERT_EQ(motion.advance_to(0.3), is_moved) << method;
        if (!is_moved) {
          EXPECT_EQ(motion.events().back().kind, sparse.events().back().kind) << method;
          EXPECT_NEAR(motion.events().back().t, sparse.events().back().t, 1e-9) << method;
          continue;
        }
        EXPECT_LE(motion.constraint_error(), 1e-12 * coordinates::length_scale(driven->mechanism)) << method;
        coordinates::MechanismMotion bodies(expected.size());
        motion.evaluate_bodies(bodies);
        expect_same(driven->mechanism, bodies, expected, method);
      } catch (const core::ModelError& error) {
        EXPECT_THAT(error.text().where, testing::MatchesRegex("group [0-9]+ \\([0-9A-Z]+: .*\\)")) << method;
        EXPECT_THAT(error.what(), testing::HasSubstr("The methods 'sparse' and 'global' work")) << method;
        EXPECT_EQ(choose_method(driven->driven).method, "sparse");
      }
    }
  }
}

std::vector<test::KnownMobility> with_one_freedom() {
  std::vector<test::KnownMobility> list;
  for (test::KnownMobility& known : test::known_mobility_mechanisms())
    if (known.rank - known.idle == 1 && !known.shaky &&
        known.name != "door on two balls")  // no joint to drive
      list.push_back(std::move(known));
  return list;
}

// By the first joint that can be driven, groups move all of them. A part that moves although the count says it cannot comes
// before the joints behind it: driven by one of those, it cannot be solved on its own.
TEST(OneFreedomByGroups, AllAreSolvedByTheirFirstJoint_AndMostByAnyOther) {
  int first = 0, solved = 0;
  std::vector<std::string> refused;
  for (const test::KnownMobility& known : with_one_freedom()) {
    bool is_first = true;
    for (const model::Joint& joint : known.mechanism.joints()) {
      const auto driven = drive_at(known.mechanism, joint);
      if (!driven) continue;
      const bool is_solved = choose_method(driven->driven).method == "groups";
      if (is_solved) ++solved;
      if (is_solved && is_first) ++first;
      is_first = false;
      if (!is_solved) refused.push_back(known.name + " by " + joint.name);
    }
  }
  EXPECT_EQ(with_one_freedom().size(), 52u);
  EXPECT_EQ(first, 52);
  EXPECT_EQ(solved, 209);
  EXPECT_THAT(refused,
              testing::ElementsAre(
                  "parallelogram with five cranks by foot4", "parallelogram with five cranks by head4",
                  "parallelogram with five cranks by foot5", "parallelogram with five cranks by head5",
                  "parallelogram with a third crank in space by foot3",
                  "parallelogram with a third crank in space by head3", "Schmidt coupling by c3",
                  "Schmidt coupling by d3", "scissor lift with a guide by top_rail",
                  "scissor lift with a guide by top_axle", "Sarrus linkage with three legs by C1",
                  "Sarrus linkage with three legs by C2", "Sarrus linkage with three legs by C3",
                  "Watt six-bar in space by E", "Watt six-bar in space by F", "Watt six-bar in space by G"));
}

std::string name_of(const testing::TestParamInfo<test::KnownMobility>& info) {
  return test::test_name(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Known, OneFreedom, testing::ValuesIn(with_one_freedom()), name_of);

}  // namespace
}  // namespace eslabon::kinematics
