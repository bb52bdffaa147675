#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace eslabon::core {

/// The axes of R made perpendicular and of length 1, starting with x: of a prediction, or between two solutions, they are not.
inline Eigen::Matrix3d orthonormal(const Eigen::Matrix3d& R) {
  Eigen::Matrix3d axes;
  axes.col(0) = R.col(0).normalized();
  axes.col(2) = R.col(0).cross(R.col(1)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

}  // namespace eslabon::core
