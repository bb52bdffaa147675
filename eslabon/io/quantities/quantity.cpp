#include "eslabon/io/quantities/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/quantities/unit.hpp"

namespace eslabon::io {
namespace {

constexpr std::size_t kShownLength = 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The character at `k`, or '\0' after the end.
char at(std::string_view text, std::size_t k) { return k < text.size() ? text[k] : '\0'; }

[[noreturn]] void refuse(const std::string& what, const std::string& where, const std::string& expected,
                         std::string_view text, const std::string& next) {
  throw core::ModelError(
      {.what = what, .where = where, .expected = expected, .actual = in_quotes(text), .next = next});
}

/// Refuses the ways of writing numbers that other programs know and that would be misread here.
void check_spelling(std::string_view text, std::size_t length, const std::string& where) {
  const char next = at(text, length);
  if (text.starts_with('0') && (at(text, 1) == 'x' || at(text, 1) == 'X')) {
    refuse("a number is hexadecimal", where, "decimal digits", text, "Write it in decimal.");
  }
  if (next == '_' || next == '\'') {
    refuse("a number has a digit separator", where, "digits only", text,
           "Remove the '" + std::string(1, next) + "'.");
  }
  if (next == ',' && is_digit(at(text, length + 1))) {
    refuse("a number has a comma", where, "a decimal point", text, "Write '.' before the decimals.");
  }
  if (next == '.') refuse("a number has two points", where, "one decimal point", text, "Remove one of them.");
}

[[noreturn]] void refuse_text(std::string_view text, const std::string& where) {
  const std::string_view word = text.substr(std::min(text.find_first_not_of("+-."), text.size()));
  for (const std::string_view name : {"nan", "NaN", "NAN", "inf", "Inf", "INF", "infinity", "Infinity"}) {
    if (word == name) {
      refuse("a number is not finite", where, "a finite number", text, "Give it a value.");
    }
  }
  if (text.empty())
    refuse("a number is missing", where, "a number with or without a unit", text, "Give it a value.");
  if (is_letter(text[0])) {
    refuse("text where a number is needed", where, "a number with or without a unit", text,
           "Write '= " + std::string(text.substr(0, kShownLength)) +
               "' if it is an expression with parameters.");
  }
  refuse("a number cannot be read", where, "a number such as '12.5', '-1e-3' or '120 mm'", text,
         "Write digits, then the unit; an expression starts with '='.");
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  result += text.substr(0, kShownLength);
  result += text.size() > kShownLength ? "…'" : "'";
  return result;
}

NumberPrefix read_number_prefix(std::string_view text, const std::string& where) {
  if (!is_digit(at(text, 0)) && !(at(text, 0) == '.' && is_digit(at(text, 1)))) return {};
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto length = static_cast<std::size_t>(result.ptr - text.data());
  check_spelling(text, length, where);
  if (result.ec == std::errc::result_out_of_range) {
    refuse("a number is out of range", where, "a magnitude between 1e-307 and 1e308, or 0",
           text.substr(0, length), "Check its exponent.");
  }
  return {value, length};
}

Quantity parse_quantity(std::string_view text, const TextPlace& place) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = text.find_last_not_of(" \t");
  const std::string_view trimmed = text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
  const bool has_sign = trimmed.starts_with('-') || trimmed.starts_with('+');
  const std::string_view digits = trimmed.substr(has_sign ? 1 : 0);
  const std::string where = place.where(first);
  const NumberPrefix number = read_number_prefix(digits, where);
  if (number.length == 0) refuse_text(trimmed, where);

  Quantity quantity;
  quantity.value = trimmed.starts_with('-') ? -number.value : number.value;
  const std::size_t unit_start = std::min(digits.find_first_not_of(" \t", number.length), digits.size());
  const std::string_view rest = digits.substr(unit_start);
  if (rest.empty()) return quantity;
  if (std::string_view("+-*/^(").find(rest[0]) != std::string_view::npos) {
    refuse("arithmetic without '='", where, "a number with a unit", trimmed,
           "Write '= ' before an expression.");
  }
  const Unit unit = parse_unit(rest, place.where(first + (has_sign ? 1 : 0) + unit_start));
  quantity.value *= unit.factor;
  quantity.certainty = Certainty::kKnown;
  quantity.dimension = unit.dimension;
  if (!std::isfinite(quantity.value)) {
    refuse("a number is out of range", where, "a finite number in SI units", trimmed, "Check its exponent.");
  }
  return quantity;
}

Dimension dimension_of_unit(const std::string& unit) {
  return unit == "1" ? kNumber : parse_quantity("1 " + unit, {}).dimension;
}

void check_dimension(const Measure& measure, const Dimension& expected, const QuantityUse& use) {
  if (measure.certainty != Certainty::kKnown) return;
  const bool agrees =
      use.is_expression ? agree_but_for_radians(measure.dimension, expected) : measure.dimension == expected;
  if (agrees) return;
  const bool is_number = expected == kNumber;
  const std::string kind = kind_name(expected);
  throw core::ModelError(
      {.what = use.name + " has a unit of the wrong kind",
       .where = use.where,
       .expected = kind + " such as '" + example_text(expected) + "'",
       .actual = in_quotes(use.text) + ", " + kind_name(measure.dimension),
       .next = is_number ? "Write it without a unit."
                         : "Write " + kind + ", or a bare number in " + si_unit(expected) + "."});
}

}  // namespace eslabon::io
