#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace eslabon::dynamics {

/// What acts on a body: a force through its origin and a torque, components in world axes.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< (3) [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< (3) about the body's origin [N m]

  /// Adds a force at a point that lies at r from the origin.
  void add_force(const Eigen::Vector3d& f, const Eigen::Vector3d& r) {
    force += f;
    torque += r.cross(f);
  }
};

}  // namespace eslabon::dynamics
