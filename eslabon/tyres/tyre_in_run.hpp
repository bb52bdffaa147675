#pragma once

#include "eslabon/tyres/road_half.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

/// tyre_on_road on a half of the road that a run keeps.
namespace eslabon::tyres {

/// What is small beside which speeds and times where a tyre stands still.
struct Standstill {
  double speed = 2.5;    ///< V_l: where the carcass begins to lose energy, and forces without slip fade [m/s]
  double still = 1e-3;   ///< v_0: below it the modulus of a speed is rounded off [m/s]
  double lag = 5e-3;     ///< τ [s]
  double rolling = 1.0;  ///< below which rolling resistance fades, of tyres that do not say it [m/s]
};

/// How a tyre feels this road: over a third of its radius on either side where slopes jump and nobody says how far.
RoadFeeler feeler_of(const FittedTyre& tyre, const Road& road);

template <core::Scalar T>
TyreActionOf<T> tyre_in_run(const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                            const FeltSlipOf<T>& felt, RoadHalf half);

#define ESLABON_DECLARE(T)                                                                             \
  extern template TyreActionOf<T> tyre_in_run(const FittedTyre&, const Road&, const WheelMotionOf<T>&, \
                                              const FeltSlipOf<T>&, RoadHalf);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
