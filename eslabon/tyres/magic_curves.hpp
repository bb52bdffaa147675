#pragma once

#include "eslabon/tyres/magic_formula.hpp"
#include "eslabon/tyres/tyre_contact.hpp"

namespace eslabon::tyres {

/// A curve of force against slip,
///   y(X) = D sin(C atan(B x − E (B x − atan(B x)))) + S_V,   x = X + S_H         (4.E9), (4.E19)
/// with its own E for either sign of x. Its slope at x = 0 is B C D.
template <core::Scalar T>
struct SineCurve {
  double C = 0.0;
  T B{};
  T D{};
  T E_at_negative{};
  T E_at_positive{};
  T S_H{};
  T S_V{};
};

/// What follows from load, camber, pressure and friction alone, whatever the slip: computed once for a contact, by magic_curves.
template <core::Scalar T>
struct MagicCurves {
  T mu_x{};      ///< F_x at the peak by the load
  T mu_y{};      ///< F_y at the peak by the load
  T K_xkappa{};  ///< ∂F_x/∂κ at x = 0 [N]
  T K_yalpha{};  ///< ∂F_y/∂α at x = 0 [N/rad]

  SineCurve<T> F_x0;          ///< F_x without slip angle
  SineCurve<T> F_y0;          ///< F_y without slip
  SineCurve<T> F_y0_upright;  ///< the same at γ = 0

  T B_xalpha{};   ///< at κ = 0
  T E_xalpha{};   ///< curvature of G_xα
  T B_ykappa{};   ///< at α = RBY3
  T E_ykappa{};   ///< curvature of G_yκ
  T S_Hykappa{};  ///< shift of κ in G_yκ
  T D_Vykappa{};  ///< of F_y by κ, at α = 0 [N]

  T trail{};              ///< D_t [m]
  T B_t{};                ///< stiffness factor of the trail
  T E_t{};                ///< curvature of the trail at α_t = 0
  T E_t_by_slip{};        ///< and its change with atan(B_t C_t α_t)
  T S_Ht{};               ///< shift of α for the trail          [rad]
  T residual{};           ///< D_r at α = 0                      [N m]
  T B_r{};                ///< stiffness factor of the residual torque
  T S_Hf{};               ///< shift of α for the residual torque [rad]
  T stiffness_ratio_2{};  ///< (K_xκ/K_yα)²
  T arm{};                ///< s without its part by F_y         [m]

  T M_x{};         ///< without F_y [N m]
  T M_x_by_F_y{};  ///< [m]
  T M_x_sine{};    ///< QSX4 (…) of the part that is a sine of camber and F_y [N m]
  T M_x_phase{};   ///< QSX7 γ

  T M_y{};         ///< for a rolling coefficient of 1 [N m]
  T QSY_camber{};  ///< rolling coefficient by camber
};

/// The curves of a tyre on a contact. Cost: 3 arctangents, 3 sines and cosines, 1 exponential, 2 powers.
/// Source: [Pacejka2012, app. 3]; numbers as [MFeval] cites them. Deviations: docs/theory-tyres.md, 3.
template <core::Scalar T>
MagicCurves<T> magic_curves(const MagicFormula& tyre, const TyreContact<T>& contact);

#define ESLABON_DECLARE(T) \
  extern template MagicCurves<T> magic_curves(const MagicFormula&, const TyreContact<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
