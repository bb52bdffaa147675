#pragma once

#include <cmath>

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"

namespace eslabon::kinematics {

/// A vector in the plane. Plain numbers: the solvers of planar groups take some tens of nanoseconds.
struct PlanarVector {
  double x = 0.0;
  double y = 0.0;

  friend PlanarVector operator+(PlanarVector a, PlanarVector b) { return {a.x + b.x, a.y + b.y}; }
  friend PlanarVector operator-(PlanarVector a, PlanarVector b) { return {a.x - b.x, a.y - b.y}; }
  friend PlanarVector operator-(PlanarVector a) { return {-a.x, -a.y}; }
  friend PlanarVector operator*(double s, PlanarVector a) { return {s * a.x, s * a.y}; }
};
inline double dot(PlanarVector a, PlanarVector b) { return a.x * b.x + a.y * b.y; }
/// z of a × b.
inline double cross(PlanarVector a, PlanarVector b) { return a.x * b.y - a.y * b.x; }
/// ẑ × a.
inline PlanarVector turned(PlanarVector a) { return {-a.y, a.x}; }
/// a and b as complex numbers: a b, and a conj(b).
inline PlanarVector product(PlanarVector a, PlanarVector b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
inline PlanarVector conjugate_product(PlanarVector a, PlanarVector b) {
  return {a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y};
}

/// A point and its motion.
struct PlanarPoint {
  PlanarVector p;  ///< [m]
  PlanarVector v;  ///< [m/s]
  PlanarVector a;  ///< [m/s²]
};

/// Where a link of a planar mechanism is and how it moves. The orientation is the unit vector of its x axis: no group needs
/// the angle itself.
struct PlanarLink {
  PlanarVector p;            ///< origin of the link's frame [m]
  PlanarVector u{1.0, 0.0};  ///< x axis: (cos θ, sin θ)
  PlanarVector v;            ///< velocity of the origin [m/s]
  double w = 0.0;            ///< dθ/dt [rad/s]
  PlanarVector a;            ///< acceleration of the origin [m/s²]
  double alpha = 0.0;        ///< d²θ/dt² [rad/s²]

  /// The point at `local` in the link's frame: p + R l,  v + ω ẑ × R l,  a + α ẑ × R l − ω² R l.     (1)
  PlanarPoint point(PlanarVector local) const {
    const PlanarVector r = product(u, local);
    return {p + r, v + w * turned(r), a + alpha * turned(r) - (w * w) * r};
  }
  PlanarVector direction(PlanarVector local) const { return product(u, local); }

  /// Places the link: orientation and rates are set; the point at `local` moves as P does. (1) solved for the origin.
  void put_point(PlanarVector local, const PlanarPoint& P) {
    const PlanarVector r = product(u, local);
    p = P.p - r;
    v = P.v - w * turned(r);
    a = P.a - alpha * turned(r) + (w * w) * r;
  }

  coordinates::BodyMotion to_body_motion() const {
    coordinates::BodyMotion body;
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    R(0, 0) = R(1, 1) = u.x;
    R(1, 0) = u.y;
    R(0, 1) = -u.y;
    body.X_WB = {core::Rotation<double>::from_matrix(R, 1e-9), {p.x, p.y, 0.0}};
    body.w_WB_W = {0.0, 0.0, w};
    body.v_WB_W = {v.x, v.y, 0.0};
    body.alpha_WB_W = {0.0, 0.0, alpha};
    body.a_WB_W = {a.x, a.y, 0.0};
    return body;
  }
  static PlanarLink from_body_motion(const coordinates::BodyMotion& body) {
    const auto& R = body.X_WB.R_AB.matrix();
    return {{body.X_WB.p_AB_A.x(), body.X_WB.p_AB_A.y()}, {R(0, 0), R(1, 0)},
            {body.v_WB_W.x(), body.v_WB_W.y()},           body.w_WB_W.z(),
            {body.a_WB_W.x(), body.a_WB_W.y()},           body.alpha_WB_W.z()};
  }
};

}  // namespace eslabon::kinematics
