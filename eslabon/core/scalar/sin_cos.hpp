#pragma once

#include <cmath>

#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::core {

/// Sine and cosine of one angle.
template <Scalar T>
struct SinCos {
  T sine, cosine;
};

/// Both at once: of a dual number each is the derivative of the other, so that all orders of derivatives need them once.
inline SinCos<double> sin_cos(double x) { return {std::sin(x), std::cos(x)}; }
inline SinCos<Traced> sin_cos(const Traced& x) { return {sin(x), cos(x)}; }
template <class T>
SinCos<Dual<T>> sin_cos(const Dual<T>& x) {
  const SinCos<T> inner = sin_cos(x.value);
  return {{inner.sine, inner.cosine * x.derivative}, {inner.cosine, -inner.sine * x.derivative}};
}

}  // namespace eslabon::core
