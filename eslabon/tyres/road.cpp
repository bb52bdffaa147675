#include "eslabon/tyres/road.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/tyres/road_half.hpp"
#include "eslabon/tyres/road_relief.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kSharp = 0.5;   // 1/m, root mean square: curvature that wheels of cars cannot follow
constexpr double kSteep = 0.02;  // slope at the end of a table, where the road is level

bool ends_steep(const core::CubicTable& table) {
  return table.ends() != core::CubicTable::Ends::kPeriod &&
         std::max(std::abs(table.evaluate(table.first(), 1)), std::abs(table.evaluate(table.last(), 1))) >
             kSteep;
}

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

template <core::Scalar T>
T lift_of(const RoadBump& plank, double disc_radius, const T& s) {
  using std::sqrt;
  const double reach = reach_of(plank, disc_radius);
  const T behind = s - plank.length;
  const T d = core::select_less(s, T(0.0), T(-s), core::select_less(T(0.0), behind, behind, T(0.0)));
  const T drop = disc_radius -
                 sqrt(T(disc_radius * disc_radius - d * d * core::select_less(d, T(reach), T(1.0), T(0.0))));
  return core::select_less(d, T(reach), T(plank.height - drop),
                           core::select_less(T(0.0), d, T(0.0), T(plank.height)));
}

/// What there is at y of something that each half has its own of.
template <core::Scalar T>
T of_half(RoadHalf half, const T& y, double left, double right) {
  if (half == RoadHalf::kOfItsPlace) return core::select_less(y, T(0.0), T(right), T(left));
  return T(half == RoadHalf::kLeft ? left : right);
}
/// One where y is on the bump's side.
template <core::Scalar T>
T lies_across(const RoadBump& bump, RoadHalf half, const T& y) {
  return of_half(half, y, bump.on_left ? 1.0 : 0.0, bump.on_right ? 1.0 : 0.0);
}

}  // namespace

bool operator==(const Road& a, const Road& b) {
  const bool has_same_relief = a.relief == b.relief || (a.relief && b.relief && *a.relief == *b.relief);
  return has_same_relief && a.origin_W == b.origin_W && a.height == b.height && a.slope_x == b.slope_x &&
         a.slope_y == b.slope_y && a.bumps == b.bumps && a.friction == b.friction &&
         a.friction_right == b.friction_right;
}

template <core::Scalar T>
RoadPointOf<T> road_at(const Road& road, RoadHalf half, const T& x_W, const T& y_W) {
  const T x = x_W - road.origin_W.x(), y = y_W - road.origin_W.y();
  RoadPointOf<T> at{T(road.origin_W.z() + road.height + road.slope_x * x + road.slope_y * y), T(road.slope_x),
                    T(road.slope_y), T(road.friction)};
  if (road.friction_right) at.friction = of_half(half, y, road.friction, *road.friction_right);
  if (road.relief) {
    const ReliefPointOf<T> relief = relief_at(*road.relief, x, y);
    at.height += relief.height;
    at.slope_x += relief.slope_x;
    at.slope_y += relief.slope_y;
  }
  for (const RoadBump& bump : road.bumps) {
    if (bump.shape == BumpShape::kPlank) continue;
    const T s = x - bump.begin;
    if constexpr (core::NumericScalar<T>)
      if (!(core::value_of(s) > 0.0 && core::value_of(s) < bump.length)) continue;
    const Rise<T> rise = bump.shape == BumpShape::kSine ? sine_rise(bump, s) : trapezoid_rise(bump, s);
    const T across = bump.height * lies_across(bump, half, y);
    const auto on_bump = [&](const T& there) {
      return core::select_less(s, T(0.0), T(0.0), core::select_less(s, T(bump.length), there, T(0.0)));
    };
    at.height += on_bump(T(across * rise.value));
    at.slope_x += on_bump(T(across * rise.slope));
  }
  return at;
}

template <core::Scalar T>
T plank_lift(const Road& road, RoadHalf half, double disc_radius, const T& x_W, const T& y_W) {
  const T x = x_W - road.origin_W.x(), y = y_W - road.origin_W.y();
  T lift(0.0);
  for (const RoadBump& bump : road.bumps)
    if (bump.shape == BumpShape::kPlank)
      lift += lies_across(bump, half, y) * lift_of(bump, disc_radius, T(x - bump.begin));
  return lift;
}

template <core::Scalar T>
RoadPointOf<T> road_at(const Road& road, const T& x_W, const T& y_W) {
  return road_at(road, RoadHalf::kOfItsPlace, x_W, y_W);
}

template <core::Scalar T>
T plank_lift(const Road& road, double disc_radius, const T& x_W, const T& y_W) {
  return plank_lift(road, RoadHalf::kOfItsPlace, disc_radius, x_W, y_W);
}

double reach_of(const RoadBump& plank, double disc_radius) {
  const double h = std::min(plank.height, disc_radius);
  return h > 0.0 ? std::sqrt(h * (2.0 * disc_radius - h)) : 0.0;
}

bool has_corners(const Road& road) {
  if (road.relief) {
    const RoadRelief& relief = *road.relief;
    if (const auto* tracks = std::get_if<TrackHeights>(&relief.heights))
      if (ends_steep(tracks->left) || (tracks->right && ends_steep(*tracks->right))) return true;
    if (std::holds_alternative<CrgSurface>(relief.heights)) return true;
    if (relief.drawn_from && curvature_of(*relief.drawn_from) > kSharp) return true;
  }
  return std::ranges::any_of(road.bumps,
                             [](const RoadBump& bump) { return bump.shape == BumpShape::kTrapezoid; });
}

bool has_halves(const Road& road) {
  return road.friction_right.value_or(road.friction) != road.friction ||
         std::ranges::any_of(road.bumps, [](const RoadBump& bump) { return bump.on_left != bump.on_right; });
}

bool has_planks(const Road& road) {
  return std::ranges::any_of(road.bumps,
                             [](const RoadBump& bump) { return bump.shape == BumpShape::kPlank; });
}

#define ESLABON_INSTANTIATE(T)                                                \
  template RoadPointOf<T> road_at(const Road&, RoadHalf, const T&, const T&); \
  template T plank_lift(const Road&, RoadHalf, double, const T&, const T&);   \
  template RoadPointOf<T> road_at(const Road&, const T&, const T&);           \
  template T plank_lift(const Road&, double, const T&, const T&);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
