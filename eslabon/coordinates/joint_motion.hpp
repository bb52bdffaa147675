#pragma once

#include <array>

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/elements/joint.hpp"

namespace eslabon::coordinates {

/// How the frame F2 of a joint's second body is turned seen from the frame F1 of its first, components in F1. Rates
/// are those that an observer fixed to F1 sees.
template <core::Scalar T>
struct RelativeTurnOf {
  core::Matrix3<T> R = core::Matrix3<T>::Identity().eval();  ///< (3 × 3) R_F1F2
  core::Vector3<T> w = core::Vector3<T>::Zero().eval();      ///< (3) angular velocity [rad/s]
  core::Vector3<T> alpha = core::Vector3<T>::Zero().eval();  ///< (3) dw/dt [rad/s²]
};

/// The same, and where F2 is.
template <core::Scalar T>
struct RelativeMotionOf : RelativeTurnOf<T> {
  core::Vector3<T> p = core::Vector3<T>::Zero().eval();  ///< (3) from F1's origin to F2's [m]
  core::Vector3<T> v = core::Vector3<T>::Zero().eval();  ///< (3) dp/dt [m/s]
  core::Vector3<T> a = core::Vector3<T>::Zero().eval();  ///< (3) d²p/dt² [m/s²]
};
using RelativeMotion = RelativeMotionOf<double>;

/// The motion between the two frames of a joint.
template <core::Scalar T>
RelativeMotionOf<T> relative_motion(const model::Joint& joint, const MechanismMotionOf<T>& bodies);

/// Value and rates of one scalar coordinate.
template <core::Scalar T>
struct CoordinateValueOf {
  T position = T(0.0);      ///< [rad], in (−π, π], or [m]
  T velocity = T(0.0);      ///< [rad/s] or [m/s]
  T acceleration = T(0.0);  ///< [rad/s²] or [m/s²]
};
using CoordinateValue = CoordinateValueOf<double>;

/// Coordinate `component` (0, 1, 2 as in model::JointTypeFacts::coordinates) of a joint of this type, in the
/// conventions of docs/theory-model.md: revolutes turn about z, prismatics slide along x, a universal joint
/// turns by q1 about the x of the first frame and then by q2 about the y of the second. Exact when the
/// joint's constraints hold.
/// Throws core::ContractError when joints of this type do not have that coordinate.
template <core::Scalar T>
CoordinateValueOf<T> joint_coordinate(model::JointType type, int component,
                                      const RelativeMotionOf<T>& relative);
/// The same of a joint between bodies that move like this; of an angle only how they are turned is looked at.
template <core::Scalar T>
CoordinateValueOf<T> joint_coordinate(const model::Joint& joint, int component,
                                      const MechanismMotionOf<T>& bodies);

/// Where bodies touch that a curve of one of them holds, in the world: on the curve.
Eigen::Vector3d contact_point(const model::Joint& joint, const MechanismMotion& bodies);

/// The angle about z by which R turns x: that of a planar body, in (−π, π].
template <core::Scalar T>
T turn_about_z(const core::Matrix3<T>& R);

/// The angle nearest to `near` that differs from `angle` by whole turns [rad].
template <core::Scalar T>
T unwrapped(const T& angle, double near);

#define ESLABON_DECLARE(T)                                                                                  \
  extern template RelativeMotionOf<T> relative_motion(const model::Joint&, const MechanismMotionOf<T>&);    \
  extern template CoordinateValueOf<T> joint_coordinate(model::JointType, int, const RelativeMotionOf<T>&); \
  extern template CoordinateValueOf<T> joint_coordinate(const model::Joint&, int,                           \
                                                        const MechanismMotionOf<T>&);                       \
  extern template T turn_about_z(const core::Matrix3<T>&);                                                  \
  extern template T unwrapped(const T&, double);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::coordinates
