#include "eslabon/model/checks/tyre_checks.hpp"

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/tyres/magic_formula_limits.hpp"

namespace eslabon::model::detail {

namespace {

void check_curves(const tyres::LinearTyre& tyre, const Place& place) {
  check_not_negative(tyre.slip_coefficient, "", place, {"slip_coefficient"});
  check_not_negative(tyre.cornering_coefficient, "", place, {"cornering_coefficient"});
  check_finite(tyre.camber_coefficient, "", place, {"camber_coefficient"});
  check_finite(tyre.trail, "m", place, {"trail"});
  check_not_negative(tyre.rolling_coefficient, "", place, {"rolling_coefficient"});
}

void check_curves(const tyres::FialaTyre& tyre, const Place& place) {
  check_positive(tyre.slip_stiffness, "N", place, {"slip_stiffness"});
  check_positive(tyre.cornering_stiffness, "N", place, {"cornering_stiffness"});
  check_not_negative(tyre.friction, "", place, {"friction"});
  check_not_negative(tyre.half_contact, "m", place, {"half_contact"});
  check_not_negative(tyre.rolling_coefficient, "", place, {"rolling_coefficient"});
}

void check_curves(const tyres::MagicFormula89& tyre, const Place& place) {
  check_positive(tyre.a[4], "", place, {"a"});
  check_not_negative(tyre.lateral_stiffness, "N/m", place, {"lateral_stiffness"});
  check_not_negative(tyre.rolling_coefficient, "", place, {"rolling_coefficient"});
}

void check_model(const tyres::PlainTyre& tyre, const Place& place) {
  check_positive(tyre.radius, "m", place, {"radius"});
  check_positive(tyre.stiffness, "N/m", place, {"stiffness"});
  check_not_negative(tyre.damping, "N*s/m", place, {"damping"});
  check_positive(tyre.relaxation_along, "m", place, {"relaxation"});
  check_positive(tyre.relaxation_across, "m", place, {"relaxation"});
  std::visit([&](const auto& curves) { check_curves(curves, place); }, tyre.curves);
}

void check_model(const tyres::MagicFormula& tyre, const Place& place) {
  for (const tyres::Coefficient& one : tyres::coefficients()) {
    const double value = tyre.*one.member;
    if (value == one.otherwise) continue;  // nobody gave it; some have no end then
    const Field field{one.name};
    check_finite(value, "", place, field);
    const tyres::Limit limit = tyres::limit_of(one);
    if (limit == tyres::Limit::kPositive) check_positive(value, "", place, field);
    if (limit == tyres::Limit::kNotNegative) check_not_negative(value, "", place, field);
    if (!tyres::is_within(limit, value))
      fail(place, field,
           {std::string(one.name) + " is zero", "a number that is not 0", "0",
            "Give " + std::string(one.meaning) + "."});
  }
  for (const tyres::CoefficientRange& range : tyres::coefficient_ranges())
    if (!(tyre.*range.low < tyre.*range.high))
      fail(place, {tyres::coefficient_of(range.low).name},
           {"a range is empty",
            std::string(tyres::coefficient_of(range.low).name) + " below " +
                std::string(tyres::coefficient_of(range.high).name),
            with_unit(tyre.*range.low, "") + " and " + with_unit(tyre.*range.high, ""),
            "Exchange the two, or put the wrong one right."});
}

void forbid_in_the_plane(const Place& place, const char* what, bool is_planar) {
  if (!is_planar) return;
  fail(place, {},
       {std::string(what) + " in a planar mechanism", "a mechanism in space, with z up", "'plane: xy'",
        "Leave 'plane' out, and hold the bodies in the plane by joints."});
}

}  // namespace

void check_tyre(const TyreDescription& tyre, bool is_planar) {
  const Place place{kTyreWord, tyre.name};
  check_element_name(place);
  forbid_in_the_plane(place, "a tyre", is_planar);
  check_direction(tyre.axis_B, is_planar, place, {"axis"});
  check_not_negative(tyre.fitted.contact_half_length, "m", place, {"contact_length"});
  std::visit([&](const auto& model) { check_model(model, place); }, tyre.fitted.model);
}

void check_road(const tyres::Road& road, bool is_planar) {
  const Place place{kRoadWord, kRoadWord};
  forbid_in_the_plane(place, "a road", is_planar);
  check_finite(road.height, "m", place, {"height"});
  check_finite(road.slope_x, "", place, {"slope"});
  check_finite(road.slope_y, "", place, {"bank"});
  check_not_negative(road.friction, "", place, {"friction"});
  if (road.friction_right) check_not_negative(*road.friction_right, "", place, {"friction"});
  for (const tyres::RoadBump& bump : road.bumps) {
    const Field field{"bump", bump.name};
    check_finite(bump.begin, "m", place, field);
    check_finite(bump.height, "m", place, field);
    check_positive(bump.length, "m", place, field);
    if (bump.shape != tyres::BumpShape::kTrapezoid) continue;
    check_positive(bump.ramp, "m", place, field);
    if (2.0 * bump.ramp > bump.length)
      fail(place, field,
           {"the ramps of a bump are longer than the bump", "ramps of half its length at most",
            with_unit(bump.ramp, "m") + " of " + with_unit(bump.length, "m"), "Give a shorter ramp."});
  }
}

Tyre make_tyre(const TyreDescription& description, StateIndex slip, StateIndex slip_angle,
               const NameLookup& lookup) {
  const Place place{kTyreWord, description.name};
  Tyre tyre{.name = description.name,
            .center = lookup.moving_point(description.center, place, {"wheel"}),
            .axis_B = description.axis_B.normalized(),
            .fitted = description.fitted,
            .slip = slip,
            .slip_angle = slip_angle};
  if (auto* plain = std::get_if<tyres::PlainTyre>(&tyre.fitted.model))  // the arm of the rolling resistance
    std::visit([&](auto& curves) { curves.free_radius = plain->radius; }, plain->curves);
  const auto* magic = std::get_if<tyres::MagicFormula>(&tyre.fitted.model);
  using enum tyres::TyreSide;
  const bool is_on_other_side = magic != nullptr && magic->side != kSymmetric &&
                                description.side != kSymmetric && magic->side != description.side;
  tyre.fitted.is_mirrored = magic != nullptr && is_on_other_side != description.is_seen_in_mirror;
  return tyre;
}

}  // namespace eslabon::model::detail
