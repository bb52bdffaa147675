#include "eslabon/io/mechanism/tyre_writer.hpp"

#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <variant>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/tyres/road_relief.hpp"

namespace eslabon::io {

namespace {

using core::number_text;

/// "left" for a tyre of the left side, and of the right side where it is mirrored; a tyre of no side is called one of the left.
std::string side_word(tyres::TyreSide side, bool is_mirrored) {
  return (side == tyres::TyreSide::kRight) != is_mirrored ? "right" : "left";
}

std::string number_list(std::span<const double> numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ", ") + number_text(x);
  return "[" + text + "]";
}

void add_curves(Entries& entries, const tyres::LinearTyre& tyre) {
  entries.emplace_back("slip_coefficient", number_text(tyre.slip_coefficient));
  entries.emplace_back("cornering_coefficient", number_text(tyre.cornering_coefficient));
  add_nonzero(entries, "camber_coefficient", tyre.camber_coefficient);
  add_nonzero(entries, "trail", tyre.trail);
}

void add_curves(Entries& entries, const tyres::FialaTyre& tyre) {
  entries.emplace_back("slip_stiffness", number_text(tyre.slip_stiffness));
  entries.emplace_back("cornering_stiffness", number_text(tyre.cornering_stiffness));
  entries.emplace_back("friction", number_text(tyre.friction));
  add_nonzero(entries, "half_contact", tyre.half_contact);
}

void add_curves(Entries& entries, const tyres::MagicFormula89& tyre) {
  entries.emplace_back("a", number_list(tyre.a));
  entries.emplace_back("b", number_list(tyre.b));
  entries.emplace_back("c", number_list(tyre.c));
  add_nonzero(entries, "lateral_stiffness", tyre.lateral_stiffness);
}

Entries plain_tyre_entries(const tyres::PlainTyre& tyre) {
  Entries entries{{"radius", number_text(tyre.radius)}, {"stiffness", number_text(tyre.stiffness)}};
  add_nonzero(entries, "damping", tyre.damping);
  entries.emplace_back("relaxation", number_list(std::array{tyre.relaxation_along, tyre.relaxation_across}));
  std::visit(
      [&](const auto& curves) {
        add_curves(entries, curves);
        add_nonzero(entries, "rolling_coefficient", curves.rolling_coefficient);
      },
      tyre.curves);
  return entries;
}

Entries magic_formula_entries(const tyres::MagicFormula& tyre, bool is_mirrored) {
  Entries entries{{"version", std::string(tyres::name(tyre.version))}};
  if (tyre.side != tyres::TyreSide::kSymmetric || is_mirrored)
    entries.emplace_back("side", side_word(tyre.side, false));
  for (const tyres::Coefficient& one : tyres::coefficients())
    if (!one.otherwise || tyre.*one.member != *one.otherwise)
      entries.emplace_back(one.name, number_text(tyre.*one.member));
  return entries;
}

Entries bump_entries(const tyres::RoadBump& bump) {
  constexpr std::array kShapes{"sine", "trapezoid", "plank"};
  Entries shape{{"at", number_text(bump.begin)},
                {"length", number_text(bump.length)},
                {"height", number_text(bump.height)}};
  if (bump.shape == tyres::BumpShape::kTrapezoid) shape.emplace_back("ramp", number_text(bump.ramp));
  Entries entries{{kShapes[static_cast<std::size_t>(bump.shape)], flow_map(shape)}};
  if (bump.on_left != bump.on_right) entries.emplace_back("track", bump.on_left ? "left" : "right");
  return entries;
}

std::string rough_road_text(const tyres::RoughRoad& road) {
  return flow_map({{"class", std::string(1, road.letter)},
                   {"seed", std::to_string(road.seed)},
                   {"at", number_text(road.begin)},
                   {"length", number_text(road.length)},
                   {"track", number_text(road.track)},
                   {"waves", number_list(std::array{road.shortest_wave, road.longest_wave})}});
}

std::string table_text(const tyres::TrackHeights& heights) {
  std::string text;
  for (std::size_t i = 0; i < heights.left.points().size(); ++i) {
    const auto& [x, z] = heights.left.points()[i];
    std::vector<double> row{x, z};
    if (heights.right) row.push_back(heights.right->points()[i].second);
    text += (text.empty() ? "" : ", ") + number_list(row);
  }
  return "[" + text + "]";
}

/// A grid is too large to be written out: its file stands there, wherever the mechanism goes.
std::pair<std::string, std::string> relief_entry(const tyres::RoadRelief& relief) {
  if (relief.drawn_from) return {"iso_8608", rough_road_text(*relief.drawn_from)};
  if (const auto* heights = std::get_if<tyres::TrackHeights>(&relief.heights))
    return {"table", table_text(*heights)};
  return {"opencrg", double_quoted(std::filesystem::absolute(relief.file).lexically_normal().string())};
}

}  // namespace

