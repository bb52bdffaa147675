#include "eslabon/coordinates/euler_parameters.hpp"

namespace eslabon::coordinates {

// Source of (4) and (5): [Nikravesh1988, ch. 6].

Orientation orientation_of(const EulerParameterMotion& motion) {
  const double norm = motion.e.norm();
  const Eigen::Vector4d e = motion.e / norm;
  const Eigen::Matrix<double, 3, 4> G = euler_rate_matrix<double>(e);
  return {core::Rotation<double>::from_euler_parameters(e), 2.0 * (G * motion.e_dot) / norm,
          2.0 * (G * motion.e_ddot) / norm};  // (4)
}

// Seed000 eq. 55
EulerParameterMotion euler_parameters_of(const Orientation& orientation) {
  const Eigen::Vector4d e = orientation.R.to_euler_parameters();
  const Eigen::Matrix<double, 3, 4> G = euler_rate_matrix<double>(e);
  return {e, 0.5 * (G.transpose() * orientation.w),
          0.5 * (G.transpose() * orientation.alpha) - 0.25 * orientation.w.squaredNorm() * e};  // (5)
}

}  // namespace eslabon::coordinates
