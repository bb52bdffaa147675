#pragma once

#include <cmath>
#include <string_view>

#include "eslabon/core/geometry/vector.hpp"

namespace eslabon::core {

/// Turn number `turn` (0, 1, 2) of the sequence ("zyx", "zxz", …) of turns about axes that go with the body:
///   R = R_i(θ₀) R_j(θ₁) R_k(θ₂),     e = ±1: i, j and the third axis in cyclic order or not
///   k ≠ i:  tan θ₀ = −e R_jk / R_kk,   sin θ₁ = e R_ik,   tan θ₂ = −e R_ij / R_ii                  θ₁ in [−π/2, π/2]     (1)
///   k = i:  tan θ₀ = R_ji / (−e R_li),   cos θ₁ = R_ii,   tan θ₂ = R_ij / (e R_il)     l: the third;  θ₁ in [0, π]         (2)
/// θ₀ and θ₂ in (−π, π]; where cos θ₁ or sin θ₁ is 0 only their sum or difference is determined, and each has what atan2 gives.
template <Scalar T>
T euler_angle(const Matrix3<T>& R, std::string_view sequence, int turn) {
  using std::atan2, std::sqrt;
  const int i = sequence[0] - 'x', j = sequence[1] - 'x', k = sequence[2] - 'x', l = 3 - i - j;
  const double e = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
  const T across = sqrt(R(i, j) * R(i, j) + (k == i ? R(i, l) * R(i, l) : R(i, i) * R(i, i)));
  if (k != i) {
    if (turn == 0) return atan2(T(-e * R(j, k)), R(k, k));
    return turn == 1 ? T(atan2(T(e * R(i, k)), across)) : T(atan2(T(-e * R(i, j)), R(i, i)));  // (1)
  }
  if (turn == 0) return atan2(R(j, i), T(-e * R(l, i)));
  return turn == 1 ? T(atan2(across, R(i, i))) : T(atan2(R(i, j), T(e * R(i, l))));  // (2)
}

}  // namespace eslabon::core
