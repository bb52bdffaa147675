#pragma once

#include <array>

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/joint.hpp"

namespace eslabon::coordinates {

/// The frame F2 of a joint's second body seen from the frame F1 of its first, components in F1. Rates are
/// those that an observer fixed to F1 sees.
struct RelativeMotion {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< (3 × 3) R_F1F2
  Eigen::Vector3d p = Eigen::Vector3d::Zero();      ///< (3) from F1's origin to F2's [m]
  Eigen::Vector3d w = Eigen::Vector3d::Zero();      ///< (3) angular velocity [rad/s]
  Eigen::Vector3d v = Eigen::Vector3d::Zero();      ///< (3) dp/dt [m/s]
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();  ///< (3) dw/dt [rad/s²]
  Eigen::Vector3d a = Eigen::Vector3d::Zero();      ///< (3) d²p/dt² [m/s²]
};

/// The motion between the two frames of a joint.
RelativeMotion relative_motion(const model::Joint& joint, const MechanismMotion& bodies);

/// Value and rates of one scalar coordinate.
struct CoordinateValue {
  double position = 0.0;      ///< [rad], in (−π, π], or [m]
  double velocity = 0.0;      ///< [rad/s] or [m/s]
  double acceleration = 0.0;  ///< [rad/s²] or [m/s²]
};

/// Coordinate `component` (0, 1, 2 as in model::JointTypeFacts::coordinates) of a joint of this type, in the
/// conventions of docs/theory-model.md: revolutes turn about z, prismatics slide along x, a universal joint
/// turns by q1 about the x of the first frame and then by q2 about the y of the second. Exact when the
/// joint's constraints hold.
/// Throws core::ContractError when joints of this type do not have that coordinate.
CoordinateValue joint_coordinate(model::JointType type, int component, const RelativeMotion& relative);

/// The angle about z by which R turns x: that of a planar body, in (−π, π].
double turn_about_z(const Eigen::Matrix3d& R);

/// The angle nearest to `near` that differs from `angle` by whole turns [rad].
double unwrapped(double angle, double near);

}  // namespace eslabon::coordinates
