#include "eslabon/tyres/road_relief.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/text/error.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kSeam = 0.5;  // m, between the halves of the road: wheels stand beside it

/// (2) and its slope.
template <class T>
std::array<T, 2> step_up(const T& u) {
  const double at = core::value_of(u);
  if (!(at > 0.0)) return {T(0.0), T(0.0)};
  if (at >= 1.0) return {T(1.0), T(0.0)};
  return {T(u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)), T(30.0 * u * u * (1.0 - u) * (1.0 - u))};
}

/// Height and slope along one track.
template <class T>
std::array<T, 2> track_at(const core::CubicTable& table, const T& s) {
  const double at = core::value_of(s);
  if (table.ends() != core::CubicTable::Ends::kPeriod && (at < table.first() || at > table.last())) {
    const auto& points = table.points();
    return {T(at < table.first() ? points.front().second : points.back().second), T(0.0)};
  }
  return {table.evaluate(s, 0), table.evaluate(s, 1)};
}

// (1)
template <class T>
ReliefPointOf<T> heights_at(const TrackHeights& tracks, const T& x, const T& y) {
  const T s = x - tracks.begin;
  const std::array<T, 2> left = track_at(tracks.left, s);
  ReliefPointOf<T> at{left[0], left[1], T(0.0)};
  if (tracks.right) {
    const std::array<T, 2> right = track_at(*tracks.right, s), w = step_up(T(0.5 - y / kSeam));
    const T other = right[0] - left[0];
    at.height += other * w[0];
    at.slope_x += (right[1] - left[1]) * w[0];
    at.slope_y = -other * w[1] / kSeam;
  }
  if (tracks.fade > 0.0) {
    const std::array<T, 2> w = step_up(T(s / tracks.fade));
    at.slope_x = w[0] * at.slope_x + w[1] / tracks.fade * at.height;
    at.slope_y = w[0] * at.slope_y;
    at.height = w[0] * at.height;
  }
  return at;
}

}  // namespace

template <core::Scalar T>
ReliefPointOf<T> relief_at(const RoadRelief& relief, const T& x, const T& y) {
  if constexpr (core::NumericScalar<T>) {
    if (const auto* tracks = std::get_if<TrackHeights>(&relief.heights)) return heights_at(*tracks, x, y);
    return std::get<CrgSurface>(relief.heights).at(x, y);
  } else {
    throw core::ContractError({.what = "a road by its heights is traced",
                               .where = "relief_at",
                               .expected = "a road by formulas",
                               .actual = "a table",
                               .next = "Refuse it first."});
  }
}

#define ESLABON_INSTANTIATE(T) template ReliefPointOf<T> relief_at(const RoadRelief&, const T&, const T&);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
