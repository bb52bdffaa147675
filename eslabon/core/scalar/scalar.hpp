#pragma once

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/core/scalar/select.hpp"
#include "eslabon/core/scalar/traced.hpp"

/// Calls X(type) once for every scalar that kernels are compiled for, e.g.
///   #define ESLABON_INSTANTIATE(T) template class Rotation<T>;
///   ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
/// in a .cpp, and the same with `extern template` in its header.
#define ESLABON_FOR_EACH_SCALAR(X) \
  ESLABON_FOR_EACH_NUMBER(X)       \
  X(::eslabon::core::Traced)

/// The same for those that are one number now.
#define ESLABON_FOR_EACH_NUMBER(X) \
  X(double)                        \
  X(::eslabon::core::Dual<double>) \
  X(::eslabon::core::Dual<::eslabon::core::Dual<double>>)

/// The same for all scalars and for those that constraints need besides: second derivatives by time that are traced.
#define ESLABON_FOR_EACH_SCALAR_AND_JET(X) \
  ESLABON_FOR_EACH_SCALAR(X)               \
  X(::eslabon::core::Dual<::eslabon::core::Dual<::eslabon::core::Traced>>)

namespace eslabon::core {

/// The closed list of scalars a kernel may be compiled for.
///
/// How a new scalar joins (codegen::Expression in codegen):
///   1. it has + − * /, sin, cos, … and sqrt, found by argument-dependent lookup, and is made from
///      a double;
///   2. it overloads select_less(a, b, if_less, otherwise) beside the type;
///   3. it specialises is_scalar, and Eigen::NumTraits if kernels put it into matrices;
///   4. a scalar of this layer is added to ESLABON_FOR_EACH_SCALAR; one of a higher layer, whose
///      name core may not know, instantiates the kernels it needs in its own .cpp files.
/// Neither a traced number nor an expression can answer `if (a < b)` with one bool, so comparing is the one
/// thing a kernel may not do: it writes select_less. Checks that throw are compiled only for scalars
/// with a value (NumericScalar).
template <class T>
inline constexpr bool is_scalar = false;
template <>
inline constexpr bool is_scalar<double> = true;
template <>
inline constexpr bool is_scalar<Traced> = true;
template <class T>
inline constexpr bool is_scalar<Dual<T>> = is_scalar<T>;

template <class T>
concept Scalar = is_scalar<T>;

/// The double inside a scalar: what remains when every derivative is dropped.
inline constexpr double value_of(double x) { return x; }
template <class T>
requires requires(const T& x) { value_of(x); }
constexpr double value_of(const Dual<T>& x) { return value_of(x.value); }

/// A scalar that is one number now, so that a precondition on it can be checked.
template <class T>
concept NumericScalar = Scalar<T> && requires(const T& x) {
  { value_of(x) } -> std::same_as<double>;
};

}  // namespace eslabon::core
