#pragma once

#include <cmath>

#include <Eigen/Core>

#include "eslabon/kinematics/groups/spatial_link.hpp"

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
  // Seed001 eq. 2.8
  PlanarPoint point(PlanarVector local) const {
    const PlanarVector r = product(u, local);
    return {p + r, v + w * turned(r), a + alpha * turned(r) - (w * w) * r};
  }
  PlanarVector position(PlanarVector local) const { return p + product(u, local); }
  PlanarVector direction(PlanarVector local) const { return product(u, local); }

  /// Places the link: orientation and rates are set; the point at `local` moves as P does. (1) solved for the origin.
  void put_point(PlanarVector local, const PlanarPoint& P) {
    const PlanarVector r = product(u, local);
    p = P.p - r;
    v = P.v - w * turned(r);
    a = P.a - alpha * turned(r) + (w * w) * r;
  }

  // As numbers of a State: origin, then the x axis, with their derivatives  u̇ = ω ẑ × u,  ü = α ẑ × u − ω² u.
  static constexpr std::size_t kNumbers = 4;
  static constexpr std::size_t kLengths = 2;  ///< of them are lengths: the first
  void read_position(const double* q) {
    p = {q[0], q[1]};
    u = {q[2], q[3]};
  }
  void read(const double* q, const double* q_dot, const double* q_ddot) {
    read_position(q);
    v = {q_dot[0], q_dot[1]};
    w = cross(u, {q_dot[2], q_dot[3]});
    a = {q_ddot[0], q_ddot[1]};
    alpha = cross(u, {q_ddot[2], q_ddot[3]});
  }
  /// Makes the axis, which may be a prediction, one of length 1.
  void normalise() { u = (1.0 / std::sqrt(dot(u, u))) * u; }
  void write_position(double* q) const { write_pair(p, u, q); }
  void write_velocity(double* q_dot) const { write_pair(v, w * turned(u), q_dot); }
  void write_acceleration(double* q_ddot) const { write_pair(a, alpha * turned(u) - (w * w) * u, q_ddot); }

  // Rates as a list of three: v, ω; a, α.
  static constexpr Eigen::Index kFreedoms = 3;
  Eigen::Vector3d velocity() const { return {v.x, v.y, w}; }
  Eigen::Vector3d acceleration() const { return {a.x, a.y, alpha}; }

  void set_rates(const Eigen::Vector3d& velocity, const Eigen::Vector3d& acceleration) {
    v = {velocity.x(), velocity.y()};
    w = velocity.z();
    a = {acceleration.x(), acceleration.y()};
    alpha = acceleration.z();
  }

  SpatialLink to_spatial() const {
    SpatialLink link;
    link.R(0, 0) = link.R(1, 1) = u.x;
    link.R(1, 0) = u.y;
    link.R(0, 1) = -u.y;
    link.p << p.x, p.y, 0.0;
    link.w << 0.0, 0.0, w;
    link.v << v.x, v.y, 0.0;
    link.alpha << 0.0, 0.0, alpha;
    link.a << a.x, a.y, 0.0;
    return link;
  }
  static PlanarLink from_spatial(const SpatialLink& link) {
    return {{link.p.x(), link.p.y()}, {link.R(0, 0), link.R(1, 0)},
            {link.v.x(), link.v.y()}, link.w.z(),
            {link.a.x(), link.a.y()}, link.alpha.z()};
  }
  coordinates::BodyMotion to_body_motion() const { return to_spatial().to_body_motion(); }
  static PlanarLink from_body_motion(const coordinates::BodyMotion& body) {
    return from_spatial(SpatialLink::from_body_motion(body));
  }

 private:
  static void write_pair(PlanarVector first, PlanarVector second, double* out) {
    out[0] = first.x;
    out[1] = first.y;
    out[2] = second.x;
    out[3] = second.y;
  }
};

}  // namespace eslabon::kinematics
