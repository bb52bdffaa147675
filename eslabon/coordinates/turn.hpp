#pragma once

#include "eslabon/core/scalar/sin_cos.hpp"

namespace eslabon::coordinates {

/// R R_k(angle): the columns other than k turn in their plane.
template <core::Scalar T>
void turn_about_own_axis(core::Matrix3<T>& R, int k, const T& angle) {
  const int l = (k + 1) % 3, m = (k + 2) % 3;
  const auto [s, c] = core::sin_cos(angle);
  const core::Vector3<T> u = R.col(l), w = R.col(m);
  R.col(l) = c * u + s * w;
  R.col(m) = c * w - s * u;
}

}  // namespace eslabon::coordinates
