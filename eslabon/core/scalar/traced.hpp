#pragma once

#include <type_traits>

#include <Eigen/Core>

#include "eslabon/core/scalar/select.hpp"

namespace eslabon::core {

/// A number that is written down instead of computed: arithmetic with it, while a Trace listens, becomes a list of operations that can
/// be carried out later for many states at once (lane_program.hpp). A kernel that is compiled for this scalar is thereby a program for
/// every mechanism it is called with, without loops, choices, and products with what is always 0 or 1.
/// It is a constant, or an operation of the trace that listens on this thread.
class Traced {
 public:
  Traced() = default;
  template <class A>
  requires std::is_arithmetic_v<A> Traced(A constant) : constant_(static_cast<double>(constant)) {}

  bool is_constant() const { return node_ < 0; }
  double constant() const { return constant_; }  ///< of constants
  int node() const { return node_; }             ///< of others: place in the trace

  /// The same number whatever the inputs are; numbers that are equal by chance are not.
  friend bool operator==(const Traced& x, const Traced& y) {
    return x.node_ == y.node_ && (x.node_ >= 0 || x.constant_ == y.constant_);
  }

  Traced& operator+=(const Traced& y) { return *this = *this + y; }
  Traced& operator-=(const Traced& y) { return *this = *this - y; }
  Traced& operator*=(const Traced& y) { return *this = *this * y; }
  Traced& operator/=(const Traced& y) { return *this = *this / y; }

  friend Traced operator+(const Traced& x) { return x; }
  friend Traced operator-(const Traced& x);
  friend Traced operator+(const Traced& x, const Traced& y);
  friend Traced operator-(const Traced& x, const Traced& y);
  friend Traced operator*(const Traced& x, const Traced& y);
  friend Traced operator/(const Traced& x, const Traced& y);

  friend Traced sqrt(const Traced& x);
  friend Traced sin(const Traced& x);
  friend Traced cos(const Traced& x);
  friend Traced abs(const Traced& x);
  friend Traced exp(const Traced& x);
  friend Traced log(const Traced& x);
  friend Traced tan(const Traced& x);
  friend Traced asin(const Traced& x);
  friend Traced acos(const Traced& x);
  friend Traced atan(const Traced& x);
  friend Traced round(const Traced& x);  ///< to the nearest whole number, halves to even
  friend Traced atan2(const Traced& y, const Traced& x);
  friend Traced pow(const Traced& x, double y);
  friend Traced pow(const Traced& x, const Traced& y);
  friend Traced hypot(const Traced& x, const Traced& y) { return sqrt(x * x + y * y); }

 private:
  friend class Trace;
  int node_ = -1;
  double constant_ = 0.0;
};

/// See select.hpp.
Traced select_less(const Traced& a, const Traced& b, const Traced& if_less, const Traced& otherwise);

}  // namespace eslabon::core

namespace Eigen {

/// Lets Eigen hold traced numbers in matrices.
template <>
struct NumTraits<eslabon::core::Traced> : GenericNumTraits<eslabon::core::Traced> {
  using Scalar = eslabon::core::Traced;
  using Real = Scalar;
  using NonInteger = Scalar;
  using Nested = Scalar;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};

template <class BinaryOp>
struct ScalarBinaryOpTraits<eslabon::core::Traced, double, BinaryOp> {
  using ReturnType = eslabon::core::Traced;
};
template <class BinaryOp>
struct ScalarBinaryOpTraits<double, eslabon::core::Traced, BinaryOp> {
  using ReturnType = eslabon::core::Traced;
};

}  // namespace Eigen
