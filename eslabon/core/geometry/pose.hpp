#pragma once

#include "eslabon/core/geometry/rotation.hpp"

namespace eslabon::core {

/// The pose X_AB of a frame B in a frame A: where B's origin is and how B is turned.
///
///   p_AP_A = p_AB_A + R_AB p_BP_B                a point P                        (1)
///   X_AC = { R_AB R_BC,  p_AB_A + R_AB p_BC_B }  (1) for every point of C         (2)
///   X_BA = { R_ABᵀ, −R_ABᵀ p_AB_A }              (1) solved for p_BP_B            (3)
// Seed000 eq. 12, eq. 18, eq. 19
template <Scalar T>
struct Pose {
  Rotation<T> R_AB;                               ///< orientation of B in A
  Vector3<T> p_AB_A = Vector3<T>::Zero().eval();  ///< (3) from A's origin to B's, components in A [m]

  /// X_BA.
  // Seed000 eq. 20
  Pose inverse() const {
    const Rotation<T> R_BA = R_AB.inverse();
    return {R_BA, -(R_BA * p_AB_A)};  // (3)
  }

  /// p_AP_A of the point P that B sees at p_BP_B.
  Vector3<T> apply_to_point(const Vector3<T>& p_BP_B) const { return p_AB_A + R_AB * p_BP_B; }  // (1)

  /// Components in A of a free vector (a direction, a velocity, a force) given in B.
  Vector3<T> apply_to_direction(const Vector3<T>& a_B) const { return R_AB * a_B; }

  /// X_AC = X_AB X_BC.
  // Seed000 eq. 20
  friend Pose operator*(const Pose& X_AB, const Pose& X_BC) {
    return {X_AB.R_AB * X_BC.R_AB, X_AB.apply_to_point(X_BC.p_AB_A)};  // (2)
  }
};

}  // namespace eslabon::core
