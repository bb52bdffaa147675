#pragma once

#include <array>

#include "eslabon/tyres/magic_curves.hpp"

namespace eslabon::tyres {

/// Forces and moments of a Magic Formula tyre at a steady slip, as its file describes it; `curves` are those of its contact.
///   F_x = G_xα F_x0(κ)                                                          (4.E50)
///   F_y = G_yκ F_y0(α) + S_Vyκ                                                  (4.E58)
///   M_x = R_0 F_z (…)                                                           (49)
///   M_y = −R_0 F_z (…)                                                          (A48)
///   M_z = −t F_y' + M_zr + s F_x                                                (4.E71)
/// Neither slip nor B κ and B α are limited: beyond the peak forces keep falling. Where |V_x| is small slip is reduced first
/// (low_speed.hpp). A wheel that does not turn has no rolling resistance, one that rolls backwards has the opposite one.
/// Cost: 21 arctangents, 14 sines and cosines, 6 square roots (docs/theory-tyres.md, 6). Does not fail for finite arguments.
template <core::Scalar T>
TyreForces<T> magic_formula_forces(const MagicFormula& tyre, const MagicCurves<T>& curves,
                                   const TyreSlip<T>& slip);
/// F_x and F_y alone.
template <core::Scalar T>
std::array<T, 2> magic_formula_plane_forces(const MagicFormula& tyre, const MagicCurves<T>& curves,
                                            const TyreSlip<T>& slip);

#define ESLABON_DECLARE(T)                                                                                \
  extern template TyreForces<T> magic_formula_forces(const MagicFormula&, const MagicCurves<T>&,          \
                                                     const TyreSlip<T>&);                                 \
  extern template std::array<T, 2> magic_formula_plane_forces(const MagicFormula&, const MagicCurves<T>&, \
                                                              const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
