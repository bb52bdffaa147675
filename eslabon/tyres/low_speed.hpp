#pragma once

#include "eslabon/tyres/magic_formula.hpp"
#include "eslabon/tyres/tyre_contact.hpp"

namespace eslabon::tyres {

/// The slip that a steady curve is asked for near standstill, where slips grow without bound:
///   κ' = κ |V_x|/V_low,   α' = α (|V_x| + |V_x tan α|)/V_low,   shifts ½ (1 − cos(π V_x/V_low))          (1)
/// with V_low = VXLOW, for speeds below it; above it slip stays what it is. As published solvers do it [MFeval]. A vehicle that
/// must hold on a slope needs more than this: forces vanish with the speed.
template <core::Scalar T>
TyreSlip<T> reduced_at_low_speed(const MagicFormula& tyre, const TyreSlip<T>& slip);

#define ESLABON_DECLARE(T) \
  extern template TyreSlip<T> reduced_at_low_speed(const MagicFormula&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
