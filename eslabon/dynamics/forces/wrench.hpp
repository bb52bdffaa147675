#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "eslabon/core/geometry/vector.hpp"

namespace eslabon::dynamics {

/// What acts on a body: a force through its origin and a torque, components in world axes.
template <core::Scalar T>
struct WrenchOf {
  core::Vector3<T> force = core::Vector3<T>::Zero().eval();   ///< (3) [N]
  core::Vector3<T> torque = core::Vector3<T>::Zero().eval();  ///< (3) about the body's origin [N m]

  /// Adds a force at a point that lies at r from the origin.
  void add_force(const core::Vector3<T>& f, const core::Vector3<T>& r) {
    force += f;
    torque += r.cross(f);
  }
};
using Wrench = WrenchOf<double>;

}  // namespace eslabon::dynamics
