#include "eslabon/tyres/tyre_bends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "eslabon/tyres/road_relief.hpp"
#include "eslabon/tyres/tyre_view.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kRest = 1e-9;       // by R_0: what is nearer to zero is at it
constexpr double kLeastPart = 1e-6;  // of R_0: deflection from which a slope is taken
constexpr double kNone = 1.0;        // of what there is not: never zero
constexpr std::size_t kBendOfPull = 3;
constexpr std::size_t kBendsOfTyre = 6;  // beside those of places on the road
constexpr std::size_t kPoints = 3;       // that feel the road, most

/// (4) where a bump begins, ends, or bends between, along the road.
std::array<double, 4> edges(const RoadBump& bump, double disc_radius) {
  const double end = bump.begin + bump.length;
  switch (bump.shape) {
    case BumpShape::kSine:
      return {bump.begin, bump.begin, end, end};
    case BumpShape::kTrapezoid:
      return {bump.begin, bump.begin + bump.ramp, end - bump.ramp, end};
    case BumpShape::kPlank:
      break;
  }
  const double reach = reach_of(bump, disc_radius);
  return {bump.begin - reach, bump.begin, end, end + reach};
}

/// Where a table of heights begins and ends, and its slope with it.
std::optional<std::array<double, 2>> ends_of_table(const Road& road) {
  const auto* tracks = road.relief ? std::get_if<TrackHeights>(&road.relief->heights) : nullptr;
  if (tracks == nullptr || tracks->left.ends() == core::CubicTable::Ends::kPeriod) return std::nullopt;
  return std::array{tracks->begin + tracks->left.first(), tracks->begin + tracks->left.last()};
}

template <class View>
void add_bends_of_load(const View& view, const FittedTyre& tyre, const WheelContactOf<double>& at,
                       bool is_pulled, std::span<double> out) {
  const double R_0 = unloaded_radius(tyre), free = view.radius(at.spin), rho = free - at.radius;
  out[0] = rho;
  out[1] = rho - kTouch * R_0;
  out[2] = rho - kDampedDeflection * R_0;
  const double gamma = tyre.is_mirrored ? -std::asin(at.sin_camber) : std::asin(at.sin_camber);
  const double known = std::max(rho, kLeastPart * R_0),
               part = std::min(known / (kDampedDeflection * R_0), 1.0);
  const auto load = [&](double deflection) {
    return view.load({free - deflection, gamma, view.pressure(), at.spin, 0.0, 0.0}).whole;
  };
  const double unit =
      load(kDampedDeflection * R_0) / (kDampedDeflection * R_0);  // what a metre is in newtons
  if (!(view.damping() > 0.0))
    out[kBendOfPull] = kNone;
  else if (rho > 0.0)
    out[kBendOfPull] = (load(known) / part - view.damping() * at.radius_rate) / unit;
  else  // in the air nothing pulls, and nothing changes
    out[kBendOfPull] = is_pulled ? -kNone : kNone;
  out[4] = view.bottoms() ? at.radius - view.bottom_radius() : kNone;
}

}  // namespace

std::size_t num_bends(const Road& road) {
  const std::size_t places = 4 * road.bumps.size() + (ends_of_table(road) ? 2 : 0);
  return kBendsOfTyre + kPoints * places;
}

void find_bends(const FittedTyre& tyre, const Road& road, const WheelMotionOf<double>& wheel,
                std::span<const char> sides, std::span<double> out) {
  const double R_0 = unloaded_radius(tyre);
  const auto half = sides.empty() || !has_halves(road) ? RoadHalf::kOfItsPlace
                    : sides[kBendOfHalf] != 0          ? RoadHalf::kLeft
                                                       : RoadHalf::kRight;
  const RoadFeeler feeler = feeler_of(tyre, road);
  const WheelContactOf<double> at = wheel_contact(road, half, feeler, wheel);
  const bool is_pulled = !sides.empty() && sides[kBendOfPull] == 0;
  std::visit(
      [&](const auto& model) { add_bends_of_load(view_of<double>(model, {}), tyre, at, is_pulled, out); },
      tyre.model);
  out[kBendOfHalf] = has_halves(road) ? at.point.y() - road.origin_W.y() : kNone;
  // Which way is ahead on the ground: points that feel the road lie along it.
  const double along = std::hypot(at.ahead.x(), at.ahead.y()),
               ahead = along > 0.0 ? at.ahead.x() / along : 0.0;
  std::size_t next = kBendsOfTyre;
  for (const RoadBump& bump : road.bumps) {
    const bool is_plank = bump.shape == BumpShape::kPlank;
    const double length = is_plank && feeler.half_length == 0.0 ? R_0 / 3.0 : feeler.half_length;
    const double x = (is_plank ? wheel.center.x() : at.point.x()) - road.origin_W.x();
    for (const double edge : edges(bump, R_0))
      for (const double place : {-1.0, 0.0, 1.0}) out[next++] = x + place * length * ahead - edge;
  }
  if (const auto ends = ends_of_table(road))
    for (const double end : *ends)
      for (const double place : {-1.0, 0.0, 1.0})
        out[next++] = at.point.x() - road.origin_W.x() + place * feeler.half_length * ahead - end;
  for (std::size_t k = 0; k < sides.size(); ++k) out[k] += (sides[k] != 0 ? 1.0 : -1.0) * kRest * R_0;
}

}  // namespace eslabon::tyres
