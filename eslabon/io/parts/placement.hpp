#pragma once

#include <Eigen/Core>

namespace eslabon::io {

/// How one drawing stands in another: turned, perhaps mirrored, and moved.
///
///   x ↦ T x + d,   TᵀT = I,   det T = 1, or −1 where it is mirrored                       (1)
///   directions along which something slides   u ↦ T u                                    (2)
///   directions about which something turns    u ↦ det(T) T u                             (3)
///
/// (3) because a ↦ T a takes a × b to det(T) T (a × b). So the mirror image of a turn by φ about u is a turn by φ about −T u.
struct Placement {
  Eigen::Matrix3d T = Eigen::Matrix3d::Identity();
  Eigen::Vector3d d = Eigen::Vector3d::Zero();  ///< [m]

  bool is_mirrored() const { return parity() < 0.0; }
  double parity() const;  ///< det T, exactly
  bool is_turned() const { return T != Eigen::Matrix3d::Identity(); }
  bool is_identity() const { return !is_turned() && d.isZero(0.0); }

  Eigen::Vector3d point(const Eigen::Vector3d& x) const { return T * x + d; }          // (1)
  Eigen::Vector3d direction(const Eigen::Vector3d& u) const { return T * u; }          // (2)
  Eigen::Vector3d turn(const Eigen::Vector3d& u) const { return parity() * (T * u); }  // (3)

  /// The inner drawing in the outer one, and that in another.
  friend Placement operator*(const Placement& outer, const Placement& inner) {
    return {outer.T * inner.T, outer.point(inner.d)};
  }
};

/// diag(−1, 1, 1) for 'x', …
Eigen::Matrix3d mirror_matrix(char axis);

/// The turn about r by |r| [rad]; exact, of numbers 0, 1 and −1 alone, where it is one by quarter turns about x, y or z up to roundoff.
Eigen::Matrix3d turn_matrix(const Eigen::Vector3d& r);

/// The shortest r of which turn_matrix gives R; exactly 0 for no turn.
Eigen::Vector3d turn_vector(const Eigen::Matrix3d& R);

}  // namespace eslabon::io
