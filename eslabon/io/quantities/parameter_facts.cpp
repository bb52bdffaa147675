#include "eslabon/io/quantities/parameter_facts.hpp"

#include <algorithm>
#include <optional>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/quantities/unit.hpp"

namespace eslabon::io {

namespace {

/// A unit as it was written.
struct WrittenUnit {
  std::string text;
  Unit unit;
};

/// The unit of "120 mm"; nothing for bare numbers and expressions.
std::optional<WrittenUnit> unit_of(const ParameterText& parameter) {
  if (is_expression(parameter.text) || parameter.text == kNeeded) return std::nullopt;
  std::string_view text = parameter.text;
  const auto trim = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text = text.substr(0, text.find_last_not_of(" \t") + 1);
  };
  trim();
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  trim();
  text.remove_prefix(read_number_prefix(text, parameter.place.where()).length);
  trim();
  if (text.empty()) return std::nullopt;
  return WrittenUnit{std::string(text), parse_unit(text, parameter.place.where())};
}

/// What is to be said about a bare number in the place of one with a unit that is not SI.
std::string doubt_about(const ParameterText& change, const Quantity& value,
                        const std::optional<WrittenUnit>& written) {
  if (value.certainty == Certainty::kKnown || !written || written->unit.factor == 1.0 || value.value == 0.0)
    return "";
  const std::string number = core::number_text(value.value);
  return "parameter '" + change.name + "' is set to " + in_quotes(change.text) +
         " without a unit, which is SI: " + number + " " + si_unit(written->unit.dimension) +
         "; the file writes it in " + written->text + ". Did you mean --set '" + change.name + "=" + number +
         " " + written->text + "'?";
}

}  // namespace

std::vector<ParameterFact> parameter_facts(const std::vector<ParameterText>& declared,
                                           const std::vector<ParameterText>& overrides,
                                           const ParameterTable& table) {
  std::vector<ParameterFact> facts;
  for (const ParameterText& parameter : declared) {
    const Quantity& value = *table.find(parameter.name);
    const std::optional<WrittenUnit> written = unit_of(parameter);
    const auto change = std::ranges::find(overrides, parameter.name, &ParameterText::name);
    const bool is_known = value.certainty == Certainty::kKnown;
    ParameterFact fact{.name = parameter.name,
                       .text = (change == overrides.end() ? parameter : *change).text,
                       .value = value.value,
                       .unit = is_known ? si_unit(value.dimension) : ""};
    const bool fits = written && (!is_known || written->unit.dimension == value.dimension);
    fact.written_unit = fits ? written->text : fact.unit;
    fact.written_value = fits ? value.value / written->unit.factor : value.value;
    if (change != overrides.end()) fact.doubt = doubt_about(*change, value, written);
    facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace eslabon::io
