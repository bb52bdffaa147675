#pragma once

#include <cmath>
#include <limits>

#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/model/elements/force_elements.hpp"

namespace eslabon::dynamics {

/// What gas pulls with, negative where it pushes, d = length − free_length from where it was filled [N]:
///   f = −A (p rⁿ − p_a),   r = V/(V + A d)                                                (1)
/// Without a value where no volume is left.
template <core::Scalar T>
T gas_force(const model::GasCharge& gas, const T& d) {
  using std::pow;
  const T volume = gas.volume + gas.area * d;
  if constexpr (core::NumericScalar<T>)
    if (!(core::value_of(volume) > 0.0)) return T(std::numeric_limits<double>::quiet_NaN());
  return -gas.area * (gas.pressure * T(pow(T(gas.volume / volume), gas.exponent)) - gas.ambient);  // (1)
}

/// ∫ f dd from 0 [J]:
///   p V (rⁿ⁻¹ − 1)/(n − 1) + A p_a d,   for n = 1   p V log r + A p_a d                   (2)
template <core::Scalar T>
T gas_energy(const model::GasCharge& gas, const T& d) {
  using std::log;
  using std::pow;
  const T r = gas.volume / (gas.volume + gas.area * d);
  const double n = gas.exponent, filled = gas.pressure * gas.volume;
  const T of_gas = n == 1.0 ? T(filled * log(r)) : T(filled / (n - 1.0) * (T(pow(r, n - 1.0)) - 1.0));  // (2)
  return of_gas + gas.area * gas.ambient * d;
}

}  // namespace eslabon::dynamics
