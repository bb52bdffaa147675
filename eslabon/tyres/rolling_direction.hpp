#pragma once

#include <cmath>
#include <numbers>

#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::tyres {

/// x between −1 and 1.
template <core::Scalar T>
T between_minus_one_and_one(const T& x) {
  const T below = core::select_less(T(1.0), x, T(1.0), x);
  return core::select_less(below, T(-1.0), T(-1.0), below);
}

/// Between −1 and 1 by where a wheel rolls to, smooth through standstill: sin(π/2 v/v_low), ±1 beyond v_low.
template <core::Scalar T>
T rolling_direction(const T& rolling_speed, double low_speed) {
  using std::sin;
  return sin(T((0.5 * std::numbers::pi) * between_minus_one_and_one(T(rolling_speed / low_speed))));
}

/// The speed below which rolling resistance fades, for tyres without VXLOW [m/s].
inline constexpr double kLowSpeed = 1.0;

}  // namespace eslabon::tyres
