#pragma once

#include <cmath>
#include <type_traits>

#include <Eigen/Core>

#include "eslabon/kinematics/groups/spatial_link.hpp"

namespace eslabon::kinematics {

/// A vector in the plane. Plain numbers: the solvers of planar groups take some tens of nanoseconds. One of doubles is one of any T.
template <core::Scalar T>
struct PlanarVectorOf {
  T x = 0.0;
  T y = 0.0;

  template <core::Scalar U>
  requires(std::is_same_v<T, double> && !std::is_same_v<U, double>) operator PlanarVectorOf<U>() const {
    return {x, y};
  }

  friend PlanarVectorOf operator+(PlanarVectorOf a, PlanarVectorOf b) { return {a.x + b.x, a.y + b.y}; }
  friend PlanarVectorOf operator-(PlanarVectorOf a, PlanarVectorOf b) { return {a.x - b.x, a.y - b.y}; }
  friend PlanarVectorOf operator-(PlanarVectorOf a) { return {-a.x, -a.y}; }
  friend PlanarVectorOf operator*(T s, PlanarVectorOf a) { return {s * a.x, s * a.y}; }
  friend T dot(PlanarVectorOf a, PlanarVectorOf b) { return a.x * b.x + a.y * b.y; }
  /// z of a × b.
  friend T cross(PlanarVectorOf a, PlanarVectorOf b) { return a.x * b.y - a.y * b.x; }
  /// ẑ × a.
  friend PlanarVectorOf turned(PlanarVectorOf a) { return {-a.y, a.x}; }
  /// a and b as complex numbers: a b, and a conj(b).
  friend PlanarVectorOf product(PlanarVectorOf a, PlanarVectorOf b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
  friend PlanarVectorOf conjugate_product(PlanarVectorOf a, PlanarVectorOf b) {
    return {a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y};
  }
};
using PlanarVector = PlanarVectorOf<double>;

/// A point and its motion.
template <core::Scalar T>
struct PlanarPointOf {
  PlanarVectorOf<T> p;  ///< [m]
  PlanarVectorOf<T> v;  ///< [m/s]
  PlanarVectorOf<T> a;  ///< [m/s²]
};
using PlanarPoint = PlanarPointOf<double>;

/// Where a link of a planar mechanism is and how it moves. The orientation is the unit vector of its x axis: no group needs
/// the angle itself.
template <core::Scalar T>
struct PlanarLinkOf {
  template <core::Scalar U>
  using Of = PlanarLinkOf<U>;
  using Vector = PlanarVectorOf<T>;
  using Point = PlanarPointOf<T>;

  Vector p;            ///< origin of the link's frame [m]
  Vector u{1.0, 0.0};  ///< x axis: (cos θ, sin θ)
  Vector v;            ///< velocity of the origin [m/s]
  T w = 0.0;           ///< dθ/dt [rad/s]
  Vector a;            ///< acceleration of the origin [m/s²]
  T alpha = 0.0;       ///< d²θ/dt² [rad/s²]

  /// The point at `local` in the link's frame: p + R l,  v + ω ẑ × R l,  a + α ẑ × R l − ω² R l.     (1)
  // Seed001 eq. 2.8
  Point point(Vector local) const {
    const Vector r = product(u, local);
    return {p + r, v + w * turned(r), a + alpha * turned(r) - (w * w) * r};
  }
  Vector position(Vector local) const { return p + product(u, local); }
  Vector direction(Vector local) const { return product(u, local); }

  /// Places the link: orientation and rates are set; the point at `local` moves as P does. (1) solved for the origin.
  void put_point(Vector local, const Point& P) {
    const Vector r = product(u, local);
    p = P.p - r;
    move_with(r, P);
  }
  /// The same where the link is there already.
  void put_rates(Vector local, const Point& P) { move_with(product(u, local), P); }

  // As numbers of a State: origin, then the x axis, with their derivatives  u̇ = ω ẑ × u,  ü = α ẑ × u − ω² u.
  static constexpr std::size_t kNumbers = 4;
  static constexpr std::size_t kLengths = 2;  ///< of them are lengths: the first
  void read_position(const T* q) {
    p = {q[0], q[1]};
    u = {q[2], q[3]};
  }
  void read(const T* q, const T* q_dot, const T* q_ddot) {
    read_position(q);
    v = {q_dot[0], q_dot[1]};
    w = cross(u, {q_dot[2], q_dot[3]});
    a = {q_ddot[0], q_ddot[1]};
    alpha = cross(u, {q_ddot[2], q_ddot[3]});
  }
  /// Makes the axis, which may be a prediction, one of length 1.
  void normalise() {
    using std::sqrt;
    u = (1.0 / sqrt(dot(u, u))) * u;
  }
  void write_position(T* q) const { write_pair(p, u, q); }
  void write_velocity(T* q_dot) const { write_pair(v, w * turned(u), q_dot); }
  void write_acceleration(T* q_ddot) const { write_pair(a, alpha * turned(u) - (w * w) * u, q_ddot); }

  // Rates as a list of three: v, ω; a, α.
  static constexpr Eigen::Index kFreedoms = 3;
  core::Vector3<T> velocity() const { return {v.x, v.y, w}; }
  core::Vector3<T> acceleration() const { return {a.x, a.y, alpha}; }

  void set_rates(const core::Vector3<T>& velocity, const core::Vector3<T>& acceleration) {
    v = {velocity.x(), velocity.y()};
    w = velocity.z();
    a = {acceleration.x(), acceleration.y()};
    alpha = acceleration.z();
  }

  SpatialLinkOf<T> to_spatial() const {
    SpatialLinkOf<T> link;
    link.R(0, 0) = link.R(1, 1) = u.x;
    link.R(1, 0) = u.y;
    link.R(0, 1) = -u.y;
    link.p = {p.x, p.y, 0.0};
    link.w = {0.0, 0.0, w};
    link.v = {v.x, v.y, 0.0};
    link.alpha = {0.0, 0.0, alpha};
    link.a = {a.x, a.y, 0.0};
    return link;
  }
  static PlanarLinkOf from_spatial(const SpatialLinkOf<T>& link) {
    return {{link.p.x(), link.p.y()}, {link.R(0, 0), link.R(1, 0)},
            {link.v.x(), link.v.y()}, link.w.z(),
            {link.a.x(), link.a.y()}, link.alpha.z()};
  }
  coordinates::BodyMotionOf<T> to_body_motion() const { return to_spatial().to_body_motion(); }
  static PlanarLinkOf from_body_motion(const coordinates::BodyMotionOf<T>& body) {
    return from_spatial(SpatialLinkOf<T>::from_body_motion(body));
  }

 private:
  void move_with(Vector r, const Point& P) {
    v = P.v - w * turned(r);
    a = P.a - alpha * turned(r) + (w * w) * r;
  }
  static void write_pair(Vector first, Vector second, T* out) {
    out[0] = first.x;
    out[1] = first.y;
    out[2] = second.x;
    out[3] = second.y;
  }
};
using PlanarLink = PlanarLinkOf<double>;

}  // namespace eslabon::kinematics