void add_fitted_tyre(Entries& entries, const tyres::FittedTyre& tyre) {
  if (const auto* magic = std::get_if<tyres::MagicFormula>(&tyre.model)) {
    if (tyre.is_mirrored) entries.emplace_back("side", side_word(magic->side, true));
    entries.emplace_back(
        "model", flow_map({{"magic_formula", flow_map(magic_formula_entries(*magic, tyre.is_mirrored))}}));
  } else {
    const auto& plain = std::get<tyres::PlainTyre>(tyre.model);
    constexpr std::array kKinds{"linear", "fiala", "magic_formula_89"};
    entries.emplace_back("model",
                         flow_map({{kKinds[plain.curves.index()], flow_map(plain_tyre_entries(plain))}}));
  }
  add_nonzero(entries, "contact_length", 2.0 * tyre.contact_half_length);
}

Entries road_entries(const tyres::Road& road) {
  Entries entries;
  add_nonzero(entries, "height", road.height);
  add_nonzero(entries, "slope", road.slope_x);
  add_nonzero(entries, "bank", road.slope_y);
  if (road.friction_right)
    entries.emplace_back("friction",
                         "[" + number_text(road.friction) + ", " + number_text(*road.friction_right) + "]");
  else if (road.friction != 1.0)
    entries.emplace_back("friction", number_text(road.friction));
  Entries bumps;
  for (const tyres::RoadBump& bump : road.bumps)
    bumps.emplace_back(word(bump.name), flow_map(bump_entries(bump)));
  if (!bumps.empty()) entries.emplace_back("bumps", flow_map(bumps));
  if (road.relief) entries.push_back(relief_entry(*road.relief));
  return entries;
}

Entries vehicle_entries(const model::Mechanism& mechanism) {
  const model::Vehicle& vehicle = *mechanism.vehicle();
  Entries entries{{"chassis", word(mechanism.name_of(vehicle.chassis))}};
  if (vehicle.steering) {
    const std::string& driver = mechanism.drivers()[vehicle.steering->driver.slot()].name;
    entries.emplace_back(
        "steering", flow_map({{"driver", word(driver)}, {"ratio", number_text(vehicle.steering->ratio)}}));
  }
  const auto names_of = [&](const std::vector<model::TyreIndex>& tyres) {
    std::string names;
    for (const model::TyreIndex tyre : tyres)
      names += (names.empty() ? "" : ", ") + word(mechanism.tyres()[tyre.slot()].name);
    return "[" + names + "]";
  };
  std::string axles;
  for (const model::VehicleAxle& axle : vehicle.axles) {
    Entries of_axle{{"left", names_of(axle.left)}, {"right", names_of(axle.right)}};
    add_nonzero(of_axle, "drive", axle.drive);
    add_nonzero(of_axle, "brake", axle.brake);
    axles += (axles.empty() ? "" : ", ") + flow_map(of_axle);
  }
  entries.emplace_back("axles", "[" + axles + "]");
  return entries;
}

}  // namespace eslabon::io
