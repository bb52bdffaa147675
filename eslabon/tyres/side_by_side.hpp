#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>

#include "eslabon/core/scalar/lane_math.hpp"
#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/core/scalar/sin_cos.hpp"

/// Functions of several numbers that do not wait for each other. Of plain numbers they are loops without branches, which compilers make
/// vectors of and processors carry out several at a time: a third of the time that as many calls take one after the other.
namespace eslabon::tyres {

template <core::Scalar T, std::size_t N>
std::array<T, N> arctangents(const std::array<T, N>& x) {
  std::array<T, N> out;
  if constexpr (std::is_same_v<T, double>) {
    for (std::size_t k = 0; k < N; ++k) out[k] = core::lane_atan(x[k]);
  } else {
    for (std::size_t k = 0; k < N; ++k) out[k] = atan(x[k]);
  }
  return out;
}

template <core::Scalar T, std::size_t N>
std::array<T, N> sines(const std::array<T, N>& x) {
  std::array<T, N> out;
  if constexpr (std::is_same_v<T, double>) {
    for (std::size_t k = 0; k < N; ++k) out[k] = core::lane_sincos_of_motion(x[k]).sine;
  } else {
    for (std::size_t k = 0; k < N; ++k) out[k] = sin(x[k]);
  }
  return out;
}

template <core::Scalar T, std::size_t N>
std::array<core::SinCos<T>, N> sines_and_cosines(const std::array<T, N>& x) {
  std::array<core::SinCos<T>, N> out;
  if constexpr (std::is_same_v<T, double>) {
    for (std::size_t k = 0; k < N; ++k) {
      const core::LaneSinCos both = core::lane_sincos_of_motion(x[k]);
      out[k] = {both.sine, both.cosine};
    }
  } else {
    for (std::size_t k = 0; k < N; ++k) out[k] = core::sin_cos(x[k]);
  }
  return out;
}

/// The phase that makes a cosine of it.
inline constexpr double kCosine = 0.5 * std::numbers::pi;

}  // namespace eslabon::tyres
