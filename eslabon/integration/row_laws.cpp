#include "eslabon/integration/row_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::integration {

namespace {

constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

/// How far from the origin a body is, at most [m].
double farthest(std::span<const coordinates::BodyMotion> bodies) {
  double distance = 0.0;
  for (const coordinates::BodyMotion& body : bodies) distance = std::max(distance, body.X_WB.p_AB_A.norm());
  return distance;
}

std::string row_name(double t) { return "row t = " + core::number_text(t) + " s"; }

std::string with_unit(const model::Mechanism& mechanism, const model::Variable& variable, double value) {
  return core::number_text(value + model::origin_part(mechanism, variable)) + " " +
         std::string(model::unit(mechanism, variable));
}

}  // namespace

RowLaws::RowLaws(const model::Mechanism& mechanism, const LawLimits& limits)
    : mechanism_(mechanism),
      limits_(limits),
      size_(coordinates::length_scale(mechanism)),
      sides_(dynamics::stop_sides(mechanism, true)) {
  for (const model::Driver& driver : mechanism.drivers())
    driver_scales_.push_back(model::dimension(mechanism, driver.target) == core::kAngle ? 1.0 : size_);
}

std::optional<core::ErrorText> RowLaws::broken(const RowFacts& row) const {
  if (auto broken = open_joints(row)) return broken;
  if (auto broken = passed_stop(row)) return broken;
  return left_driver(row);
}

std::optional<core::ErrorText> RowLaws::open_joints(const RowFacts& row) const {
  const double limit = limits_.open * size_;
  if (row.constraint_error <= limit || row.constraint_error <= limit + kRounding * farthest(row.bodies))
    return std::nullopt;
  return core::ErrorText{.what = "the joints have come open",
                         .where = row_name(row.t),
                         .expected = "at most " + core::rounded_text(limit) + " m",
                         .actual = core::rounded_text(row.constraint_error) + " m",
                         .next = "Take smaller steps or tolerances, or another method."};
}

std::optional<core::ErrorText> RowLaws::passed_stop(const RowFacts& row) const {
  for (const dynamics::StopSide& side : sides_) {
    const model::Stop& stop = mechanism_.stops()[side.stop];
    const coordinates::CoordinateValue here{.position = row.stopped[side.stop]};
    const double depth = -dynamics::gap_at(stop, side.is_upper, here, row.t).gap;
    if (depth <= limits_.beyond_stop * dynamics::gap_scale(mechanism_, side)) continue;
    return core::ErrorText{
        .what = "a rigid stop is passed",
        .where = row_name(row.t) + ", " + dynamics::side_name(mechanism_, side),
        .expected = dynamics::stopped_name(mechanism_, stop) + " within its limits",
        .actual =
            with_unit(mechanism_, stop.target, here.position) + ", " + core::rounded_text(depth) + " beyond",
        .next = "Take smaller steps or tolerances, or change what moves it there, or the stop."};
  }
  return std::nullopt;
}

std::optional<core::ErrorText> RowLaws::left_driver(const RowFacts& row) const {
  for (std::size_t i = 0; i < row.driven.size(); ++i) {
    const double wanted = row.drivers[i].position;
    if (std::abs(row.driven[i] - wanted) <=
        limits_.off_driver * driver_scales_[i] + kRounding * std::abs(wanted))
      continue;
    const model::Driver& driver = mechanism_.drivers()[i];
    return core::ErrorText{.what = "a driven variable does not follow its driver",
                           .where = row_name(row.t) + ", driver '" + driver.name + "'",
                           .expected = model::name(mechanism_, driver.target) + " = " +
                                       with_unit(mechanism_, driver.target, wanted),
                           .actual = with_unit(mechanism_, driver.target, row.driven[i]),
                           .next = "Take smaller steps or tolerances, or another method."};
  }
  return std::nullopt;
}

}  // namespace eslabon::integration
