#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/io/quantities/dimension.hpp"

namespace eslabon::io {

/// A unit of measure: 1 of it is `factor` in SI units.
struct Unit {
  double factor = 1.0;
  Dimension dimension;

  friend bool operator==(const Unit&, const Unit&) = default;
};

/// Largest exponent that a unit may carry, as in m^9.
inline constexpr int kMaxUnitPower = 9;

/// A unit with a name of its own, such as "mm" or "rpm"; nothing if there is none of that name.
std::optional<Unit> find_unit(std::string_view name);

/// All names that find_unit knows, in a fixed order.
const std::vector<std::string>& unit_names();

/// What to write instead of a name that is no unit: a sentence.
std::string unit_advice(std::string_view name);

/// A product of named units without spaces: "N*s/m", "kg*m^2", "1/s", "m/s^2" ("a/b/c" is a/(b c)).
/// `where` goes into the error.
/// Fails: ModelError for an unknown name, a power beyond kMaxUnitPower, or any other text.
Unit parse_unit(std::string_view text, const std::string& where);

/// The SI unit of a dimension as parse_unit reads it, powers beyond kMaxUnitPower as products; "1" of a plain number, which it does not read.
std::string unit_text(const Dimension& dimension);

}  // namespace eslabon::io
