#pragma once

#include <vector>

#include <Eigen/Core>

#include "eslabon/core/pose.hpp"

namespace eslabon::coordinates {

/// Where one body is and how it moves, whatever the coordinates: the common language of all kinds of
/// coordinates. In planar mechanisms everything lies in z = 0 and turns about z.
struct BodyMotion {
  core::Pose<double> X_WB;                               ///< pose of the body's own frame
  Eigen::Vector3d w_WB_W = Eigen::Vector3d::Zero();      ///< (3) angular velocity [rad/s]
  Eigen::Vector3d v_WB_W = Eigen::Vector3d::Zero();      ///< (3) velocity of the body's origin [m/s]
  Eigen::Vector3d alpha_WB_W = Eigen::Vector3d::Zero();  ///< (3) angular acceleration [rad/s²]
  Eigen::Vector3d a_WB_W = Eigen::Vector3d::Zero();      ///< (3) acceleration of the body's origin [m/s²]

  /// Position, velocity and acceleration of the point of the body at p_BP_B:
  ///   p_WP = p_WB + r,   v_WP = v_WB + ω × r,   a_WP = a_WB + α × r + ω × (ω × r),   r = R_WB p_BP_B   (1)
  Eigen::Vector3d point_position(const Eigen::Vector3d& p_BP_B) const { return X_WB.apply_to_point(p_BP_B); }
  Eigen::Vector3d point_velocity(const Eigen::Vector3d& p_BP_B) const;
  Eigen::Vector3d point_acceleration(const Eigen::Vector3d& p_BP_B) const;
};

/// (bodies) in the order of Mechanism::bodies(); the ground first, at rest at the origin.
using MechanismMotion = std::vector<BodyMotion>;

}  // namespace eslabon::coordinates
