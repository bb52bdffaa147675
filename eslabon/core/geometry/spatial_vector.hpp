#pragma once

#include "eslabon/core/geometry/rotation.hpp"
#include "eslabon/core/geometry/vector.hpp"

namespace eslabon::core {

// Motion and force of a rigid body as six numbers each. They belong to two different spaces: only a
// motion with a force makes a number (power), so they are two types.
//
// Both refer to a point P of the body, and their components to a frame; the variable's name says which,
// e.g. V_WBp_W: motion of body B in W, reference point P, components in W. Neither is stored. Two operands
// must share point and frame.
//
//   v_Q = v_P + w × p_PQ              the same motion at another point            (1)
//   m_Q = m_P − p_PQ × f              the same force about another point          (2)
//   F · V = m·w + f·v                 power, the same at every point              (3)
//   V₁ × V₂  = { w₁×w₂,  w₁×v₂ + v₁×w₂ }                                          (4)
//   V  ×* F  = { w×m + v×f,  w×f },   (V₁ ×* F)·V₂ = −F·(V₁ × V₂)                 (5)
//
// (4) and (5) are the rates of change of a motion and a force that are fixed to a body moving with V₁.
// Source: [Featherstone2008, ch. 2], angular part first as there.

/// A motion: a velocity, an acceleration, a small displacement, or a joint's axis.
// Seed000 eq. 21
template <Scalar T>
struct SpatialMotion {
  Vector3<T> w;  ///< (3) angular part                        [rad/s]
  Vector3<T> v;  ///< (3) linear part, of the reference point [m/s]

  /// The same motion with reference point Q, p_PQ from the present one.
  // Seed000 eq. 41, eq. 42, eq. 44, eq. 45
  SpatialMotion shifted_by(const Vector3<T>& p_PQ) const { return {w, v + w.cross(p_PQ)}; }  // (1)

  friend SpatialMotion operator+(const SpatialMotion& a, const SpatialMotion& b) {
    return {a.w + b.w, a.v + b.v};
  }
  friend SpatialMotion operator-(const SpatialMotion& a, const SpatialMotion& b) {
    return {a.w - b.w, a.v - b.v};
  }
  friend SpatialMotion operator*(const T& s, const SpatialMotion& a) { return {s * a.w, s * a.v}; }

  /// The same motion in components of A.
  // Seed000 eq. 40, eq. 42, eq. 45
  friend SpatialMotion operator*(const Rotation<T>& R_AB, const SpatialMotion& V_B) {
    return {R_AB * V_B.w, R_AB * V_B.v};
  }
};

/// A force: a wrench, a momentum, or an impulse.
// Seed000 eq. 23
template <Scalar T>
struct SpatialForce {
  Vector3<T> m;  ///< (3) moment about the reference point [N m]
  Vector3<T> f;  ///< (3) force                            [N]

  /// The same force about the point Q, p_PQ from the present one.
  // Seed000 eq. 47, eq. 48
  SpatialForce shifted_by(const Vector3<T>& p_PQ) const { return {m - p_PQ.cross(f), f}; }  // (2)

  friend SpatialForce operator+(const SpatialForce& a, const SpatialForce& b) {
    return {a.m + b.m, a.f + b.f};
  }
  friend SpatialForce operator-(const SpatialForce& a, const SpatialForce& b) {
    return {a.m - b.m, a.f - b.f};
  }
  friend SpatialForce operator*(const T& s, const SpatialForce& a) { return {s * a.m, s * a.f}; }

  /// The same force in components of A.
  // Seed000 eq. 46, eq. 48
  friend SpatialForce operator*(const Rotation<T>& R_AB, const SpatialForce& F_B) {
    return {R_AB * F_B.m, R_AB * F_B.f};
  }
};

/// Power of the force F along the motion V [W].
template <Scalar T>
T dot(const SpatialForce<T>& F, const SpatialMotion<T>& V) {
  return F.m.dot(V.w) + F.f.dot(V.v);  // (3)
}

template <Scalar T>
SpatialMotion<T> cross(const SpatialMotion<T>& V1, const SpatialMotion<T>& V2) {
  return {V1.w.cross(V2.w), V1.w.cross(V2.v) + V1.v.cross(V2.w)};  // (4)
}

template <Scalar T>
SpatialForce<T> cross(const SpatialMotion<T>& V, const SpatialForce<T>& F) {
  return {V.w.cross(F.m) + V.v.cross(F.f), V.w.cross(F.f)};  // (5)
}

}  // namespace eslabon::core
