#pragma once

#include "eslabon/tyres/tyre_contact.hpp"

namespace eslabon::tyres {

/// A tyre of brushes: what adheres is pulled along, what is pulled too far slides. Few numbers, and forces that are right in kind.
struct FialaTyre {
  double slip_stiffness = 0.0;       ///< ∂F_x/∂κ at κ = 0   [N]
  double cornering_stiffness = 0.0;  ///< −∂F_y/∂α at α = 0  [N/rad]
  double friction = 1.0;             ///< of the measurement's road
  double half_contact = 0.0;  ///< half of the length of the contact, three times the trail without slip [m]
  double rolling_coefficient = 0.0;  ///< rolling resistance by the load
  double free_radius = 0.0;          ///< arm of the rolling resistance [m]
  friend bool operator==(const FialaTyre&, const FialaTyre&) = default;
};

/// Its forces, with G what they were without sliding and u how much of the contact slides:
///   G = (C_κ κ, −C_α tan α),   u = |G|/(3 μ F_z)                                                          (1)
///   F = G (1 − u + u²/3)  where u < 1,  μ F_z G/|G|  beyond                                              (2)
///   M_z = a C_α tan α/3 (1 − u)³  where u < 1,  0 beyond                                                 (3)
/// Source: [Fiala1954] for α alone, where (2) is μ F_z (1 − H³), H = 1 − u; [Pacejka2012, ch. 3]. Ours: slip in both directions by the
/// length of G. There is no camber and there are no shifts.
template <core::Scalar T>
TyreForces<T> fiala_forces(const FialaTyre& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip);

#define ESLABON_DECLARE(T) \
  extern template TyreForces<T> fiala_forces(const FialaTyre&, const TyreContact<T>&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
