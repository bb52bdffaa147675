#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Core>

namespace eslabon::test {

/// The unevaluated sum of two doubles, about 106 bits: the same numbers on every processor, which `long double` is not (64 bits of
/// fraction on x86-64, 113 on arm64). Sums and products by error-free transformations [Dekker1971; Knuth1997, §4.2.2].
struct DoubleDouble {
  double high = 0.0, low = 0.0;  ///< |low| ≤ ½ ulp(high)

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}  // NOLINT: a double is one
  constexpr DoubleDouble(double high_part, double low_part) : high(high_part), low(low_part) {}
  explicit operator double() const { return high + low; }
};

/// a + b without error.
inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, b_rounded = sum - a;
  return {sum, (a - (sum - b_rounded)) + (b - b_rounded)};
}
/// a b without error.
inline DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  DoubleDouble sum = exact_sum(a.high, b.high);
  const DoubleDouble rest = exact_sum(a.low, b.low);
  sum = exact_sum(sum.high, sum.low + rest.high);
  return exact_sum(sum.high, sum.low + rest.low);
}
inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }
inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  DoubleDouble rest = a - b * first;
  const double second = rest.high / b.high;
  rest = rest - b * second;
  return DoubleDouble(first) + second + rest.high / b.high;
}
inline DoubleDouble& operator+=(DoubleDouble& a, const DoubleDouble& b) { return a = a + b; }
inline DoubleDouble& operator-=(DoubleDouble& a, const DoubleDouble& b) { return a = a - b; }
inline DoubleDouble& operator*=(DoubleDouble& a, const DoubleDouble& b) { return a = a * b; }
inline DoubleDouble& operator/=(DoubleDouble& a, const DoubleDouble& b) { return a = a / b; }
inline bool operator==(const DoubleDouble& a, const DoubleDouble& b) {
  return a.high == b.high && a.low == b.low;
}
inline bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}
inline bool operator>(const DoubleDouble& a, const DoubleDouble& b) { return b < a; }
inline bool operator<=(const DoubleDouble& a, const DoubleDouble& b) { return !(b < a); }
inline bool operator>=(const DoubleDouble& a, const DoubleDouble& b) { return !(a < b); }
inline DoubleDouble abs(const DoubleDouble& a) { return a.high < 0.0 ? -a : a; }
inline DoubleDouble sqrt(const DoubleDouble& a) {
  if (a.high == 0.0) return {};
  const double root = std::sqrt(a.high);
  return root + (a - exact_product(root, root)) / (2.0 * root);  // a step of Newton's method
}

}  // namespace eslabon::test

template <>
struct Eigen::NumTraits<eslabon::test::DoubleDouble> : Eigen::GenericNumTraits<eslabon::test::DoubleDouble> {
  using Real = eslabon::test::DoubleDouble;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsInteger = 0,
    IsSigned = 1,
    IsComplex = 0,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 10,
    MulCost = 10
  };
  static Real epsilon() { return 0x1.0p-104; }
  static Real dummy_precision() { return 0x1.0p-90; }
  static Real highest() { return std::numeric_limits<double>::max(); }
  static Real lowest() { return -std::numeric_limits<double>::max(); }
  static int digits10() { return 31; }
};
