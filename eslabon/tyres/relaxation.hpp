#pragma once

#include "eslabon/tyres/magic_curves.hpp"

namespace eslabon::tyres {

/// Over which lengths of road a slip becomes a force, and the springs that make it so.
template <core::Scalar T>
struct Relaxation {
  T C_x{};      ///< of the carcass, 0 where a file has none [N/m]
  T C_y{};      ///< the same                                [N/m]
  T sigma_x{};  ///< [m]
  T sigma_y{};  ///< [m]
};

/// Relaxation of a tyre on a contact, `curves` those of it:
///   C_x = c_x0 (1 + PCFX1 df_z + PCFX2 df_z²)(1 + PCFX3 dp),  C_y alike                                        (17), (18)
///   σ_x = |K_xκ|/C_x,   σ_y = |K_yα|/C_y                                                                       (19)
///   5.2:  σ_x = (PTX1 + PTX2 df_z) exp(−PTX3 df_z) LSGKP R_0 F_z/F_z0
///         σ_y = PTY1 sin(2 atan(F_z/(PTY2 F_z0'))) (1 − PKY3 |γ|) R_0 LFZO LSGAL
/// Source: [BesselinkSchmeitzPacejka2010], 5.2 [MFTyre52]. Where a file has no stiffness of the carcass, (19) has no relaxation: 0.
template <core::Scalar T>
Relaxation<T> relaxation_at(const MagicFormula& tyre, const TyreContact<T>& contact,
                            const MagicCurves<T>& curves);

#define ESLABON_DECLARE(T)                                                                \
  extern template Relaxation<T> relaxation_at(const MagicFormula&, const TyreContact<T>&, \
                                              const MagicCurves<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
