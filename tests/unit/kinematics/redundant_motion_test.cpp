// Every mechanism of known mobility with one freedom to drive moves, redundant rows and idle freedoms or not, and moves the
// same in all kinds of coordinates by both methods.
#include <cmath>
#include <optional>

#include "tests/known_mobility.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism_reader.hpp"
#include "eslabon/io/mechanism_writer.hpp"
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
        driven(mechanism, structure, assembly, 1.0) {}
  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  DrivenMechanism driven;
};

/// The mechanism driven at the first joint coordinate that can be.
std::unique_ptr<Driven> drive_somewhere(const model::Mechanism& mechanism) {
  for (const model::Joint& joint : mechanism.joints()) {
    const bool is_angle = joint.type == model::JointType::kRevolute;
    if (!is_angle && joint.type != model::JointType::kPrismatic) continue;
    try {
      return std::make_unique<Driven>(
          with_driver(mechanism, joint.name, is_angle ? "0.2 rad/s" : "0.05 m/s"));
    } catch (const core::ModelError&) {
      continue;  // this joint cannot move, or not alone
    }
  }
  return nullptr;
}

class OneFreedom : public testing::TestWithParam<test::KnownMobility> {};

TEST_P(OneFreedom, MovesTheSameInAllCoordinatesByBothMethods) {
  const test::KnownMobility& known = GetParam();
  const auto driven = drive_somewhere(known.mechanism);
  ASSERT_TRUE(driven) << "no revolute or prismatic joint of it can be driven";
  std::optional<coordinates::MechanismMotion> expected;
  double time = 0.3;
  for (const char* kind : {"relative", "natural", "reference-point"})
    for (const char* method : {"global", "sparse"}) {
      Motion motion(method, kind, driven->driven);
      if (!motion.advance_to(time)) {
        // A limit is an answer; the others have to stop there too.
        ASSERT_EQ(motion.events().back().kind, MotionEvent::Kind::kLimit) << kind << " " << method;
        if (!expected) time = 0.5 * motion.events().back().t;
        continue;
      }
      EXPECT_LE(motion.statistics().worst_residual, 1e-12);
      coordinates::MechanismMotion bodies(driven->mechanism.bodies().size());
      motion.evaluate_bodies(bodies);
      if (!expected) {
        expected = bodies;
        continue;
      }
      const double length = coordinates::length_scale(driven->mechanism);
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        const auto& name = driven->mechanism.bodies()[b].name;
        const coordinates::BodyMotion &is = bodies[b], &should = (*expected)[b];
        EXPECT_LE((is.X_WB.p_AB_A - should.X_WB.p_AB_A).norm(), 1e-9 * length)
            << name << " " << kind << method;
        EXPECT_LE((is.X_WB.R_AB.matrix() - should.X_WB.R_AB.matrix()).norm(), 1e-9)
            << name << " " << kind << method;
        EXPECT_LE((is.w_WB_W - should.w_WB_W).norm(), 1e-8) << name << " " << kind << method;
        EXPECT_LE((is.alpha_WB_W - should.alpha_WB_W).norm(), 1e-7) << name << " " << kind << method;
        EXPECT_LE((is.a_WB_W - should.a_WB_W).norm(), 1e-7 * length) << name << " " << kind << method;
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

std::string name_of(const testing::TestParamInfo<test::KnownMobility>& info) {
  return test::test_name(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Known, OneFreedom, testing::ValuesIn(with_one_freedom()), name_of);

}  // namespace
}  // namespace eslabon::kinematics
