#include "eslabon/model/checks/value_checks.hpp"

#include <cmath>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::model::detail {

namespace {

constexpr std::string_view kCheckNumber = "Check the number and the parameters it is computed from.";

/// The subject of a sentence: "mass", "point 'P1'".
std::string described(const Field& field) {
  if (field.key.empty()) return "the value";
  const std::size_t comma = field.key.rfind(", ");  // "friction, viscous" is called viscous
  std::string text(comma == std::string_view::npos ? field.key : field.key.substr(comma + 2));
  if (!field.name.empty()) text += " " + core::quoted(field.name);
  return text;
}

void check_in_plane(const Eigen::Vector3d& v, std::string_view unit, const Place& place, const Field& field) {
  if (v.z() == 0.0) return;
  fail(place, field,
       {described(field) + " leaves the plane", "z = 0 in a planar mechanism", with_unit(v.z(), unit),
        "Set z to 0, or remove 'plane' to make the mechanism spatial."});
}

}  // namespace

std::string with_unit(double value, std::string_view unit) {
  std::string text = core::number_text(value);
  if (!unit.empty()) text += " " + std::string(unit);
  return text;
}

std::string to_text(const Eigen::Vector3d& v) {
  return "[" + core::number_text(v.x()) + ", " + core::number_text(v.y()) + ", " + core::number_text(v.z()) +
         "]";
}

void check_finite(double value, std::string_view unit, const Place& place, const Field& field) {
  if (std::isfinite(value)) return;
  fail(place, field,
       {described(field) + " is not a number one can compute with", "a finite number", with_unit(value, unit),
        std::string(kCheckNumber)});
}

void check_finite(const Eigen::Vector3d& v, const Place& place, const Field& field) {
  if (v.allFinite()) return;
  fail(place, field,
       {described(field) + " is not a vector one can compute with", "finite numbers", to_text(v),
        std::string(kCheckNumber)});
}

void check_positive(double value, std::string_view unit, const Place& place, const Field& field) {
  check_finite(value, unit, place, field);
  if (value > 0.0) return;
  fail(place, field,
       {described(field) + " is not positive", described(field) + " > " + with_unit(0.0, unit),
        with_unit(value, unit), "Give a positive value."});
}

void check_not_negative(double value, std::string_view unit, const Place& place, const Field& field) {
  check_finite(value, unit, place, field);
  if (value >= 0.0) return;
  fail(place, field,
       {described(field) + " is negative", described(field) + " >= " + with_unit(0.0, unit),
        with_unit(value, unit), "Give a value that is zero or positive."});
}

void check_position(const Eigen::Vector3d& p, bool is_planar, const Place& place, const Field& field) {
  check_finite(p, place, field);
  if (is_planar) check_in_plane(p, "m", place, field);
}

void check_direction(const Eigen::Vector3d& u, bool is_planar, const Place& place, const Field& field) {
  check_finite(u, place, field);
  if (u.isZero(0.0))
    fail(place, field,
         {described(field) + " has no direction", "a vector that is not zero", to_text(u),
          "Give at least one component that is not 0."});
  if (is_planar) check_in_plane(u, "", place, field);
}

void check_table(const ForceTable& table, const Place& place) {
  const Field field{"table"};
  if (table.size() == 1)
    fail(place, field,
         {"table has too few rows", "at least 2 rows", "1 row", "Add a row, or remove the table."});
  for (std::size_t i = 0; i < table.size(); ++i) {
    check_finite(table[i].first, "", place, field);
    check_finite(table[i].second, "", place, field);
    if (i == 0 || table[i].first > table[i - 1].first) continue;
    fail(place, field,
         {"table is not in order", "first columns that increase from row to row",
          core::number_text(table[i].first) + " in row " + std::to_string(i + 1) + " after " +
              core::number_text(table[i - 1].first),
          "Sort the rows, and keep one row per argument."});
  }
}

void check_function(const TimeFunction& function, const Place& place, const Field& field) {
  const double value = function.evaluate(0.0);
  if (std::isfinite(value)) return;
  fail(place, field,
       {described(field) + " has no value at the start", "a finite number at t = 0 s",
        core::number_text(value), "Change the function so that it is defined from t = 0 s on."});
}

}  // namespace eslabon::model::detail
