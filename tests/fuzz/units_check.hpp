#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/io/quantities/unit.hpp"

namespace eslabon::test {

/// As readers of files throw it, whatever the text holds.
template <class Read>
bool is_refused_readably(Read read, std::string& fault) {
  return is_refused(
      [&] {
        try {
          read();
        } catch (const core::ModelError& error) {
          throw io::readable(error);
        }
      },
      fault);
}

/// A unit, a number with one, and an expression: values are finite, and functions of time come back equal when they are written and read.
inline std::string find_units_fault(std::string_view text) {
  io::TextPlace place;
  place.source = "fuzz.yaml";
  std::string fault;
  io::Unit unit;
  if (is_refused_readably([&] { unit = io::parse_unit(text, "fuzz.yaml"); }, fault) && !fault.empty())
    return fault;
  if (!(unit.factor > 0.0)) return "a unit of no size";
  const io::Parameters parameters{{"a", {2.0, io::Certainty::kUnknown, {}}},
                                  {"b", {0.5, io::Certainty::kPure, {}}}};
  io::Quantity quantity;
  if (is_refused_readably([&] { quantity = io::read_quantity(text, parameters, place); }, fault) &&
      !fault.empty())
    return fault;
  if (!std::isfinite(quantity.value)) return "a value that is not finite";
  std::optional<io::TimeExpression> expression, again;
  if (is_refused_readably([&] { expression = io::compile_time_function(text, parameters, place); }, fault))
    return fault;
  const std::string written = "= " + io::write_expression(expression->function);
  if (written.size() > io::kMaxExpressionLength) return "";
  if (is_refused_readably([&] { again = io::compile_time_function(written, {}, place); }, fault))
    return "what was written is refused: " + written;
  if (!(again->function == expression->function))
    return "written and read again, the function differs: " + written;
  return "";
}

}  // namespace eslabon::test
