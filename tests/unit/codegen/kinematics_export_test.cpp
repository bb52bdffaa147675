#include "eslabon/codegen/kinematics_export.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tests/dynamic_case.hpp"
#include "tests/exported_functions.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/reduced/reduced_motion.hpp"

namespace eslabon::codegen {
namespace {

Eigen::VectorXd values(const ExportedModel& model, const std::string& name, const CheckState& state) {
  return test::values(test::function(model, name), state);
}
Eigen::MatrixXd matrix(const ExportedModel& model, const std::string& name, const CheckState& state) {
  return test::matrix(test::function(model, name), state);
}

class KinematicsExports : public ::testing::TestWithParam<const char*> {
 protected:
  KinematicsExports() : one_(test::load_released(GetParam())), model_(export_kinematics(one_.model, {})) {
    state_ = model_.checks[3];  // with accelerations of z in u
  }
  Eigen::VectorXd z_dot() const {
    const auto f = static_cast<Eigen::Index>(model_.num_coordinates());
    return Eigen::Map<const Eigen::VectorXd>(state_.x.data() + f, f);
  }
  Eigen::VectorXd z_ddot() const {
    const auto f = static_cast<Eigen::Index>(model_.num_coordinates());
    return Eigen::Map<const Eigen::VectorXd>(state_.u.data() + 1, f);
  }

  test::DynamicCase one_;
  ExportedModel model_;
  CheckState state_;
};

TEST_P(KinematicsExports, MoveBodiesAsRelativeCoordinatesDo) {
  dynamics::ReducedMotion motion(one_.model, {}, dynamics::ReducedMotion::Use::kKinematics);
  dynamics::ReducedPoint point = motion.start(), near = point;
  const auto f = motion.num_freedoms();
  point.z = Eigen::Map<const Eigen::VectorXd>(state_.x.data(), f);
  point.z_dot = z_dot();
  point.z_ddot = z_ddot();
  ASSERT_EQ(motion.follow(0.0, near, point), dynamics::ReducedStatus::kSolved);
  const bool is_planar = one_.mechanism.is_planar();
  Eigen::VectorXd v, a;
  const auto append = [](Eigen::VectorXd& list, const Eigen::VectorXd& more) {
    list.conservativeResize(list.size() + more.size());
    list.tail(more.size()) = more;
  };
  for (std::size_t b = 1; b < point.bodies.size(); ++b) {
    const coordinates::BodyMotion& body = point.bodies[b];
    append(v, body.v_WB_W.head(is_planar ? 2 : 3));
    append(v, body.w_WB_W.tail(is_planar ? 1 : 3));
    append(a, body.a_WB_W.head(is_planar ? 2 : 3));
    append(a, body.alpha_WB_W.tail(is_planar ? 1 : 3));
  }
  EXPECT_LE((values(model_, "velocities", state_) - v).norm(), 1e-11 * v.norm());
  EXPECT_LE((values(model_, "body_accelerations", state_) - a).norm(), 1e-10 * a.norm());
}

// [Seed001, eqs. (2.12), (2.13)]
TEST_P(KinematicsExports, CoefficientsMakeVelocitiesAndAccelerations) {
  const Eigen::MatrixXd K = matrix(model_, "velocity_coefficients", state_);
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(K.rows(), K.cols() * (K.cols() + 1) / 2);
  const bool is_straight = GetParam() == std::string_view("block-on-incline");  // L is 0, and is not written
  ASSERT_EQ(std::ranges::find(model_.functions, "second_coefficients", &ExportedFunction::name) ==
                model_.functions.end(),
            is_straight);
  if (!is_straight) L = matrix(model_, "second_coefficients", state_);
  const Eigen::VectorXd v = values(model_, "velocities", state_),
                        a = values(model_, "body_accelerations", state_);
  EXPECT_LE((K * z_dot() - v).norm(), 1e-12 * v.norm());
  Eigen::VectorXd expected = K * z_ddot();
  const Eigen::Index f = K.cols();
  for (Eigen::Index i = 0, pair = 0; i < f; ++i)
    for (Eigen::Index j = i; j < f; ++j, ++pair)
      expected += (i == j ? 1.0 : 2.0) * z_dot()[i] * z_dot()[j] * L.col(pair);
  EXPECT_LE((expected - a).norm(), 1e-11 * a.norm());
}

// K are derivatives of where bodies are.
TEST_P(KinematicsExports, CoefficientsAreDifferencesOfPoses) {
  const Eigen::MatrixXd K = matrix(model_, "velocity_coefficients", state_);
  constexpr double kStep = 1e-4;
  const bool is_planar = one_.mechanism.is_planar();
  const Eigen::Index of_pose = is_planar ? 3 : 12, of_rates = is_planar ? 3 : 6, linear = is_planar ? 2 : 3;
  for (Eigen::Index k = 0; k < K.cols(); ++k) {
    const auto at = [&](double by) {
      CheckState moved = state_;
      moved.x[static_cast<std::size_t>(k)] += by * kStep;
      return values(model_, "poses", moved);
    };
    const Eigen::VectorXd slope = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * kStep);
    for (Eigen::Index b = 0; b * of_rates < K.rows(); ++b)
      EXPECT_LE((slope.segment(b * of_pose, linear) - K.col(k).segment(b * of_rates, linear)).norm(),
                1e-8 * (1.0 + K.col(k).norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, KinematicsExports,
                         ::testing::Values("fourbar-testbed", "slider-crank", "five-bar", "rssr",
                                           "watt-sixbar", "quarter-vehicle", "block-on-incline",
                                           "planetary-gearbox", "disc-cam", "pairs/whitworth",
                                           "pairs/swash-plate"));

TEST(KinematicsExport, SaysWhichPairsTheColumnsOfLAre) {
  const test::DynamicCase one(test::load_released("five-bar"));
  const ExportedModel model = export_kinematics(one.model, {});
  EXPECT_TRUE(test::function(model, "second_coefficients").says.ends_with("pair (0, 0), (0, 1), (1, 1)"));
}

TEST(KinematicsExport, FollowsDriversAlone) {
  const test::DynamicCase one(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {}));
  const ExportedModel model = export_kinematics(one.model, {});
  EXPECT_EQ(model.num_coordinates(), 0u);
  EXPECT_FALSE(model.has_steps());
  // Velocities are the slope of poses in time.
  CheckState state = model.checks[1];
  constexpr double kStep = 1e-4;
  const auto at = [&](double by) {
    CheckState moved = state;
    moved.u[0] += by * kStep;
    return values(model, "poses", moved);
  };
  const Eigen::VectorXd slope = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * kStep),
                        v = values(model, "velocities", state);
  EXPECT_LE((slope - v).norm(), 1e-7 * v.norm());
}

}  // namespace
}  // namespace eslabon::codegen
