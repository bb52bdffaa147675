#include "eslabon/model/elements/body.hpp"

#include <cmath>

#include <Eigen/Geometry>

namespace eslabon::model {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// The part of `a` that is perpendicular to the unit vector `u`, of unit length. `a` is not parallel to `u`.
/// Projected twice: the second time removes the roundoff that a nearly parallel `a` leaves along `u`.
Vector3d perpendicular_part(const Vector3d& a, const Vector3d& u) {
  const Vector3d once = (a - a.dot(u) * u).stableNormalized();
  return (once - once.dot(u) * u).stableNormalized();
}

core::Pose<double> make_pose(const Vector3d& p, const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d axes;
  axes << x, y, z;
  return {core::Rotation<double>::from_matrix(axes), p};
}

/// An axis nearer than 26° to the first choice of a second direction takes the next one.
constexpr double kTooNear = 0.9;

}  // namespace

core::Pose<double> NamedFrame::X_BF() const {
  const Vector3d z = z_B.stableNormalized();
  const Vector3d x = perpendicular_part(x_B.stableNormalized(), z);
  return make_pose(p_BF_B, x, z.cross(x), z);
}

core::Pose<double> frame_with_z_along(const Vector3d& p_BF_B, const Vector3d& axis_B) {
  const Vector3d z = axis_B.stableNormalized();
  const Vector3d x =
      perpendicular_part(std::abs(z.x()) < kTooNear ? Vector3d::UnitX().eval() : Vector3d::UnitY().eval(), z);
  return make_pose(p_BF_B, x, z.cross(x), z);
}

core::Pose<double> frame_with_x_along(const Vector3d& p_BF_B, const Vector3d& axis_B) {
  const Vector3d x = axis_B.stableNormalized();
  const Vector3d z =
      perpendicular_part(std::abs(x.z()) < kTooNear ? Vector3d::UnitZ().eval() : Vector3d::UnitY().eval(), x);
  return make_pose(p_BF_B, x, z.cross(x), z);
}

}  // namespace eslabon::model
