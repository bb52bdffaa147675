#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>

#include "eslabon/core/scalar/lane_math.hpp"
#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/core/scalar/sin_cos.hpp"

/// Functions of several numbers that do not wait for each other. Plain numbers go two at a time through the branch-free functions of
/// lane_math.hpp, the pairs beside each other through the processor: a third of the time that as many calls take one after the other.
namespace eslabon::tyres {

/// f of all x, two at a time.
template <std::size_t N, class Function>
std::array<double, N> in_pairs(const std::array<double, N>& x, Function f) {
  std::array<double, N> out;
#pragma GCC unroll 16
  for (std::size_t k = 0; k + 1 < N; k += 2) {
    const core::LanePair y = f(core::LanePair{x[k], x[k + 1]});
    out[k] = y[0];
    out[k + 1] = y[1];
  }
  if constexpr (N % 2 == 1) out[N - 1] = f(x[N - 1]);
  return out;
}

template <core::Scalar T, std::size_t N>
std::array<T, N> arctangents(const std::array<T, N>& x) {
  if constexpr (std::is_same_v<T, double>) return in_pairs(x, [](auto one) { return core::lane_atan(one); });
  std::array<T, N> out;
  for (std::size_t k = 0; k < N; ++k) out[k] = atan(x[k]);
  return out;
}

template <core::Scalar T, std::size_t N>
std::array<T, N> sines(const std::array<T, N>& x) {
  if constexpr (std::is_same_v<T, double>)
    return in_pairs(x, [](auto one) { return core::lane_sine_of_motion(one); });
  std::array<T, N> out;
  for (std::size_t k = 0; k < N; ++k) out[k] = sin(x[k]);
  return out;
}

template <core::Scalar T, std::size_t N>
std::array<core::SinCos<T>, N> sines_and_cosines(const std::array<T, N>& x) {
  std::array<core::SinCos<T>, N> out;
  if constexpr (std::is_same_v<T, double>) {
    static_assert(N % 2 == 0);
#pragma GCC unroll 16
    for (std::size_t k = 0; k < N; k += 2) {
      const auto both = core::lane_sincos_of_motion(core::LanePair{x[k], x[k + 1]});
      out[k] = {both.sine[0], both.cosine[0]};
      out[k + 1] = {both.sine[1], both.cosine[1]};
    }
  } else {
    for (std::size_t k = 0; k < N; ++k) out[k] = core::sin_cos(x[k]);
  }
  return out;
}

/// The phase that makes a cosine of it.
inline constexpr double kCosine = 0.5 * std::numbers::pi;

}  // namespace eslabon::tyres
