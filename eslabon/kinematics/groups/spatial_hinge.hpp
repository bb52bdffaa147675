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
  struct Place {
    double cosine = 1.0, sine = 0.0;
    double shift = 0.0;         ///< [m]
    double velocity = 0.0;      ///< [rad/s] or [m/s]
    double acceleration = 0.0;  ///< [rad/s²] or [m/s²]
  };

  /// Axis of the joint: components in world axes, as the base carries it.
  Eigen::Vector3d axis(const SpatialLink& on) const { return on.R * base.axes.col(is_turn ? 2 : 0); }
  /// How a point at P of the carried link moves by a unit rate of the joint: e × (P − O), or e.
  Eigen::Vector3d direction(const SpatialLink& on, const Eigen::Vector3d& P) const {
    const Eigen::Vector3d e = axis(on);
    return is_turn ? Eigen::Vector3d(e.cross(P - on.position(base.origin))) : e;
  }

  /// The carried link:
  ///   turning   ω = ω_F + q̇ e,   α = α_F + q̈ e + ω_F × q̇ e,   the joint's origin stays where it is on the base       (1)
  ///   sliding   ω = ω_F,   α = α_F,   v = v_P' + q̇ e,   a = a_P' + 2 ω_F × q̇ e + q̈ e,   P' of the base          (2)
  // Seed001 eq. 3.31, eq. 3.39
  SpatialLink carry(const SpatialLink& on, const Place& at) const {
    SpatialLink link;
    const Eigen::Matrix3d F = on.R * base.axes;
    const Eigen::Vector3d e = F.col(is_turn ? 2 : 0), along = at.velocity * e;
    Eigen::Matrix3d G = F;
    if (is_turn) {
      G.col(0) = at.cosine * F.col(0) + at.sine * F.col(1);
      G.col(1) = at.cosine * F.col(1) - at.sine * F.col(0);
      link.w = on.w + along;
      link.alpha = on.alpha + on.w.cross(along) + at.acceleration * e;
    } else {
      link.w = on.w;
      link.alpha = on.alpha;
    }
    link.R = G * carried.axes.transpose();
    SpatialPoint P =
        on.point(is_turn ? base.origin : Eigen::Vector3d(base.origin + at.shift * base.axes.col(0)));
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
  /// `at` is not set; 1 is far.
  // Seed001 eq. 3.40
  double reach(const Eigen::Vector3d& P, const Eigen::Vector3d& Q, double square, double sign,
               Place& at) const {
    if (!is_turn) {
      const double root_square = square - (Q - P).tail<2>().squaredNorm();
      if (root_square > 0.0) at.shift = P.x() - Q.x() + sign * std::sqrt(root_square);  // (4)
      return root_square / square;
    }
    const double rho_square = Q.head<2>().squaredNorm(), D_square = P.head<2>().squaredNorm();
    // ρ c, so that nothing is divided by a small ρ.
    const double rho_c = 0.5 * (rho_square + D_square + (P.z() - Q.z()) * (P.z() - Q.z()) - square);
    const double root_square = rho_square * D_square - rho_c * rho_c;
    const double inverse = 1.0 / (rho_square * D_square);
    if (!(root_square > 0.0)) return root_square * inverse;
    const double root = sign * std::sqrt(root_square);
    // ρ D² (cos φ, sin φ) = (c X − √ Y, c Y + √ X), turned back by β.
    const double x = rho_c * P.x() - root * P.y(), y = rho_c * P.y() + root * P.x();
    at.cosine = (x * Q.x() + y * Q.y()) * inverse;
    at.sine = (y * Q.x() - x * Q.y()) * inverse;  // (3)
    return root_square * inverse;
  }
};

}  // namespace eslabon::kinematics
