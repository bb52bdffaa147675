#include "eslabon/tyres/linear_tyre.hpp"

#include "eslabon/tyres/rolling_direction.hpp"

namespace eslabon::tyres {

template <core::Scalar T>
TyreForces<T> linear_forces(const LinearTyre& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip) {
  TyreForces<T> out;
  out.F_x = tyre.slip_coefficient * contact.F_z * slip.kappa;  // (1)
  out.F_y = contact.F_z *
            (tyre.camber_coefficient * contact.gamma - tyre.cornering_coefficient * slip.alpha);  // (1)
  out.M_y = -tyre.rolling_coefficient * tyre.free_radius * contact.F_z *
            rolling_direction(slip.rolling_speed, kLowSpeed);  // (1)
  out.M_z = -tyre.trail * out.F_y;                             // (1)
  return out;
}

#define ESLABON_INSTANTIATE(T) \
  template TyreForces<T> linear_forces(const LinearTyre&, const TyreContact<T>&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
