#include "eslabon/tyres/low_speed.hpp"

#include <cmath>
#include <numbers>

namespace eslabon::tyres {

template <core::Scalar T>
TyreSlip<T> reduced_at_low_speed(const MagicFormula& tyre, const TyreSlip<T>& slip) {
  using std::abs;
  using std::cos;
  using std::tan;
  const auto at_most_one = [](const T& x) { return core::select_less(x, T(1.0), x, T(1.0)); };
  const T speed = abs(slip.V_x);
  const T part = at_most_one(T(speed / tyre.VXLOW));
  const T both = speed + abs(T(slip.V_x * tan(slip.alpha)));
  TyreSlip<T> out = slip;
  out.kappa = slip.kappa * part;                                          // (1)
  out.alpha = slip.alpha * at_most_one(T(both / tyre.VXLOW));             // (1)
  out.shifts = slip.shifts * 0.5 * (1.0 - cos(std::numbers::pi * part));  // (1)
  return out;
}

#define ESLABON_INSTANTIATE(T) \
  template TyreSlip<T> reduced_at_low_speed(const MagicFormula&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
