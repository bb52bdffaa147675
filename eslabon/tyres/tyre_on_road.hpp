#pragma once

#include <variant>

#include "eslabon/tyres/fiala_tyre.hpp"
#include "eslabon/tyres/linear_tyre.hpp"
#include "eslabon/tyres/magic_formula.hpp"
#include "eslabon/tyres/magic_formula_89.hpp"
#include "eslabon/tyres/wheel_contact.hpp"

namespace eslabon::tyres {

/// A tyre whose curves say nothing of its load and its carcass.
struct PlainTyre {
  double radius = 0.0;             ///< free, R_0 [m]
  double stiffness = 0.0;          ///< vertical [N/m]
  double damping = 0.0;            ///< vertical [N s/m]
  double relaxation_along = 0.0;   ///< σ_x at small slips, > 0 [m]
  double relaxation_across = 0.0;  ///< σ_y at small slips, > 0 [m]
  std::variant<LinearTyre, FialaTyre, MagicFormula89> curves;
  friend bool operator==(const PlainTyre&, const PlainTyre&) = default;
};

/// A tyre as it is on a wheel.
struct FittedTyre {
  std::variant<PlainTyre, MagicFormula> model;
  bool is_mirrored = false;          ///< on the other side of the vehicle than it was measured on
  double contact_half_length = 0.0;  ///< RoadFeeler::half_length [m]
  friend bool operator==(const FittedTyre&, const FittedTyre&) = default;
};

/// R_0 [m].
double unloaded_radius(const FittedTyre& tyre);

/// What a tyre remembers: the slips that its forces follow. Both are 0 where nothing slides.
template <core::Scalar T>
struct FeltSlipOf {
  T kappa;
  T tan_alpha;
};

/// What a tyre does at one instant.
template <core::Scalar T>
struct TyreActionOf {
  WheelContactOf<T> contact;
  T deflection;          ///< free radius − loaded radius, < 0 in the air [m]
  T load;                ///< F_z [N]
  T effective_radius;    ///< R_e [m]
  T kappa;               ///< slip that F_x follows
  T alpha;               ///< slip angle that F_y follows [rad]
  T gamma;               ///< inclination angle [rad]
  TyreForces<T> forces;  ///< beside the load
  FeltSlipOf<T> rate;    ///< of what the tyre remembers [1/s]
};

/// A tyre on a road, from a standstill to any speed. Slips are states, so that they stay finite where the speed is zero:
///   κ̇' = c (−V_sx − max(|V_x|, |V_sx|/s) κ')/σ_x − λ κ',   V_sx = V_x − Ω R_e                                  (1)
///   ṫ' = c (V_y − max(|V_x|, |V_y|/s) t')/σ_y − λ t',      t = tan α                                         (2)
/// Where it rolls steadily, κ' = −V_sx/|V_x| and t' = V_y/|V_x|, whichever way it goes; no slip is greater than s = 10. Where it
/// stands, κ' and t' follow the way that the contact point goes and the tyre is a spring: it holds. Relaxation lengths are those of a carcass,
/// σ = K/C at small slips; it is deflected by F/C, so that they shrink as the force falls behind K κ',
///   σ = max(σ_0/ψ, R_0/20), its corner rounded,   ψ² = 1 + (K_xκ κ'/μ_x F_z)² + (K_yα t'/μ_y F_z)²                                  (3)
/// At low speed the carcass loses energy, as a spring with a damper does; forces follow
///   κ = κ' − τ ŝ V_sx/σ_x,   tan α = t' + τ ŝ V_y/σ_y,   ŝ = ½ (1 + cos(π V_x/V_l)), 0 for |V_x| ≥ V_l           (4)
/// with τ and V_l of (7) in tyre_in_run.hpp, and forces without slip are there as far as ŝ is not: 1 − ŝ of them. A load that changes does not
/// change the deflection of the carcass, only what it can hold, and in the air it springs back: with the deflection ρ,
///   λ = (1 − c)/τ + c ρ̇/(ρ + R_0/1000) (1 where ρ̇ > 0, otherwise 1/ψ²),   c = ρ/(R_0/1000), from 0 to 1          (5)
/// The load is that of the deflection, and of the damper as the deflection grows to R_0/100; it never pulls.
/// Gravity is that of the Earth. Source of (1), (2) with c = 1: [Pacejka2012, (7.7), (8.132)]; of the bounds and (3) to (5): here, see docs/theory-tyres.md.
template <core::Scalar T>
TyreActionOf<T> tyre_on_road(const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                             const FeltSlipOf<T>& felt);

#define ESLABON_DECLARE(T)                                                                              \
  extern template TyreActionOf<T> tyre_on_road(const FittedTyre&, const Road&, const WheelMotionOf<T>&, \
                                               const FeltSlipOf<T>&);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
