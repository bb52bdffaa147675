#pragma once

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/geometry/pose.hpp"

/// Motions that tests write down as poses in closed form; rates come from dual numbers of second order, so
/// they are exact and share no formula with the code under test.
namespace eslabon::test {

using D1 = core::Dual<double>;
using D2 = core::Dual<core::Dual<double>>;  ///< value.value f, value.derivative f', derivative.derivative f''

/// The time t [s] as a variable: d t/dt = 1.
inline D2 seeded_time(double t) { return D2(D1(t, 1.0), D1(1.0, 0.0)); }

/// The axial vector of the skew part of a matrix.
inline Eigen::Vector3d axial(const Eigen::Matrix3d& A) {
  return 0.5 * Eigen::Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
}

/// The motion of a body whose pose is X_WB as a function of seeded_time:
///   ω̃ = Ṙ Rᵀ,    α̃ = d/dt (Ṙ Rᵀ) = R̈ Rᵀ + Ṙ Ṙᵀ
inline coordinates::BodyMotion motion_of(const core::Pose<D2>& X_WB) {
  const auto value = [](const D2& x) { return x.value.value; };
  const auto first = [](const D2& x) { return x.value.derivative; };
  const auto second = [](const D2& x) { return x.derivative.derivative; };
  const Eigen::Matrix3d R = X_WB.R_AB.matrix().unaryExpr(value);
  const Eigen::Matrix3d R_dot = X_WB.R_AB.matrix().unaryExpr(first);
  const Eigen::Matrix3d R_ddot = X_WB.R_AB.matrix().unaryExpr(second);
  coordinates::BodyMotion motion;
  motion.X_WB = {core::Rotation<double>::from_matrix(R), X_WB.p_AB_A.unaryExpr(value)};
  motion.w_WB_W = axial(R_dot * R.transpose());
  motion.alpha_WB_W = axial(R_ddot * R.transpose() + R_dot * R_dot.transpose());
  motion.v_WB_W = X_WB.p_AB_A.unaryExpr(first);
  motion.a_WB_W = X_WB.p_AB_A.unaryExpr(second);
  return motion;
}

/// A pose without rates.
inline core::Pose<D2> constant(const core::Pose<double>& X) {
  const auto as_constant = [](double x) { return D2(x); };
  return {core::Rotation<D2>::from_matrix(X.R_AB.matrix().unaryExpr(as_constant)),
          X.p_AB_A.unaryExpr(as_constant)};
}

/// Somewhere in space, turning about all axes, with no convenient zeros.
inline core::Pose<D2> tumbling(const D2& t) {
  return {core::Rotation<D2>::from_rotation_vector({0.4 + 0.7 * t, -0.9 * t + 0.2 * t * t, 0.3 * sin(t)}),
          {0.5 + 1.1 * t * t, -0.7 * cos(1.3 * t), 0.2 - 0.6 * t + 0.1 * t * t * t}};
}

/// Somewhere in the plane z = 0, turning about z.
inline core::Pose<D2> tumbling_in_plane(const D2& t) {
  return {core::Rotation<D2>::about_z(0.4 + 0.7 * t + 0.3 * sin(t)),
          {0.5 + 1.1 * t * t, -0.7 * cos(1.3 * t), D2(0.0)}};
}

}  // namespace eslabon::test
