#pragma once

#include <span>
#include <type_traits>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/linalg/orthonormal.hpp"

namespace eslabon::kinematics {

/// A point in space and its motion.
template <core::Scalar T>
struct SpatialPointOf {
  core::Vector3<T> p;  ///< [m]
  core::Vector3<T> v;  ///< [m/s]
  core::Vector3<T> a;  ///< [m/s²]
};
using SpatialPoint = SpatialPointOf<double>;

/// A direction that a link carries, and its motion.
template <core::Scalar T>
struct SpatialDirectionOf {
  core::Vector3<T> u, u_dot, u_ddot;
};
using SpatialDirection = SpatialDirectionOf<double>;

/// Where a link of a spatial mechanism is and how it moves, components in world axes.
template <core::Scalar T>
struct SpatialLinkOf {
  template <core::Scalar U>
  using Of = SpatialLinkOf<U>;
  using Vector = core::Vector3<T>;
  using Matrix = core::Matrix3<T>;
  using Point = SpatialPointOf<T>;

  Matrix R = Matrix::Identity();  ///< (3 × 3) axes of the link
  Vector p = Vector::Zero();      ///< (3) origin of the link's frame [m]
  Vector w = Vector::Zero();      ///< (3) angular velocity [rad/s]
  Vector v = Vector::Zero();      ///< (3) velocity of the origin [m/s]
  Vector alpha = Vector::Zero();  ///< (3) angular acceleration [rad/s²]
  Vector a = Vector::Zero();      ///< (3) acceleration of the origin [m/s²]

  /// The point at `local`: p + r,  v + ω × r,  a + α × r + ω × (ω × r),  r = R l.                       (1)
  template <class Local>
  Point point(const Local& local) const {
    const Vector r = R * local.template cast<T>(), wr = w.cross(r);
    return {p + r, v + wr, a + alpha.cross(r) + w.cross(wr)};
  }
  template <class Local>
  Vector position(const Local& local) const {
    return p + R * local.template cast<T>();
  }
  template <class Local>
  Vector direction(const Local& local) const {
    return R * local.template cast<T>();
  }
  template <class Local>
  SpatialDirectionOf<T> moving_direction(const Local& local) const {
    const Vector u = R * local.template cast<T>(), wu = w.cross(u);
    return {u, wu, alpha.cross(u) + w.cross(wu)};
  }

  /// Places the link: orientation and rates are set; the point at `local` moves as P does. (1) solved for the origin.
  template <class Local>
  void put_point(const Local& local, const Point& P) {
    const Vector r = R * local.template cast<T>(), wr = w.cross(r);
    p = P.p - r;
    v = P.v - wr;
    a = P.a - alpha.cross(r) - w.cross(wr);
  }

  // As numbers of a State: origin, then the three axes of R with their derivatives.
  static constexpr std::size_t kNumbers = 12;
  static constexpr std::size_t kLengths = 3;  ///< of them are lengths: the first
  void read_position(const T* q) {
    p = Eigen::Map<const Vector>(q);
    R = Eigen::Map<const Matrix>(q + 3);
  }
  void read(const T* q, const T* q_dot, const T* q_ddot) {
    using Axes = Eigen::Map<const Matrix>;
    read_position(q);
    v = {q_dot[0], q_dot[1], q_dot[2]};
    a = {q_ddot[0], q_ddot[1], q_ddot[2]};
    const Axes R_dot(q_dot + 3), R_ddot(q_ddot + 3);
    // Of ẋ_i = ω × x_i:  Σ x_i × ẋ_i = 2 ω,  and Σ x_i × ẍ_i = 2 α, as Σ x_i × (ω × (ω × x_i)) = 0.
    w.setZero();
    alpha.setZero();
    for (int i = 0; i < 3; ++i) {
      w += 0.5 * R.col(i).cross(R_dot.col(i));
      alpha += 0.5 * R.col(i).cross(R_ddot.col(i));
    }
  }
  /// Makes the axes, which may be a prediction, perpendicular and of length 1.
  void normalise() { R = core::orthonormal(R); }
  void write_position(T* q) const {
    Eigen::Map<Vector> origin(q);
    Eigen::Map<Matrix> axes(q + 3);
    origin = p;
    axes = R;
  }
  void write_velocity(T* q_dot) const {
    Eigen::Map<Vector> origin(q_dot);
    Eigen::Map<Matrix> axes(q_dot + 3);
    origin = v;
    for (int i = 0; i < 3; ++i) axes.col(i) = w.cross(R.col(i));
  }
  void write_acceleration(T* q_ddot) const {
    Eigen::Map<Vector> origin(q_ddot);
    Eigen::Map<Matrix> axes(q_ddot + 3);
    origin = a;
    for (int i = 0; i < 3; ++i) axes.col(i) = alpha.cross(R.col(i)) + w.cross(w.cross(R.col(i)));
  }

  // Rates as a list of six: v, ω; a, α.
  static constexpr Eigen::Index kFreedoms = 6;
  Eigen::Matrix<T, 6, 1> velocity() const {
    Eigen::Matrix<T, 6, 1> rates;
    rates << v, w;
    return rates;
  }
  Eigen::Matrix<T, 6, 1> acceleration() const {
    Eigen::Matrix<T, 6, 1> rates;
    rates << a, alpha;
    return rates;
  }

  void set_rates(const Eigen::Matrix<T, 6, 1>& velocity, const Eigen::Matrix<T, 6, 1>& acceleration) {
    v = velocity.template head<3>();
    w = velocity.template tail<3>();
    a = acceleration.template head<3>();
    alpha = acceleration.template tail<3>();
  }

  SpatialLinkOf to_spatial() const { return *this; }
  static SpatialLinkOf from_spatial(const SpatialLinkOf& link) { return link; }

  coordinates::BodyMotionOf<T> to_body_motion() const {
    if constexpr (std::is_same_v<T, double>)
      return {{core::Rotation<T>::from_matrix(R, 1e-9), p}, w, v, alpha, a};
    else
      return {{core::Rotation<T>::from_known_matrix(R), p}, w, v, alpha, a};
  }
  static SpatialLinkOf from_body_motion(const coordinates::BodyMotionOf<T>& body) {
    return {body.X_WB.R_AB.matrix(), body.X_WB.p_AB_A, body.w_WB_W, body.v_WB_W,
            body.alpha_WB_W,         body.a_WB_W};
  }
};
using SpatialLink = SpatialLinkOf<double>;

}  // namespace eslabon::kinematics
