#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <type_traits>

#include <Eigen/Core>

#include "eslabon/core/scalar/select.hpp"

namespace eslabon::core {

/// A dual number: a value and its derivative along one direction.
///
///   x = a + b ε,  ε² = 0                                                        (1)
///   f(a + b ε) = f(a) + f'(a) b ε                    Taylor's series ends there (2)
///
/// so that arithmetic on x carries exact first derivatives. With T itself a dual number, (2) is
/// applied to f' as well: the derivative of the derivative is the exact second derivative.
/// Source: [GriewankWalther2008, ch. 3], forward mode.
///
/// T is double, a Dual, or a traced number: every function of T is found by
/// argument-dependent lookup beside the std one.
///
/// Comparison. Order looks at the value only, because it chooses a branch and a branch has no
/// derivative. Equality looks at both parts: code that skips work "because x == 0" would otherwise
/// drop the derivative of an x that is zero by chance. Eigen 3.4's triangular solver does exactly
/// that with a right-hand side (Drake issue 17037). Hence x <= y may hold with neither x < y nor
/// x == y.
///
/// Where f' is infinite (sqrt, hypot and abs's kin at 0) the derivative is infinite or NaN, never
/// silently 0; abs takes the slope +1 at 0.
template <class T>
struct Dual {
  T value{};       ///< f(a)
  T derivative{};  ///< f'(a) b

  constexpr Dual() = default;
  constexpr Dual(const T& constant) : value(constant), derivative(0.0) {}
  template <class A>
  requires std::is_arithmetic_v<A>
  constexpr Dual(A constant) : value(static_cast<double>(constant)), derivative(0.0) {}
  constexpr Dual(const T& a, const T& b) : value(a), derivative(b) {}

  constexpr Dual& operator+=(const Dual& y) { return *this = *this + y; }
  constexpr Dual& operator-=(const Dual& y) { return *this = *this - y; }
  constexpr Dual& operator*=(const Dual& y) { return *this = *this * y; }
  constexpr Dual& operator/=(const Dual& y) { return *this = *this / y; }

  friend constexpr Dual operator+(const Dual& x) { return x; }
  friend constexpr Dual operator-(const Dual& x) { return {-x.value, -x.derivative}; }

  friend constexpr Dual operator+(const Dual& x, const Dual& y) {
    return {x.value + y.value, x.derivative + y.derivative};
  }
  friend constexpr Dual operator-(const Dual& x, const Dual& y) {
    return {x.value - y.value, x.derivative - y.derivative};
  }
  friend constexpr Dual operator*(const Dual& x, const Dual& y) {
    return {x.value * y.value, x.derivative * y.value + x.value * y.derivative};
  }
  /// (x/y)' = (x' − (x/y) y') / y
  friend constexpr Dual operator/(const Dual& x, const Dual& y) {
    const T quotient = x.value / y.value;
    return {quotient, (x.derivative - quotient * y.derivative) / y.value};
  }

  friend constexpr bool operator==(const Dual& x, const Dual& y) {
    return x.value == y.value && x.derivative == y.derivative;
  }
  friend constexpr auto operator<=>(const Dual& x, const Dual& y) { return x.value <=> y.value; }

  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T square = x.value * x.value + y.value * y.value;
    return {atan2(y.value, x.value), (x.value * y.derivative - y.value * x.derivative) / square};
  }
  friend Dual hypot(const Dual& x, const Dual& y) {
    using std::hypot;
    const T length = hypot(x.value, y.value);
    return {length, (x.value / length) * x.derivative + (y.value / length) * y.derivative};
  }
  /// xʸ for x > 0:  (xʸ)' = xʸ (y' log x + y x'/x).
  friend Dual pow(const Dual& x, const Dual& y) {
    using std::log;
    using std::pow;
    const T power = pow(x.value, y.value);
    return {power, power * (y.derivative * log(x.value) + y.value * x.derivative / x.value)};
  }
};

/// What may stand beside a Dual<T> as a constant: a plain number, or the T inside.
template <class A, class T>
concept ConstantBeside = std::is_arithmetic_v<A> || std::same_as<A, T>;

namespace detail {
/// A plain number as the double that every T can be combined with; a T as itself.
template <class A>
constexpr decltype(auto) constant(const A& c) {
  if constexpr (std::is_arithmetic_v<A>) {
    return static_cast<double>(c);
  } else {
    return (c);
  }
}
}  // namespace detail

