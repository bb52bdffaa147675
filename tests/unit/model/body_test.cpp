#include "eslabon/model/elements/body.hpp"

#include <limits>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Roundoff of a dozen products and two square roots.
constexpr double kRoundoff = 16.0 * std::numeric_limits<double>::epsilon();

Matrix3d axes(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d m;
  m << x, y, z;
  return m;
}

const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ(), kO = Vector3d::Zero();

TEST(FrameWithZAlong, IsTheBodysFrame_WhenTheAxisIsZ) {
  const auto X = frame_with_z_along({1.0, 2.0, 3.0}, {0.0, 0.0, 7.0});
  EXPECT_EQ(X.R_AB.matrix(), Matrix3d::Identity());
  EXPECT_EQ(X.p_AB_A, Vector3d(1.0, 2.0, 3.0));
}

TEST(FrameWithZAlong, FollowsTheDocumentedRule_AlongTheOtherAxes) {
  EXPECT_EQ(frame_with_z_along(kO, kX).R_AB.matrix(), axes(kY, kZ, kX));
  EXPECT_EQ(frame_with_z_along(kO, kY).R_AB.matrix(), axes(kX, -kZ, kY));
  EXPECT_EQ(frame_with_z_along(kO, -kZ).R_AB.matrix(), axes(kX, -kY, -kZ));
}

TEST(FrameWithXAlong, FollowsTheDocumentedRule_AlongTheAxesOfTheBody) {
  EXPECT_EQ(frame_with_x_along(kO, kX).R_AB.matrix(), Matrix3d::Identity());
  EXPECT_EQ(frame_with_x_along(kO, kY).R_AB.matrix(), axes(kY, -kX, kZ));
  EXPECT_EQ(frame_with_x_along(kO, kZ).R_AB.matrix(), axes(kZ, kX, kY));
}

TEST(FrameWithXAlong, KeepsZ_ForEveryAxisInThePlane) {
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.1 + k * 0.5236;
    const auto X = frame_with_x_along(kO, {3.0 * std::cos(angle), 3.0 * std::sin(angle), 0.0});
    EXPECT_EQ(X.R_AB.matrix().col(2), kZ) << angle;
    EXPECT_LE((X.R_AB.matrix() - core::Rotation<double>::about_z(angle).matrix()).norm(), kRoundoff) << angle;
  }
}

TEST(FramesAlongAnAxis, AreRightHandedAndHoldTheAxis_ForAnyAxisOfAnySize) {
  for (const double size : {1e-300, 1.0, 1e300}) {
    for (const Vector3d& u :
         {Vector3d(0.3, -0.4, 0.8), Vector3d(0.9, 0.0, 0.1), Vector3d(-0.02, 0.01, -0.99)}) {
      const Matrix3d along_z = frame_with_z_along(kO, size * u).R_AB.matrix();
      const Matrix3d along_x = frame_with_x_along(kO, size * u).R_AB.matrix();
      EXPECT_LE((along_z.col(2) - u.normalized()).norm(), kRoundoff);
      EXPECT_LE((along_x.col(0) - u.normalized()).norm(), kRoundoff);
      for (const Matrix3d& R : {along_z, along_x}) {
        EXPECT_LE((R.transpose() * R - Matrix3d::Identity()).norm(), kRoundoff);
        EXPECT_GT(R.determinant(), 0.0);
      }
    }
  }
}

TEST(NamedFrame, MakesXPerpendicularToZ) {
  const NamedFrame frame{
      .name = "F", .p_BF_B = {1.0, 0.0, 0.0}, .x_B = {5.0, 0.0, 7.0}, .z_B = {0.0, 0.0, 2.0}};
  EXPECT_EQ(frame.X_BF().R_AB.matrix(), Matrix3d::Identity());
  EXPECT_EQ(frame.X_BF().p_AB_A, Vector3d(1.0, 0.0, 0.0));
}

TEST(NamedFrame, IsARotation_WhenItsDirectionsAreNearlyParallel) {
  const NamedFrame frame{.name = "F", .x_B = {0.3, 0.5, 0.7 + 1e-7}, .z_B = {0.3, 0.5, 0.7}};
  const Matrix3d R = frame.X_BF().R_AB.matrix();
  EXPECT_LE((R.transpose() * R - Matrix3d::Identity()).norm(), kRoundoff);
  EXPECT_GT(R.col(0).z(), 0.0);
}

}  // namespace
}  // namespace eslabon::model
