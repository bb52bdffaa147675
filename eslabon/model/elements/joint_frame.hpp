#pragma once

#include <Eigen/Core>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/model/elements/joint_type.hpp"

namespace eslabon::model {

/// The frame of a joint with an axis on one of its bodies, at the point p: the axis is the one that AxisUse says, and the other two follow
/// from it alone. `is_first`: of the first body, which matters for universal joints.
core::Pose<double> frame_on_point(AxisUse use, bool is_first, const Eigen::Vector3d& p_BF_B,
                                  const Eigen::Vector3d& axis_B);

}  // namespace eslabon::model
