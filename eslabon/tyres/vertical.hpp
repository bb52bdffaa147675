#pragma once

#include "eslabon/tyres/magic_formula.hpp"
#include "eslabon/tyres/tyre_contact.hpp"

namespace eslabon::tyres {

/// What the load of a tyre follows from.
template <core::Scalar T>
struct TyreStanding {
  T loaded_radius{};  ///< from the wheel's centre to the contact point [m]
  T gamma{};          ///< camber                                       [rad]
  T pressure{};       ///< [Pa]
  T omega{};          ///< speed of rotation                            [rad/s]
  T F_x{};            ///< [N]
  T F_y{};            ///< [N]
};

/// Radius of the tyre that turns and carries nothing, R_Ω = R_0 (Q_RE0 + Q_V1 (ω R_0/V_0)²)                      (1) [m].
template <core::Scalar T>
T free_radius(const MagicFormula& tyre, const T& omega);

/// Effective rolling radius, speed of the free-rolling wheel by its speed of rotation [m]:
///   R_e = R_Ω − F_z0/C_z (DREFF atan(BREFF F_z/F_z0) + FREFF F_z/F_z0),   C_z = C_z0 (1 + PFZ1 dp)            (7), (5)
/// Source of all numbers here: [BesselinkSchmeitzPacejka2010].
template <core::Scalar T>
T effective_radius(const MagicFormula& tyre, const TyreContact<T>& contact, const T& omega);

/// Load of a tyre by its deflection ρ = R_Ω − R_l, none where it does not touch [N]:
///   F_z = (1 + Q_V2 R_0/V_0 |ω| − (Q_FCX F_x/F_z0)² − (Q_FCY F_y/F_z0)²)
///         (Q_FZ1 ρ/R_0 + Q_FZ2 (ρ/R_0)²) (1 + PFZ1 dp) F_z0,      Q_FZ1 = √((C_z0 R_0/F_z0)² − 4 Q_FZ2)         (4)
/// and with BOTTOM_STIFF where the rim is nearer to the road than BOTTOM_OFFST. In 6.2 camber adds to ρ, and (Q_FCY …) has a factor
/// (ρ/R_0)^Q_FCY2 and F_y less what camber makes of it.
template <core::Scalar T>
T load_at(const MagicFormula& tyre, const TyreStanding<T>& standing);

/// (4) as it depends on F_x and F_y, F_z = whole − softened s,   s = (Q_FCX F_x/F_z0)² + (Q_FCY F_y/F_z0)²                     (4a)
template <core::Scalar T>
struct LoadParts {
  T whole{};     ///< the load where F_x and F_y do not soften it [N]
  T softened{};  ///< its part that they soften                   [N]
};
template <core::Scalar T>
LoadParts<T> load_parts(const MagicFormula& tyre, const TyreStanding<T>& standing);
/// s of (4a).
template <core::Scalar T>
T softening(const MagicFormula& tyre, const TyreStanding<T>& standing);

#define ESLABON_DECLARE(T)                                                                  \
  extern template T free_radius(const MagicFormula&, const T&);                             \
  extern template T effective_radius(const MagicFormula&, const TyreContact<T>&, const T&); \
  extern template T load_at(const MagicFormula&, const TyreStanding<T>&);                   \
  extern template LoadParts<T> load_parts(const MagicFormula&, const TyreStanding<T>&);     \
  extern template T softening(const MagicFormula&, const TyreStanding<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

/// Speed of rotation of a wheel that rolls so fast, ω R_e(ω) = rolling_speed, and the loaded radius at which a tyre carries a load: by
/// Newton. What is given beside them stays (the radius in `standing` is not read). For starts and reports, not for the steps of a run.
double rotation_at(const MagicFormula& tyre, const TyreContact<double>& contact, double rolling_speed);
double loaded_radius_at(const MagicFormula& tyre, double F_z, const TyreStanding<double>& standing);

}  // namespace eslabon::tyres
