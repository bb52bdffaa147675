#include "eslabon/model/elements/joint_frame.hpp"

#include "eslabon/model/elements/body.hpp"

namespace eslabon::model {

namespace {

using Eigen::Vector3d;

/// frame_with_x_along with the letters moved on by one place, x → y → z → x.
core::Pose<double> frame_with_y_along(const Vector3d& p_BF_B, const Vector3d& axis_B) {
  const auto moved_on = [](const Vector3d& v) { return Vector3d(v.z(), v.x(), v.y()); };
  const auto moved_back = [](const Vector3d& v) { return Vector3d(v.y(), v.z(), v.x()); };
  const core::Pose<double> X = frame_with_x_along(p_BF_B, moved_back(axis_B));
  Eigen::Matrix3d axes;
  axes << moved_on(X.R_AB.matrix().col(2)), moved_on(X.R_AB.matrix().col(0)),
      moved_on(X.R_AB.matrix().col(1));
  return {core::Rotation<double>::from_matrix(axes), p_BF_B};
}

}  // namespace

core::Pose<double> frame_on_point(AxisUse use, bool is_first, const Vector3d& p_BF_B,
                                  const Vector3d& axis_B) {
  if (use == AxisUse::kSlide) return frame_with_x_along(p_BF_B, axis_B);
  if (use == AxisUse::kCross)
    return is_first ? frame_with_x_along(p_BF_B, axis_B) : frame_with_y_along(p_BF_B, axis_B);
  return frame_with_z_along(p_BF_B, axis_B);
}

}  // namespace eslabon::model
