#pragma once

#include "eslabon/tyres/road_half.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

/// tyre_on_road on a half of the road that a run keeps, in a gravity.
namespace eslabon::tyres {

/// What is small beside which speeds and times where a tyre stands still.
struct Standstill {
  double speed;    ///< V_l: where the carcass begins to lose energy, and forces without slip fade [m/s]
  double still;    ///< v_0: below it the modulus of a speed is rounded off [m/s]
  double lag;      ///< τ [s]
  double rolling;  ///< below which rolling resistance fades, of tyres that do not say it [m/s]
};

/// By the speed √(g R_0) and the time √(R_0/g), so that a toy does what its great image does:
///   V_l = 3/2 √(g R_0),   v_0 = √(g R_0)/2000,   τ = √(R_0/g)/36,   0.6 √(g R_0)                                      (7)
/// Without gravity as on the Earth.
Standstill standstill_of(double radius, double gravity);

/// How a tyre feels this road: over a third of its radius on either side where slopes jump and nobody says how far.
RoadFeeler feeler_of(const FittedTyre& tyre, const Road& road);

template <core::Scalar T>
TyreActionOf<T> tyre_in_run(const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                            const FeltSlipOf<T>& felt, RoadHalf half, const Standstill& standstill);

#define ESLABON_DECLARE(T)                                                                             \
  extern template TyreActionOf<T> tyre_in_run(const FittedTyre&, const Road&, const WheelMotionOf<T>&, \
                                              const FeltSlipOf<T>&, RoadHalf, const Standstill&);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
