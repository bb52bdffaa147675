#include "eslabon/core/geometry/pose.hpp"

#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

const Eigen::Vector3d kU = Eigen::Vector3d(0.6, -1.1, 0.8).normalized();
const Eigen::Vector3d kW = Eigen::Vector3d(1.2, 0.3, -0.5).normalized();
const Pose<double> kX_AB{Rotation<double>::from_axis_angle(kU, 0.9), {0.4, -1.2, 2.3}};
const Pose<double> kX_BC{Rotation<double>::from_axis_angle(kW, -1.7), {-0.8, 0.6, 1.1}};
const Vector3<double> kP(1.3, 0.7, -0.9);

/// The 4 × 4 matrix of homogeneous coordinates.
Eigen::Matrix4d homogeneous(const Pose<double>& X) {
  Eigen::Matrix4d H = Eigen::Matrix4d::Identity();
  H.topLeftCorner<3, 3>() = X.R_AB.matrix();
  H.topRightCorner<3, 1>() = X.p_AB_A;
  return H;
}

// crosscheck: composition and inversion are those of homogeneous matrices.
TEST(Pose, ComposesAndInvertsLikeHomogeneousMatrices) {
  const Eigen::Matrix4d H_AB = homogeneous(kX_AB), H_BC = homogeneous(kX_BC);
  EXPECT_LE((homogeneous(kX_AB * kX_BC) - H_AB * H_BC).norm(), test::roundoff(16, 4));
  EXPECT_LE((homogeneous(kX_AB.inverse()) * H_AB - Eigen::Matrix4d::Identity()).norm(),
            test::roundoff(32, 4));
}

// crosscheck, sharing no code: Eigen's Isometry3d built from angle and axis.
TEST(Pose, MovesAPointLikeEigensIsometry) {
  Eigen::Isometry3d expected = Eigen::Isometry3d::Identity();
  expected.translate(kX_AB.p_AB_A).rotate(Eigen::AngleAxisd(0.9, kU));
  EXPECT_LE((kX_AB.apply_to_point(kP) - expected * kP).norm(), test::roundoff(16, 4));
}

TEST(Pose, ThenItsInverseIsTheIdentity) {
  EXPECT_LE((kX_AB.inverse().apply_to_point(kX_AB.apply_to_point(kP)) - kP).norm(), test::roundoff(32, 4));
  EXPECT_LE((homogeneous(kX_AB * kX_AB.inverse()) - Eigen::Matrix4d::Identity()).norm(),
            test::roundoff(32, 4));
}

TEST(Pose, KeepsDistancesBetweenPoints) {
  const Vector3<double> q(-0.2, 1.5, 0.8);
  const double after = (kX_AB.apply_to_point(kP) - kX_AB.apply_to_point(q)).norm();
  EXPECT_LE(std::abs(after - (kP - q).norm()), test::roundoff(16, 4));
}

TEST(Pose, MovesADirectionWithoutTheTranslation) {
  const Vector3<double> difference = kX_AB.apply_to_point(kP) - kX_AB.apply_to_point(Vector3<double>::Zero());
  EXPECT_LE((kX_AB.apply_to_direction(kP) - difference).norm(), test::roundoff(16, 4));
}

TEST(Pose, StartsAlignedAndAtTheOrigin) {
  EXPECT_EQ(homogeneous(Pose<double>{}), Eigen::Matrix4d::Identity());
}

// derivative: a frame that turns with w and moves with v carries a point with  v + w × (R p).
TEST(Pose, DerivativeOfAMovedPointIsTheRigidBodyVelocity) {
  using D = Dual<double>;
  const Eigen::Vector3d v(0.5, -0.7, 1.9);
  const double angle = 0.9, rate = 1.6;
  const Pose<D> X{Rotation<D>::from_axis_angle(kU.cast<D>(), D(angle, rate)),
                  Vector3<D>(D(0.4, v.x()), D(-1.2, v.y()), D(2.3, v.z()))};
  const Vector3<D> p = X.apply_to_point(kP.cast<D>());
  const Eigen::Vector3d expected = v + (rate * kU).cross(kX_AB.apply_to_direction(kP));
  for (int i = 0; i < 3; ++i) EXPECT_LE(std::abs(p(i).derivative - expected(i)), test::roundoff(16, 5));
}

}  // namespace
}  // namespace eslabon::core
