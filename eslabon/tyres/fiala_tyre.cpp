#include "eslabon/tyres/fiala_tyre.hpp"

#include <cmath>

#include "eslabon/tyres/rolling_direction.hpp"

namespace eslabon::tyres {

namespace {

/// A force that nobody measures: keeps u finite where there is no load, and its slope where there is no slip [N].
constexpr double kNoForce = 1e-9;

}  // namespace

template <core::Scalar T>
TyreForces<T> fiala_forces(const FialaTyre& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip) {
  using std::sqrt;
  using std::tan;
  const T G_x = tyre.slip_stiffness * slip.kappa;
  const T G_y = -tyre.cornering_stiffness * tan(slip.alpha);
  const T size = sqrt(T(G_x * G_x + G_y * G_y + kNoForce * kNoForce));
  const T limit = tyre.friction * contact.friction * contact.F_z + kNoForce;
  const T u = size / (3.0 * limit);  // (1)
  const T sticking = 1.0 - u;
  const T part = core::select_less(u, T(1.0), T(sticking + u * u / 3.0), T(limit / size));  // (2)
  TyreForces<T> out;
  out.F_x = part * G_x;
  out.F_y = part * G_y;
  out.M_y = -tyre.rolling_coefficient * tyre.free_radius * contact.F_z *
            rolling_direction(slip.rolling_speed, kLowSpeed);
  out.M_z = core::select_less(u, T(1.0), T(-tyre.half_contact / 3.0 * G_y * sticking * sticking * sticking),
                              T(0.0));  // (3)
  return out;
}

#define ESLABON_INSTANTIATE(T) \
  template TyreForces<T> fiala_forces(const FialaTyre&, const TyreContact<T>&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
