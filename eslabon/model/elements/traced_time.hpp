#pragma once

#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::model {

/// A function of time in what is traced: an expression where time is traced itself, otherwise one number that all states share, evaluated
/// before each run. It is the function of a mechanism that lives as long as the program.
inline core::Traced traced_value(const TimeFunction& function) {
  if (function.is_constant()) return function.constant_value();
  if (const auto& t = core::Trace::listening().time()) return function.evaluate(*t);
  return core::Trace::listening().uniform_of_time(&function, 0,
                                                  [&function](double t) { return function.evaluate(t); });
}
/// The same of its rate.
inline core::Traced traced_rate(const TimeFunction& function) {
  if (function.is_constant()) return 0.0;
  if (const auto& t = core::Trace::listening().time())
    return function.evaluate(core::Dual<core::Traced>(*t, 1.0)).derivative;
  return core::Trace::listening().uniform_of_time(&function, 1, [&function](double t) {
    return function.evaluate(core::Dual<double>(t, 1.0)).derivative;
  });
}
/// The value of a function at t, or what is traced instead.
template <core::Scalar T>
T value_at(const TimeFunction& function, double t) {
  if constexpr (core::NumericScalar<T>) {
    return T(function.evaluate(t));
  } else {
    return traced_value(function);
  }
}

}  // namespace eslabon::model
