// A row is named after the motion that it forbids: displaced along or turned about one axis of its frame, a joint violates
// that row, to first order by the displacement, and no other.
#include "eslabon/coordinates/joint_rows.hpp"

#include <cmath>
#include <string>

#include "tests/every_joint.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::coordinates {
namespace {

using model::JointType;

/// One joint between the ground and a body, both with frames that are parallel to nothing.
model::Mechanism one_joint(JointType type) {
  model::MechanismBuilder builder("one joint", model::Space::kSpatial);
  builder.add_ground_frame(
      {.name = "F", .p_BF_B = {0.1, 0.2, 0.3}, .x_B = {1, 0.2, 0.4}, .z_B = {0.3, 0.1, 1}});
  builder.add_body(test::crooked_body("body"));
  builder.add_joint({.name = "joint", .type = type, .first = "ground.F", .second = "body.F"});
  return builder.build();
}

/// The body with its frame F displaced from the ground's frame F.
MechanismMotion displaced(const model::Mechanism& mechanism, const core::Pose<double>& X_F1F2) {
  const model::Joint& joint = mechanism.joints().front();
  MechanismMotion bodies(2);
  bodies[1].X_WB = joint.ends[0].X_BF * X_F1F2 * joint.ends[1].X_BF.inverse();
  return bodies;
}

class EveryJointType : public testing::TestWithParam<JointType> {};

TEST_P(EveryJointType, EachRowForbidsTheMotionThatItIsNamedAfter) {
  const model::Mechanism mechanism = one_joint(GetParam());
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const ConstraintSystem system("reference-point", mechanism, structure, {});
  constexpr double kSmall = 1e-5;
  std::size_t forbidden = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool is_rotation : {false, true}) {
      const Eigen::Vector3d step = kSmall * Eigen::Vector3d::Unit(axis);
      const MechanismMotion bodies = displaced(
          mechanism, is_rotation
                         ? core::Pose<double>{core::Rotation<double>::from_rotation_vector(step), {0, 0, 0}}
                         : core::Pose<double>{core::Rotation<double>(), step});
      std::vector<double> q(7), v(7), a(7);
      system.read_bodies(bodies, {q, v, a});
      PositionLevel positions;
      system.evaluate_positions(q, {}, positions);
      const std::string name =
          std::string(is_rotation ? "rotation about " : "translation along ") + std::string(1, "xyz"[axis]);
      for (int r = 0; r < system.num_rows(); ++r) {
        const bool is_named = system.label(r).direction == name;
        EXPECT_NEAR(std::abs(positions.Phi[r]), is_named ? kSmall : 0.0, 10.0 * kSmall * kSmall)
            << system.label(r).direction << " when moved: " << name;
        forbidden += is_named ? 1 : 0;
      }
    }
  EXPECT_EQ(static_cast<int>(forbidden), model::constraint_rows(GetParam(), false));
}

INSTANTIATE_TEST_SUITE_P(Types, EveryJointType,
                         testing::Values(JointType::kRevolute, JointType::kPrismatic, JointType::kCylindrical,
                                         JointType::kUniversal, JointType::kSpherical, JointType::kPlanar,
                                         JointType::kFixed, JointType::kPointOnLine,
                                         JointType::kPointOnPlane),
                         [](const auto& type) { return std::string(model::facts(type.param).name); });

}  // namespace
}  // namespace eslabon::coordinates
