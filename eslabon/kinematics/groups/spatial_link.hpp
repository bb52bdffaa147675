#pragma once

#include <span>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/linalg/orthonormal.hpp"

namespace eslabon::kinematics {

/// A point in space and its motion.
struct SpatialPoint {
  Eigen::Vector3d p;  ///< [m]
  Eigen::Vector3d v;  ///< [m/s]
  Eigen::Vector3d a;  ///< [m/s²]
};

/// A direction that a link carries, and its motion.
struct SpatialDirection {
  Eigen::Vector3d u, u_dot, u_ddot;
};

/// Where a link of a spatial mechanism is and how it moves, components in world axes.
struct SpatialLink {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< (3 × 3) axes of the link
  Eigen::Vector3d p = Eigen::Vector3d::Zero();      ///< (3) origin of the link's frame [m]
  Eigen::Vector3d w = Eigen::Vector3d::Zero();      ///< (3) angular velocity [rad/s]
  Eigen::Vector3d v = Eigen::Vector3d::Zero();      ///< (3) velocity of the origin [m/s]
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();  ///< (3) angular acceleration [rad/s²]
  Eigen::Vector3d a = Eigen::Vector3d::Zero();      ///< (3) acceleration of the origin [m/s²]

  /// The point at `local`: p + r,  v + ω × r,  a + α × r + ω × (ω × r),  r = R l.                       (1)
  SpatialPoint point(const Eigen::Vector3d& local) const {
    const Eigen::Vector3d r = R * local, wr = w.cross(r);
    return {p + r, v + wr, a + alpha.cross(r) + w.cross(wr)};
  }
  Eigen::Vector3d position(const Eigen::Vector3d& local) const { return p + R * local; }
  Eigen::Vector3d direction(const Eigen::Vector3d& local) const { return R * local; }
  SpatialDirection moving_direction(const Eigen::Vector3d& local) const {
    const Eigen::Vector3d u = R * local, wu = w.cross(u);
    return {u, wu, alpha.cross(u) + w.cross(wu)};
  }

  /// Places the link: orientation and rates are set; the point at `local` moves as P does. (1) solved for the origin.
  void put_point(const Eigen::Vector3d& local, const SpatialPoint& P) {
    const Eigen::Vector3d r = R * local, wr = w.cross(r);
    p = P.p - r;
    v = P.v - wr;
    a = P.a - alpha.cross(r) - w.cross(wr);
  }

  // As numbers of a State: origin, then the three axes of R with their derivatives.
  static constexpr std::size_t kNumbers = 12;
  static constexpr std::size_t kLengths = 3;  ///< of them are lengths: the first
  void read_position(const double* q) {
    p = Eigen::Map<const Eigen::Vector3d>(q);
    R = Eigen::Map<const Eigen::Matrix3d>(q + 3);
  }
  void read(const double* q, const double* q_dot, const double* q_ddot) {
    using Axes = Eigen::Map<const Eigen::Matrix3d>;
    read_position(q);
    v << q_dot[0], q_dot[1], q_dot[2];
    a << q_ddot[0], q_ddot[1], q_ddot[2];
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
  void write_position(double* q) const {
    Eigen::Map<Eigen::Vector3d> origin(q);
    Eigen::Map<Eigen::Matrix3d> axes(q + 3);
    origin = p;
    axes = R;
  }
  void write_velocity(double* q_dot) const {
    Eigen::Map<Eigen::Vector3d> origin(q_dot);
    Eigen::Map<Eigen::Matrix3d> axes(q_dot + 3);
    origin = v;
    for (int i = 0; i < 3; ++i) axes.col(i) = w.cross(R.col(i));
  }
  void write_acceleration(double* q_ddot) const {
    Eigen::Map<Eigen::Vector3d> origin(q_ddot);
    Eigen::Map<Eigen::Matrix3d> axes(q_ddot + 3);
    origin = a;
    for (int i = 0; i < 3; ++i) axes.col(i) = alpha.cross(R.col(i)) + w.cross(w.cross(R.col(i)));
  }

  // Rates as a list of six: v, ω; a, α.
  static constexpr Eigen::Index kFreedoms = 6;
  Eigen::Matrix<double, 6, 1> velocity() const {
    Eigen::Matrix<double, 6, 1> rates;
    rates << v, w;
    return rates;
  }
  Eigen::Matrix<double, 6, 1> acceleration() const {
    Eigen::Matrix<double, 6, 1> rates;
    rates << a, alpha;
    return rates;
  }

  void set_rates(const Eigen::Matrix<double, 6, 1>& velocity,
                 const Eigen::Matrix<double, 6, 1>& acceleration) {
    v = velocity.head<3>();
    w = velocity.tail<3>();
    a = acceleration.head<3>();
    alpha = acceleration.tail<3>();
  }

  SpatialLink to_spatial() const { return *this; }
  static SpatialLink from_spatial(const SpatialLink& link) { return link; }

  coordinates::BodyMotion to_body_motion() const {
    return {{core::Rotation<double>::from_matrix(R, 1e-9), p}, w, v, alpha, a};
  }
  static SpatialLink from_body_motion(const coordinates::BodyMotion& body) {
    return {body.X_WB.R_AB.matrix(), body.X_WB.p_AB_A, body.w_WB_W, body.v_WB_W,
            body.alpha_WB_W,         body.a_WB_W};
  }
};

}  // namespace eslabon::kinematics
