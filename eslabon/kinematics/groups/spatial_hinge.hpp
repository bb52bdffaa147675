#pragma once

#include <cmath>

#include "eslabon/kinematics/groups/group_solver.hpp"

namespace eslabon::kinematics {

/// A revolute or prismatic joint that carries one link on another.
struct SpatialHinge {
  bool is_turn = true;      ///< about z of its frames; otherwise a slide along x
  SpatialJointEnd base;     ///< its frame F on the link that carries
  SpatialJointEnd carried;  ///< its frame on the link that is carried

  /// Where the joint is: a turn by its cosine and sine, or a shift; and its rates.
  template <core::Scalar T>
  struct PlaceOf {
    T cosine = 1.0, sine = 0.0;
    T shift = 0.0;         ///< [m]
    T velocity = 0.0;      ///< [rad/s] or [m/s]
    T acceleration = 0.0;  ///< [rad/s²] or [m/s²]
  };

  /// Axis of the joint: components in world axes, as the base carries it.
  template <core::Scalar T>
  core::Vector3<T> axis(const SpatialLinkOf<T>& on) const {
    return on.direction(base.axes.col(is_turn ? 2 : 0));
  }
  /// How a point at P of the carried link moves by a unit rate of the joint: e × (P − O), or e.
  template <core::Scalar T>
  core::Vector3<T> direction(const SpatialLinkOf<T>& on, const core::Vector3<T>& P) const {
    const core::Vector3<T> e = axis(on);
    return is_turn ? core::Vector3<T>(e.cross(P - on.position(base.origin))) : e;
  }

  /// The carried link:
  ///   turning   ω = ω_F + q̇ e,   α = α_F + q̈ e + ω_F × q̇ e,   the joint's origin stays where it is on the base       (1)
  ///   sliding   ω = ω_F,   α = α_F,   v = v_P' + q̇ e,   a = a_P' + 2 ω_F × q̇ e + q̈ e,   P' of the base          (2)
  // Seed001 eq. 3.31, eq. 3.39
  template <core::Scalar T>
  SpatialLinkOf<T> carry(const SpatialLinkOf<T>& on, const PlaceOf<T>& at) const {
    using Vector = core::Vector3<T>;
    SpatialLinkOf<T> link;
    const core::Matrix3<T> F = on.R * base.axes.template cast<T>();
    const Vector e = F.col(is_turn ? 2 : 0), along = at.velocity * e;
    core::Matrix3<T> G = F;
    if (is_turn) {
      G.col(0) = at.cosine * F.col(0) + at.sine * F.col(1);
      G.col(1) = at.cosine * F.col(1) - at.sine * F.col(0);
      link.w = on.w + along;
      link.alpha = on.alpha + on.w.cross(along) + at.acceleration * e;
    } else {
      link.w = on.w;
      link.alpha = on.alpha;
    }
    link.R = G * carried.axes.transpose().template cast<T>();
    SpatialPointOf<T> P = on.point(
        is_turn ? Vector(base.origin.template cast<T>())
                : Vector(base.origin.template cast<T>() + at.shift * base.axes.col(0).template cast<T>()));
    if (!is_turn) {
      P.v += along;
      P.a += 2.0 * on.w.cross(along) + at.acceleration * e;
    }
    link.put_point(carried.origin, P);
    return link;
  }

  /// Brings the carried point at Q to a distance of `square` (squared) from P, which the base sees at rest; both in the joint's own
  /// frames. Turning, with Q = (ρ cos β, ρ sin β, ζ), P = (X, Y, Z), φ = β + q:
  ///   X cos φ + Y sin φ = c = (ρ² + |P|² + ζ² − 2 ζ Z − l²) / 2ρ                                             (3)
  ///   sliding  (Q.x + q − P.x)² = l² − (Q.y − P.y)² − (Q.z − P.z)²                                          (4)
  /// `sign`: of the derivative of the distance by q. Returns how far it is from its limit, 0 there and negative beyond, where
  /// `at` is not set, or, written down, is no number; 1 is far.
  // Seed001 eq. 3.40
  template <core::Scalar T>
  T reach(const core::Vector3<T>& P, const Eigen::Vector3d& Q, const T& square, const T& sign,
          PlaceOf<T>& at) const {
    using std::sqrt;
    if (!is_turn) {
      const T root_square = square - (Q.template cast<T>() - P).template tail<2>().squaredNorm();
      if (is_positive(root_square)) at.shift = P.x() - Q.x() + sign * sqrt(root_square);  // (4)
      return root_square / square;
    }
    const double rho_square = Q.head<2>().squaredNorm();
    const T D_square = P.template head<2>().squaredNorm();
    // ρ c, so that nothing is divided by a small ρ.
    const T rho_c = 0.5 * (rho_square + D_square + (P.z() - Q.z()) * (P.z() - Q.z()) - square);
    const T root_square = rho_square * D_square - rho_c * rho_c;
    const T inverse = 1.0 / (rho_square * D_square);
    if (!is_positive(root_square)) return root_square * inverse;
    const T root = sign * sqrt(root_square);
    // ρ D² (cos φ, sin φ) = (c X − √ Y, c Y + √ X), turned back by β.
    const T x = rho_c * P.x() - root * P.y(), y = rho_c * P.y() + root * P.x();
    at.cosine = (x * Q.x() + y * Q.y()) * inverse;
    at.sine = (y * Q.x() - x * Q.y()) * inverse;  // (3)
    return root_square * inverse;
  }

 private:
  static bool is_positive(double x) { return x > 0.0; }
  static bool is_positive(const core::Traced&) { return true; }  // nobody knows yet
};

}  // namespace eslabon::kinematics
