#pragma once

#include "eslabon/tyres/wheel_contact.hpp"

/// Roads of which each half has its own friction, or its own bumps: what a tyre feels of them.
namespace eslabon::tyres {

/// Which half a tyre is on: that of its place, or one that runs keep within a step, so that nothing jumps in it.
enum class RoadHalf { kOfItsPlace, kLeft, kRight };

/// Whether its halves differ at once where y passes 0.
bool has_halves(const Road& road);
/// Whether slopes jump somewhere, other than at planks: at trapezoids.
bool has_corners(const Road& road);
/// How far before its begin and behind its end a disc feels a plank [m].
double reach_of(const RoadBump& plank, double disc_radius);

/// The functions of road.hpp and wheel_contact.hpp on this half.
template <core::Scalar T>
RoadPointOf<T> road_at(const Road& road, RoadHalf half, const T& x_W, const T& y_W);
template <core::Scalar T>
T plank_lift(const Road& road, RoadHalf half, double disc_radius, const T& x_W, const T& y_W);
template <core::Scalar T>
WheelContactOf<T> wheel_contact(const Road& road, RoadHalf half, const RoadFeeler& feeler,
                                const WheelMotionOf<T>& wheel);

#define ESLABON_DECLARE(T)                                                                  \
  extern template RoadPointOf<T> road_at(const Road&, RoadHalf, const T&, const T&);        \
  extern template T plank_lift(const Road&, RoadHalf, double, const T&, const T&);          \
  extern template WheelContactOf<T> wheel_contact(const Road&, RoadHalf, const RoadFeeler&, \
                                                  const WheelMotionOf<T>&);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
