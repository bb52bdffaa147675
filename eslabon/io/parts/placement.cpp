#include "eslabon/io/parts/placement.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "eslabon/core/geometry/rotation.hpp"

namespace eslabon::io {

using Eigen::Matrix3d;
using Eigen::Vector3d;

double Placement::parity() const { return T.col(0).cross(T.col(1)).dot(T.col(2)) < 0.0 ? -1.0 : 1.0; }

Matrix3d mirror_matrix(char axis) {
  Vector3d signs = Vector3d::Ones();
  signs[axis - 'x'] = -1.0;
  return signs.asDiagonal();
}

Matrix3d turn_matrix(const Vector3d& r) {
  constexpr double kRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
  const Matrix3d R = core::Rotation<double>::from_rotation_vector(r).matrix();
  const Matrix3d rounded = R.array().round();
  return (R - rounded).cwiseAbs().maxCoeff() <= kRoundoff ? rounded : R;
}

Vector3d turn_vector(const Matrix3d& R) {
  if (R == Matrix3d::Identity()) return Vector3d::Zero();
  return core::Rotation<double>::from_known_matrix(R).to_rotation_vector();
}

}  // namespace eslabon::io
