#include "eslabon/tyres/road.hpp"

#include <cmath>
#include <numbers>

namespace eslabon::tyres {

namespace {

/// How high a bump is at s behind its begin, of its whole height, and the slope of that by s.
template <core::Scalar T>
struct Rise {
  T value;
  T slope;
};

/// ½ (1 − cos 2π s/L)
template <core::Scalar T>
Rise<T> sine_rise(const RoadBump& bump, const T& s) {
  using std::cos, std::sin;
  const double k = 2.0 * std::numbers::pi / bump.length;
  return {T(0.5 * (1.0 - cos(T(k * s)))), T(0.5 * k * sin(T(k * s)))};
}

template <core::Scalar T>
Rise<T> trapezoid_rise(const RoadBump& bump, const T& s) {
  const double slope = 1.0 / bump.ramp;
  const T left = bump.length - s;
  const T down = core::select_less(left, T(bump.ramp), T(slope * left), T(1.0));
  const T falling = core::select_less(left, T(bump.ramp), T(-slope), T(0.0));
  return {core::select_less(s, T(bump.ramp), T(slope * s), down),
          core::select_less(s, T(bump.ramp), T(slope), falling)};
}

/// One where y is on the bump's side.
template <core::Scalar T>
T lies_across(const RoadBump& bump, const T& y) {
  return core::select_less(y, T(0.0), T(bump.on_right ? 1.0 : 0.0), T(bump.on_left ? 1.0 : 0.0));
}

}  // namespace

template <core::Scalar T>
RoadPointOf<T> road_at(const Road& road, const T& x_W, const T& y_W) {
  const T x = x_W - road.origin_W.x(), y = y_W - road.origin_W.y();
  RoadPointOf<T> at{T(road.origin_W.z() + road.height + road.slope_x * x + road.slope_y * y), T(road.slope_x),
                    T(road.slope_y), T(road.friction)};
  if (road.friction_right)
    at.friction = core::select_less(y, T(0.0), T(*road.friction_right), T(road.friction));
  for (const RoadBump& bump : road.bumps) {
    const T s = x - bump.begin;
    if constexpr (core::NumericScalar<T>)
      if (!(core::value_of(s) > 0.0 && core::value_of(s) < bump.length)) continue;
    const Rise<T> rise = bump.shape == BumpShape::kSine ? sine_rise(bump, s) : trapezoid_rise(bump, s);
    const T across = bump.height * lies_across(bump, y);
    const auto on_bump = [&](const T& there) {
      return core::select_less(s, T(0.0), T(0.0), core::select_less(s, T(bump.length), there, T(0.0)));
    };
    at.height += on_bump(T(across * rise.value));
    at.slope_x += on_bump(T(across * rise.slope));
  }
  return at;
}

#define ESLABON_INSTANTIATE(T) template RoadPointOf<T> road_at(const Road&, const T&, const T&);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
