#include "eslabon/core/geometry/spatial_vector.hpp"

#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/core/geometry/pose.hpp"

namespace eslabon::core {
namespace {

using Motion = SpatialMotion<double>;
using Force = SpatialForce<double>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using D = Dual<double>;

const Motion kV1{{0.7, -1.3, 0.4}, {2.1, 0.6, -0.9}};
const Motion kV2{{-0.2, 0.8, 1.5}, {0.3, -1.7, 1.1}};
const Motion kV3{{1.4, 0.5, -0.6}, {-0.8, 0.9, 0.2}};
const Force kF{{1.9, -0.4, 0.7}, {-1.1, 2.3, 0.5}};
const Vector3<double> kP_PQ(0.9, -0.5, 1.2);

Vector6 stacked(const Motion& V) { return (Vector6() << V.w, V.v).finished(); }
Vector6 stacked(const Force& F) { return (Vector6() << F.m, F.f).finished(); }

// analytic: a wheel rolling without slip has speed 0 where it touches and 2 w r at the top.
TEST(SpatialMotion, OfARollingWheel_IsZeroAtTheContact) {
  const double w = 3.0, r = 0.5;
  const Motion at_centre{{0, 0, -w}, {w * r, 0, 0}};
  EXPECT_EQ(at_centre.shifted_by({0, -r, 0}).v, Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(at_centre.shifted_by({0, r, 0}).v, Eigen::Vector3d(2 * w * r, 0, 0));
}

// analytic: 10 N upwards at the end of a 2 m lever along x makes 20 N m about z at its foot.
TEST(SpatialForce, OfALever_HasTheMomentForceTimesArm) {
  const Force at_tip{{0, 0, 0}, {0, 10, 0}};
  EXPECT_EQ(at_tip.shifted_by({-2, 0, 0}).m, Eigen::Vector3d(0, 0, 20));
}

TEST(SpatialPower, DoesNotDependOnTheReferencePoint) {
  const double here = dot(kF, kV1), there = dot(kF.shifted_by(kP_PQ), kV1.shifted_by(kP_PQ));
  EXPECT_LE(std::abs(here - there), test::roundoff(32, 10));
}

TEST(SpatialPower, DoesNotDependOnTheFrame) {
  const auto R = Rotation<double>::from_axis_angle(Eigen::Vector3d(1, 2, -2) / 3.0, 0.8);
  EXPECT_LE(std::abs(dot(R * kF, R * kV1) - dot(kF, kV1)), test::roundoff(32, 10));
}

TEST(SpatialPower, IsTheInnerProductOfTheSixNumbers) {
  EXPECT_LE(std::abs(dot(kF, kV1) - stacked(kF).dot(stacked(kV1))), test::roundoff(8, 10));
}

TEST(SpatialShift, ThereAndBackIsTheSame) {
  EXPECT_LE((stacked(kV1.shifted_by(kP_PQ).shifted_by(-kP_PQ)) - stacked(kV1)).norm(), test::roundoff(8, 4));
  EXPECT_LE((stacked(kF.shifted_by(kP_PQ).shifted_by(-kP_PQ)) - stacked(kF)).norm(), test::roundoff(8, 4));
}

TEST(SpatialCross, IsDualBetweenMotionAndForce) {
  EXPECT_LE(std::abs(dot(cross(kV1, kF), kV2) + dot(kF, cross(kV1, kV2))), test::roundoff(64, 10));
}

TEST(SpatialCross, OfMotionsIsAntisymmetricAndObeysJacobi) {
  EXPECT_LE((stacked(cross(kV1, kV2)) + stacked(cross(kV2, kV1))).norm(), test::roundoff(8, 10));
  EXPECT_LE(stacked(cross(kV1, kV1)).norm(), test::roundoff(8, 10));
  const Vector6 jacobi = stacked(cross(kV1, cross(kV2, kV3))) + stacked(cross(kV2, cross(kV3, kV1))) +
                         stacked(cross(kV3, cross(kV1, kV2)));
  EXPECT_LE(jacobi.norm(), test::roundoff(128, 10));
}

TEST(SpatialCross, CommutesWithAShiftOfThePoint) {
  const Vector6 shifted_before = stacked(cross(kV1.shifted_by(kP_PQ), kV2.shifted_by(kP_PQ)));
  EXPECT_LE((shifted_before - stacked(cross(kV1, kV2).shifted_by(kP_PQ))).norm(), test::roundoff(64, 10));
  const Vector6 force_before = stacked(cross(kV1.shifted_by(kP_PQ), kF.shifted_by(kP_PQ)));
  EXPECT_LE((force_before - stacked(cross(kV1, kF).shifted_by(kP_PQ))).norm(), test::roundoff(64, 10));
}

// derivative: a motion (force) fixed to a body, seen from the origin of W while the body moves with V,
// changes at the rate V × it. Dual time moves the pose; the pose's origin starts at W's.
TEST(SpatialCross, IsTheRateOfWhatIsFixedToAMovingBody) {
  const D t(0.0, 1.0);
  const Vector3<D> w = kV1.w.cast<D>(), v = kV1.v.cast<D>();
  const auto R_WB = Rotation<D>::from_rotation_vector(Vector3<D>(w * t));
  const Vector3<D> p_WB_W = v * t;
  const SpatialMotion<D> fixed_motion{kV2.w.cast<D>(), kV2.v.cast<D>()};
  const SpatialForce<D> fixed_force{kF.m.cast<D>(), kF.f.cast<D>()};
  const SpatialMotion<D> motion = (R_WB * fixed_motion).shifted_by(-p_WB_W);
  const SpatialForce<D> force = (R_WB * fixed_force).shifted_by(-p_WB_W);
  const auto rate = [](const D& x) { return x.derivative; };
  EXPECT_LE((motion.w.unaryExpr(rate) - cross(kV1, kV2).w).norm(), test::roundoff(16, 5));
  EXPECT_LE((motion.v.unaryExpr(rate) - cross(kV1, kV2).v).norm(), test::roundoff(16, 5));
  EXPECT_LE((force.m.unaryExpr(rate) - cross(kV1, kF).m).norm(), test::roundoff(16, 5));
  EXPECT_LE((force.f.unaryExpr(rate) - cross(kV1, kF).f).norm(), test::roundoff(16, 5));
}

TEST(SpatialVectors, AddAndScaleByParts) {
  EXPECT_EQ(stacked((kV1 + kV2) - kV2), stacked(kV1 + kV2) - stacked(kV2));
  EXPECT_EQ(stacked(2.0 * kF - kF), stacked(kF));
}

}  // namespace
}  // namespace eslabon::core
