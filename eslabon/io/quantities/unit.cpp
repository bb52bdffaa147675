#include "eslabon/io/quantities/unit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::io {
namespace {

struct NamedUnit {
  std::string_view name;
  Unit unit;
};

// Factors outside the SI are exact by definition: inch and pound of 1959, turn and minute.
constexpr std::array kUnits{
    NamedUnit{"m", {1.0, kLength}},
    NamedUnit{"mm", {1e-3, kLength}},
    NamedUnit{"cm", {1e-2, kLength}},
    NamedUnit{"km", {1e3, kLength}},
    NamedUnit{"um", {1e-6, kLength}},
    NamedUnit{"in", {0.0254, kLength}},
    NamedUnit{"ft", {0.3048, kLength}},
    NamedUnit{"kg", {1.0, kMass}},
    NamedUnit{"lb", {0.45359237, kMass}},
    NamedUnit{"s", {1.0, kTime}},
    NamedUnit{"ms", {1e-3, kTime}},
    NamedUnit{"us", {1e-6, kTime}},
    NamedUnit{"min", {60.0, kTime}},
    NamedUnit{"h", {3600.0, kTime}},
    NamedUnit{"rad", {1.0, kAngle}},
    NamedUnit{"mrad", {1e-3, kAngle}},
    NamedUnit{"deg", {std::numbers::pi / 180.0, kAngle}},
    NamedUnit{"rev", {2.0 * std::numbers::pi, kAngle}},
    NamedUnit{"N", {1.0, kForce}},
    NamedUnit{"kN", {1e3, kForce}},
    NamedUnit{"mN", {1e-3, kForce}},
    NamedUnit{"Nm", {1.0, kTorque}},
    NamedUnit{"J", {1.0, kTorque}},
    NamedUnit{"W", {1.0, kPower}},
    NamedUnit{"kW", {1e3, kPower}},
    NamedUnit{"Pa", {1.0, kPressure}},
    NamedUnit{"kPa", {1e3, kPressure}},
    NamedUnit{"MPa", {1e6, kPressure}},
    NamedUnit{"Hz", {1.0, kFrequency}},
    NamedUnit{"kHz", {1e3, kFrequency}},
    NamedUnit{"rpm", {std::numbers::pi / 30.0, kAngularVelocity}},
};

struct Habit {
  std::string_view name;
  std::string_view advice;
};

// Names that people write and that are deliberately not units here.
constexpr std::array kHabits{
    Habit{"g", "Write '0.25 kg' for 250 grams, or '9.81 m/s^2' for gravity: 'g' alone could be either."},
    Habit{"\xC2\xB0", "Write 'deg'."},
    Habit{"degree", "Write 'deg'."},
    Habit{"degrees", "Write 'deg'."},
    Habit{"\xC2\xB5m", "Write 'um'."},
    Habit{"\xCE\xBCm", "Write 'um'."},
    Habit{"sec", "Write 's'."},
    Habit{"\"", "Write 'in'."},
    Habit{"mNm", "Write 'mN*m'."},
    Habit{"kNm", "Write 'kN*m'."},
    Habit{"%", "Write the fraction, such as '0.05' for 5 %."},
};

Unit power(const Unit& unit, int n) { return {std::pow(unit.factor, n), io::power(unit.dimension, n)}; }

/// Reads the product from left to right.
class UnitReader {
 public:
  UnitReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Unit read() {
    if (text_.starts_with("1/")) at_ = 1;
    Unit unit = at_ == 1 ? Unit{} : read_power();
    while (at_ < text_.size()) {
      const char operation = text_[at_];
      if (operation != '*' && operation != '/') refuse();
      ++at_;
      const Unit next = power(read_power(), operation == '*' ? 1 : -1);
      unit = {unit.factor * next.factor, unit.dimension * next.dimension};
    }
    return unit;
  }

 private:
  Unit read_power() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view("*/^ ").find(text_[at_]) == std::string_view::npos) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) refuse();
    const std::optional<Unit> unit = find_unit(name);
    if (!unit) refuse_name(name);
    if (at_ == text_.size() || text_[at_] != '^') return *unit;
    ++at_;
    const bool is_negative = at_ < text_.size() && text_[at_] == '-';
    if (is_negative) ++at_;
    if (at_ == text_.size() || text_[at_] < '1' || text_[at_] > '0' + kMaxUnitPower) refuse();
    const int exponent = text_[at_] - '0';
    ++at_;
    return power(*unit, is_negative ? -exponent : exponent);
  }

  [[noreturn]] void refuse_name(std::string_view name) const {
    throw core::ModelError({.what = "unknown unit '" + std::string(name) + "'",
                            .where = where_,
                            .expected = "a unit such as 'mm', 'kg*m^2' or 'rad/s'",
                            .actual = "'" + std::string(text_) + "'",
                            .next = unit_advice(name)});
  }

  [[noreturn]] void refuse() const {
    throw core::ModelError(
        {.what = "a unit cannot be read",
         .where = where_,
         .expected = "names with '*', '/' and powers of one digit, such as 'kg*m^2' or 'N*s/m'",
         .actual = "'" + std::string(text_) + "'",
         .next = "Write it without spaces and parentheses."});
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Unit> find_unit(std::string_view name) {
  for (const NamedUnit& entry : kUnits) {
    if (entry.name == name) return entry.unit;
  }
  return std::nullopt;
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NamedUnit& entry : kUnits) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

std::string unit_advice(std::string_view name) {
  constexpr std::size_t kLongestGuess = 16;
  for (const Habit& habit : kHabits) {
    if (habit.name == name) return std::string(habit.advice);
  }
  if (name.size() <= kLongestGuess) {
    if (const auto nearest = core::nearest_name(name, unit_names()))
      return "Did you mean '" + *nearest + "'?";
  }
  return "Use units of length, mass, time, angle, force, energy, power, pressure or frequency.";
}

Unit parse_unit(std::string_view text, const std::string& where) { return UnitReader(text, where).read(); }

std::string unit_text(const Dimension& dimension) {
  const std::array<std::pair<std::string_view, int>, 4> factors{
      {{"kg", dimension.kg}, {"m", dimension.m}, {"rad", dimension.rad}, {"s", dimension.s}}};
  const auto is_long = [](const auto& factor) { return std::abs(factor.second) > kMaxUnitPower; };
  if (std::ranges::none_of(factors, is_long)) return core::si_unit(dimension);
  std::string above, below;
  for (const auto& [name, exponent] : factors)
    for (int rest = std::abs(exponent); rest > 0; rest -= kMaxUnitPower) {
      std::string& side = exponent > 0 ? above : below;
      side.append(exponent < 0 ? "/" : above.empty() ? "" : "*").append(name);
      if (rest > 1) side.append("^").append(std::to_string(std::min(rest, kMaxUnitPower)));
    }
  return (above.empty() ? "1" : above) + below;
}

}  // namespace eslabon::io
