#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/quantities/dimension.hpp"

namespace eslabon::io {

/// How much is known about what a number measures.
enum class Certainty {
  kPure,     ///< a bare number written in place: SI of whatever is expected there
  kUnknown,  ///< a parameter given as a bare number: SI, but of what nobody said
  kKnown,    ///< a unit was written
};

/// What a number measures, as far as it is known.
struct Measure {
  Certainty certainty = Certainty::kPure;
  Dimension dimension;  ///< meaningful only when kKnown

  friend bool operator==(const Measure&, const Measure&) = default;
};

/// A number in SI units and what it measures.
struct Quantity {
  double value = 0.0;  ///< SI
  Certainty certainty = Certainty::kPure;
  Dimension dimension;  ///< meaningful only when kKnown

  Measure measure() const { return {certainty, dimension}; }

  friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// In single quotes, and cut if it is long: messages stay readable whatever was typed.
std::string in_quotes(std::string_view text);

/// A number at the start of a text, and the bytes it takes.
struct NumberPrefix {
  double value = 0.0;
  std::size_t length = 0;  ///< 0: the text does not start with a digit or '.digit'
};

/// The unsigned number that a text starts with: digits, a decimal point, an exponent; the same in every
/// locale. Fails: ModelError for 0x…, 1_000, 1,5 (a decimal comma) and numbers that no double can hold.
NumberPrefix read_number_prefix(std::string_view text, const std::string& where);

/// Reads "NUMBER" or "NUMBER UNIT": "120 mm", "-1e-3", "9.81 m/s^2". Spaces around it are ignored.
/// Fails: ModelError for anything else, nan and infinities included.
Quantity parse_quantity(std::string_view text, const TextPlace& place);

/// What a unit of results measures: "rad/s", "N*m"; "1" is a plain number.
Dimension dimension_of_unit(const std::string& unit);

/// What a check names in its message.
struct QuantityUse {
  std::string name;            ///< what is read, such as "mass"
  std::string text;            ///< as the user wrote it
  std::string where;           ///< file:line:column, element
  bool is_expression = false;  ///< the text is "= …": its radians cannot be told for sure
};

/// Accepts what may stand where `expected` is needed: anything without a unit, and units whose kg, m and s
/// agree; the radian must agree too, except in an expression. Fails: ModelError that names both kinds.
void check_dimension(const Measure& measure, const Dimension& expected, const QuantityUse& use);

}  // namespace eslabon::io
