#pragma once

#include <cmath>

#include "tests/double_double.hpp"

namespace eslabon::test {

// Elementary functions to about 100 bits by their series, as oracles: no function of the C library but exact ones (ldexp, frexp, fma).

/// mantissa 2^exponent: values that no double reaches, or not with all its digits.
struct Scaled {
  DoubleDouble mantissa;
  int exponent = 0;
};

// Each the rest of what stands left of it, 53 bits each.
inline constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr double kLn2Rest = 0x1.7b57a079a1934p-111;
inline constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
inline constexpr DoubleDouble kHalfPiRest{-0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-164};

/// x − k (high + rest), where x is near k high: terms from large to small, so that what cancels is exact.
inline DoubleDouble reduced(const DoubleDouble& x, double k, const DoubleDouble& high,
                            const DoubleDouble& rest) {
  DoubleDouble result = x - exact_product(k, high.high);
  result -= exact_product(k, high.low);
  result -= exact_product(k, rest.high);
  return result - exact_product(k, rest.low);
}

/// e^x = 2^k e^r, r = x − k ln 2; e^r by Taylor's series of r/16, squared four times.
inline Scaled exact_exp(double x) {
  const double k = std::nearbyint(x / kLn2.high);
  const DoubleDouble r = reduced(x, k, kLn2, kLn2Rest) * 0.0625;
  DoubleDouble sum = 1.0, term = 1.0;
  for (int n = 1; n <= 18; ++n) sum += term = term * r / static_cast<double>(n);
  for (int square = 0; square < 4; ++square) sum = sum * sum;
  return {sum, static_cast<int>(k)};
}

/// ln(m 2^e) = e ln 2 + 2 artanh((m − 1) / (m + 1)), m from √½ to √2.
inline DoubleDouble exact_log(double x) {
  int e = 0;
  double m = std::frexp(x, &e);
  if (m < 0.7071067811865476) m *= 2.0, --e;
  const DoubleDouble z = exact_sum(m, -1.0) / exact_sum(m, 1.0), z2 = z * z;
  DoubleDouble sum = 0.0, power = z;
  for (int n = 1; n <= 47; n += 2, power *= z2) sum += power / static_cast<double>(n);
  return DoubleDouble(2.0) * sum + DoubleDouble(static_cast<double>(e)) * kLn2;
}

struct ExactSinCos {
  DoubleDouble sine, cosine;
};

/// Of k quarter turns and |r| ≤ π/4, by Taylor's series.
inline ExactSinCos exact_sincos_reduced(double k, const DoubleDouble& r) {
  DoubleDouble sine = r, cosine = 1.0, odd = r, even = 1.0;
  const DoubleDouble minus_r2 = -(r * r);
  for (int n = 2; n <= 28; n += 2) {
    cosine += even = even * minus_r2 / static_cast<double>((n - 1) * n);
    sine += odd = odd * minus_r2 / static_cast<double>(n * (n + 1));
  }
  switch (((static_cast<long>(k) % 4) + 4) % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

/// Of an angle of up to 2^50 quarter turns.
inline ExactSinCos exact_sincos(double x) {
  const double k = std::nearbyint(x / kHalfPi.high);
  return exact_sincos_reduced(k, reduced(x, k, kHalfPi, kHalfPiRest));
}

/// Of `turns` full turns.
inline ExactSinCos exact_sincos_of_turns(double turns) {
  const double quarters = 4.0 * turns, k = std::nearbyint(quarters);
  return exact_sincos_reduced(k, DoubleDouble(quarters - k) * kHalfPi);
}

/// Distance of `actual` in units in the last place of the exact value.
inline double ulps(double actual, const Scaled& exact) {
  int exponent = 0;
  (void)std::frexp(exact.mantissa.high, &exponent);
  const int last = std::max(exponent + exact.exponent - 53, -1074);
  const DoubleDouble difference = DoubleDouble(std::ldexp(actual, -exact.exponent)) - exact.mantissa;
  return std::abs(std::ldexp(static_cast<double>(difference), exact.exponent - last));
}
inline double ulps(double actual, const DoubleDouble& exact) { return ulps(actual, Scaled{exact, 0}); }

}  // namespace eslabon::test
