#include "eslabon/io/tyres/tyre_units.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <string_view>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::io {

namespace {

struct FileUnit {
  std::string_view kind;  ///< the key of [UNITS]
  std::string_view name;  ///< in small letters
  double factor;
};

constexpr double kDegree = std::numbers::pi / 180.0;

// As tyre files of several programs spell them.
constexpr std::array kUnits{
    FileUnit{"LENGTH", "meter", 1.0},
    FileUnit{"LENGTH", "metre", 1.0},
    FileUnit{"LENGTH", "m", 1.0},
    FileUnit{"LENGTH", "mm", 1e-3},
    FileUnit{"LENGTH", "millimeter", 1e-3},
    FileUnit{"LENGTH", "cm", 1e-2},
    FileUnit{"LENGTH", "centimeter", 1e-2},
    FileUnit{"LENGTH", "km", 1e3},
    FileUnit{"LENGTH", "inch", 0.0254},
    FileUnit{"LENGTH", "foot", 0.3048},
    FileUnit{"FORCE", "newton", 1.0},
    FileUnit{"FORCE", "n", 1.0},
    FileUnit{"FORCE", "kn", 1e3},
    FileUnit{"FORCE", "knewton", 1e3},
    FileUnit{"FORCE", "kilonewton", 1e3},
    FileUnit{"FORCE", "pound_force", 4.4482216152605},
    FileUnit{"FORCE", "kg_force", 9.80665},
    FileUnit{"ANGLE", "radian", 1.0},
    FileUnit{"ANGLE", "radians", 1.0},
    FileUnit{"ANGLE", "rad", 1.0},
    FileUnit{"ANGLE", "degree", kDegree},
    FileUnit{"ANGLE", "degrees", kDegree},
    FileUnit{"ANGLE", "deg", kDegree},
    FileUnit{"MASS", "kg", 1.0},
    FileUnit{"MASS", "kilogram", 1.0},
    FileUnit{"MASS", "gram", 1e-3},
    FileUnit{"MASS", "tonne", 1e3},
    FileUnit{"MASS", "pound_mass", 0.45359237},
    FileUnit{"TIME", "second", 1.0},
    FileUnit{"TIME", "seconds", 1.0},
    FileUnit{"TIME", "sec", 1.0},
    FileUnit{"TIME", "s", 1.0},
    FileUnit{"TIME", "millisecond", 1e-3},
    FileUnit{"TIME", "ms", 1e-3},
    FileUnit{"TIME", "hour", 3600.0},
    FileUnit{"PRESSURE", "pascal", 1.0},
    FileUnit{"PRESSURE", "pa", 1.0},
    FileUnit{"PRESSURE", "kpa", 1e3},
    FileUnit{"PRESSURE", "mpa", 1e6},
    FileUnit{"PRESSURE", "bar", 1e5},
    FileUnit{"PRESSURE", "psi", 6894.757293168361},
};

constexpr std::array<std::string_view, 6> kKinds{"LENGTH", "FORCE", "ANGLE", "MASS", "TIME", "PRESSURE"};

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

const TyreEntry* find_unit_entry(const TyreLines& lines, std::string_view kind) {
  const auto found = std::ranges::find_if(
      lines.entries, [&](const TyreEntry& entry) { return entry.section == "UNITS" && entry.name == kind; });
  return found == lines.entries.end() ? nullptr : &*found;
}

void check_kinds(const TyreLines& lines) {
  const std::vector<std::string> kinds(kKinds.begin(), kKinds.end());
  for (const TyreEntry& entry : lines.entries) {
    if (entry.section != "UNITS" || std::ranges::find(kinds, entry.name) != kinds.end()) continue;
    const auto nearest = core::nearest_name(entry.name, kinds);
    refuse_tyre({.what = "a unit of nothing that is known",
                 .where = lines.place(entry.line) + ", UNITS",
                 .expected = core::quoted_list(kinds),
                 .actual = in_quotes(entry.name),
                 .next = nearest ? "Did you mean '" + *nearest + "'?" : "Take the line out."});
  }
}

}  // namespace

TyreUnits::Unit TyreUnits::read(const TyreLines& lines, const std::string& kind) {
  const TyreEntry* const entry = find_unit_entry(lines, kind);
  if (entry == nullptr)
    refuse_tyre({.what = "the unit '" + kind + "' is missing",
                 .where = lines.file + ", UNITS",
                 .expected = "LENGTH, FORCE, ANGLE, MASS and TIME",
                 .actual = "a file without it",
                 .next = "Write it into the section [UNITS]."});
  const std::string name = in_small_letters(entry->value);
  std::vector<std::string> known;
  for (const FileUnit& unit : kUnits) {
    if (unit.kind != kind) continue;
    if (unit.name == name) return {unit.factor, name};
    known.emplace_back(unit.name);
  }
  const auto nearest = core::nearest_name(name, known);
  refuse_tyre({.what = "the unit of '" + kind + "' is not known",
               .where = lines.place(entry->line) + ", UNITS",
               .expected = core::quoted_list(known),
               .actual = in_quotes(entry->value),
               .next = nearest ? "Did you mean '" + *nearest + "'?" : "Convert the file to one of these."});
}

TyreUnits::TyreUnits(const TyreLines& lines)
    : length_(read(lines, "LENGTH")),
      force_(read(lines, "FORCE")),
      angle_(read(lines, "ANGLE")),
      mass_(read(lines, "MASS")),
      time_(read(lines, "TIME")) {
  check_kinds(lines);
  if (find_unit_entry(lines, "PRESSURE") != nullptr)
    pressure_ = read(lines, "PRESSURE");
  else
    pressure_ = {force_.factor / (length_.factor * length_.factor), force_.text + "/" + length_.text + "^2"};
}

double TyreUnits::factor(tyres::Measure measure) const {
  using enum tyres::Measure;
  switch (measure) {
    case kNumber:
      return 1.0;
    case kLength:
      return length_.factor;
    case kForce:
      return force_.factor;
    case kAngle:
      return angle_.factor;
    case kMass:
      return mass_.factor;
    case kSpeed:
      return length_.factor / time_.factor;
    case kPressure:
      return pressure_.factor;
    case kStiffness:
      return force_.factor / length_.factor;
    case kDamping:
      return force_.factor * time_.factor / length_.factor;
    case kInertia:
      return mass_.factor * length_.factor * length_.factor;
    case kYawStiffness:
      return force_.factor * length_.factor / angle_.factor;
  }
  return 1.0;
}

std::string TyreUnits::text(tyres::Measure measure) const {
  using enum tyres::Measure;
  switch (measure) {
    case kNumber:
      return "";
    case kLength:
      return length_.text;
    case kForce:
      return force_.text;
    case kAngle:
      return angle_.text;
    case kMass:
      return mass_.text;
    case kSpeed:
      return length_.text + "/" + time_.text;
    case kPressure:
      return pressure_.text;
    case kStiffness:
      return force_.text + "/" + length_.text;
    case kDamping:
      return force_.text + "*" + time_.text + "/" + length_.text;
    case kInertia:
      return mass_.text + "*" + length_.text + "^2";
    case kYawStiffness:
      return force_.text + "*" + length_.text + "/" + angle_.text;
  }
  return "";
}

}  // namespace eslabon::io
