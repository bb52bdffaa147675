#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace eslabon::dynamics {

using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;  // angular part first, linear part at a point

/// Adds an inertia and a force about a point to those about one that is back by d:
///   n ← n + d × f,     I ← Xᵀ I X,   X = [1 0; −d× 1]                                                       (1)
inline void add_shifted(const Matrix6d& inertia, const Vector6d& force, const Eigen::Vector3d& d,
                        Matrix6d& to_inertia, Vector6d& to_force) {
  const auto crossed = [&](const Eigen::Matrix3d& A) {
    Eigen::Matrix3d out;
    for (int k = 0; k < 3; ++k) out.col(k) = d.cross(A.col(k));
    return out;
  };
  const Eigen::Matrix3d DM = crossed(inertia.bottomRightCorner<3, 3>()),
                        DB = crossed(inertia.bottomLeftCorner<3, 3>()), DMD = -crossed(DM.transpose());
  const Eigen::Matrix3d B = inertia.topRightCorner<3, 3>() + DM;
  to_inertia.topLeftCorner<3, 3>() += inertia.topLeftCorner<3, 3>() + DB + DB.transpose() - DMD;
  to_inertia.topRightCorner<3, 3>() += B;
  to_inertia.bottomLeftCorner<3, 3>() += B.transpose();
  to_inertia.bottomRightCorner<3, 3>() += inertia.bottomRightCorner<3, 3>();
  to_force.head<3>() += force.head<3>() + d.cross(force.tail<3>());
  to_force.tail<3>() += force.tail<3>();
}

}  // namespace eslabon::dynamics
