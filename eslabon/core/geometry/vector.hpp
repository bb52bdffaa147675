#pragma once

#include <Eigen/Core>

#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::core {

template <Scalar T>
using Vector2 = Eigen::Matrix<T, 2, 1>;
template <Scalar T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <Scalar T>
using Vector4 = Eigen::Matrix<T, 4, 1>;
template <Scalar T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

/// The matrix ã with  ã b = a × b  for every b; ãᵀ = −ã.
// Seed000 eq. 24
template <Scalar T>
Matrix3<T> skew(const Vector3<T>& a) {
  const T zero(0.0);
  Matrix3<T> a_tilde;
  a_tilde << zero, -a.z(), a.y(),  //
      a.z(), zero, -a.x(),         //
      -a.y(), a.x(), zero;
  return a_tilde;
}

/// The planar cross product with a spin w about z:  w ẑ × p = w (−p_y, p_x).
template <Scalar T>
Vector2<T> cross_z(const T& w, const Vector2<T>& p) {
  return {-w * p.y(), w * p.x()};
}

}  // namespace eslabon::core
