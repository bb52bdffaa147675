#pragma once

#include "eslabon/tyres/tyre_contact.hpp"

namespace eslabon::tyres {

/// The tyre of hand calculations: forces grow with slip and load without end.
struct LinearTyre {
  double slip_coefficient = 0.0;       ///< ∂F_x/∂κ by the load
  double cornering_coefficient = 0.0;  ///< −∂F_y/∂α by the load [1/rad]
  double camber_coefficient = 0.0;     ///< ∂F_y/∂γ by the load  [1/rad]
  double trail = 0.0;                  ///< [m]
  double rolling_coefficient = 0.0;    ///< rolling resistance by the load
  double free_radius = 0.0;            ///< arm of the rolling resistance [m]
  friend bool operator==(const LinearTyre&, const LinearTyre&) = default;
};

/// Its forces:
///   F_x = c_κ F_z κ,   F_y = F_z (c_γ γ − c_α α),   M_y = −f R F_z by the direction of rolling,   M_z = −t F_y       (1)
/// By the load, so that a wheel that lifts off lets go without a jump. Friction of the road and shifts do not matter to it.
template <core::Scalar T>
TyreForces<T> linear_forces(const LinearTyre& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip);

#define ESLABON_DECLARE(T) \
  extern template TyreForces<T> linear_forces(const LinearTyre&, const TyreContact<T>&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