// With a constant the derivative is not multiplied by a known zero.
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator+(const Dual<T>& x, const A& c) {
  return {x.value + detail::constant(c), x.derivative};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator+(const A& c, const Dual<T>& x) {
  return {detail::constant(c) + x.value, x.derivative};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator-(const Dual<T>& x, const A& c) {
  return {x.value - detail::constant(c), x.derivative};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator-(const A& c, const Dual<T>& x) {
  return {detail::constant(c) - x.value, -x.derivative};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator*(const Dual<T>& x, const A& c) {
  return {x.value * detail::constant(c), x.derivative * detail::constant(c)};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator*(const A& c, const Dual<T>& x) {
  return {detail::constant(c) * x.value, detail::constant(c) * x.derivative};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator/(const Dual<T>& x, const A& c) {
  return {x.value / detail::constant(c), x.derivative / detail::constant(c)};
}
template <class T, ConstantBeside<T> A>
constexpr Dual<T> operator/(const A& c, const Dual<T>& x) {
  const T quotient = detail::constant(c) / x.value;
  return {quotient, -quotient * x.derivative / x.value};
}

// Each line below is (2) with the f' of the table of derivatives.

template <class T>
Dual<T> sin(const Dual<T>& x) {
  using std::cos;
  using std::sin;
  return {sin(x.value), cos(x.value) * x.derivative};
}

template <class T>
Dual<T> cos(const Dual<T>& x) {
  using std::cos;
  using std::sin;
  return {cos(x.value), -sin(x.value) * x.derivative};
}

template <class T>
Dual<T> tan(const Dual<T>& x) {
  using std::tan;
  const T t = tan(x.value);
  return {t, (1.0 + t * t) * x.derivative};
}

template <class T>
Dual<T> asin(const Dual<T>& x) {
  using std::asin;
  using std::sqrt;
  return {asin(x.value), x.derivative / sqrt(1.0 - x.value * x.value)};
}

template <class T>
Dual<T> acos(const Dual<T>& x) {
  using std::acos;
  using std::sqrt;
  return {acos(x.value), -x.derivative / sqrt(1.0 - x.value * x.value)};
}

template <class T>
Dual<T> atan(const Dual<T>& x) {
  using std::atan;
  return {atan(x.value), x.derivative / (1.0 + x.value * x.value)};
}

template <class T>
Dual<T> sqrt(const Dual<T>& x) {
  using std::sqrt;
  const T root = sqrt(x.value);
  return {root, x.derivative / (2.0 * root)};
}

template <class T>
Dual<T> exp(const Dual<T>& x) {
  using std::exp;
  const T e = exp(x.value);
  return {e, e * x.derivative};
}

template <class T>
Dual<T> log(const Dual<T>& x) {
  using std::log;
  return {log(x.value), x.derivative / x.value};
}

/// xⁿ, whole n, any x; x⁰ = 1 with derivative 0 even at x = 0.
template <class T>
Dual<T> pow(const Dual<T>& x, int n) {
  using std::pow;
  if (n == 0) return Dual<T>(1.0);
  return {pow(x.value, n), static_cast<double>(n) * pow(x.value, n - 1) * x.derivative};
}

/// xʸ with a constant y: no log x, hence good at x = 0 when y ≥ 1.
template <class T>
Dual<T> pow(const Dual<T>& x, double y) {
  using std::pow;
  if (y == 0.0) return Dual<T>(1.0);
  return {pow(x.value, y), y * pow(x.value, y - 1.0) * x.derivative};
}

/// Chooses both parts by the order of the values a, b; see select.hpp.
template <class T>
constexpr Dual<T> select_less(const Dual<T>& a, const Dual<T>& b, const Dual<T>& if_less,
                              const Dual<T>& otherwise) {
  return {select_less(a.value, b.value, if_less.value, otherwise.value),
          select_less(a.value, b.value, if_less.derivative, otherwise.derivative)};
}

template <class T>
Dual<T> abs(const Dual<T>& x) {
  return select_less(x, Dual<T>(0.0), -x, x);
}

}  // namespace eslabon::core

namespace Eigen {

/// Lets Eigen hold dual numbers in matrices; precision is that of the double inside.
template <class T>
struct NumTraits<eslabon::core::Dual<T>> : GenericNumTraits<eslabon::core::Dual<T>> {
  using Scalar = eslabon::core::Dual<T>;
  using Real = Scalar;
  using NonInteger = Scalar;
  using Nested = Scalar;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2 * static_cast<int>(NumTraits<T>::ReadCost),
    AddCost = 2 * static_cast<int>(NumTraits<T>::AddCost),
    MulCost = 3 * static_cast<int>(NumTraits<T>::MulCost) + static_cast<int>(NumTraits<T>::AddCost)
  };
  static Scalar epsilon() { return NumTraits<double>::epsilon(); }
  static Scalar dummy_precision() { return NumTraits<double>::dummy_precision(); }
  static Scalar highest() { return NumTraits<double>::highest(); }
  static Scalar lowest() { return NumTraits<double>::lowest(); }
  static Scalar infinity() { return NumTraits<double>::infinity(); }
  static Scalar quiet_NaN() { return NumTraits<double>::quiet_NaN(); }
  static int digits10() { return NumTraits<double>::digits10(); }
};

// Expressions that mix double and dual matrices give dual ones.
template <class T, class BinaryOp>
struct ScalarBinaryOpTraits<eslabon::core::Dual<T>, double, BinaryOp> {
  using ReturnType = eslabon::core::Dual<T>;
};
template <class T, class BinaryOp>
struct ScalarBinaryOpTraits<double, eslabon::core::Dual<T>, BinaryOp> {
  using ReturnType = eslabon::core::Dual<T>;
};

}  // namespace Eigen
