#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "eslabon/core/geometry/pose.hpp"

namespace eslabon::coordinates {

/// Where one body is and how it moves, whatever the coordinates: the common language of all kinds of
/// coordinates. In planar mechanisms everything lies in z = 0 and turns about z.
// Seed000 eq. 22
template <core::Scalar T>
struct BodyMotionOf {
  core::Pose<T> X_WB;                                             ///< pose of the body's own frame
  core::Vector3<T> w_WB_W = core::Vector3<T>::Zero().eval();      ///< (3) angular velocity [rad/s]
  core::Vector3<T> v_WB_W = core::Vector3<T>::Zero().eval();      ///< (3) velocity of the body's origin [m/s]
  core::Vector3<T> alpha_WB_W = core::Vector3<T>::Zero().eval();  ///< (3) angular acceleration [rad/s²]
  core::Vector3<T> a_WB_W =
      core::Vector3<T>::Zero().eval();  ///< (3) acceleration of the body's origin [m/s²]

  /// Position, velocity and acceleration of the point of the body at p_BP_B:
  ///   p_WP = p_WB + r,   v_WP = v_WB + ω × r,   a_WP = a_WB + α × r + ω × (ω × r),   r = R_WB p_BP_B   (1)
  core::Vector3<T> point_position(const Eigen::Vector3d& p_BP_B) const {
    return X_WB.p_AB_A + direction(p_BP_B);
  }
  core::Vector3<T> point_velocity(const Eigen::Vector3d& p_BP_B) const {
    return v_WB_W + w_WB_W.cross(direction(p_BP_B));  // (1)
  }
  core::Vector3<T> point_acceleration(const Eigen::Vector3d& p_BP_B) const {
    const core::Vector3<T> r = direction(p_BP_B);
    return a_WB_W + alpha_WB_W.cross(r) + w_WB_W.cross(w_WB_W.cross(r));  // (1)
  }
  /// World components of a direction that the body carries.
  core::Vector3<T> direction(const Eigen::Vector3d& u_B) const {
    return X_WB.R_AB.matrix() * u_B.template cast<T>();
  }
};
using BodyMotion = BodyMotionOf<double>;

/// (bodies) in the order of Mechanism::bodies(); the ground first, at rest at the origin.
template <core::Scalar T>
using MechanismMotionOf = std::vector<BodyMotionOf<T>>;
using MechanismMotion = MechanismMotionOf<double>;

}  // namespace eslabon::coordinates
