#include "eslabon/io/mechanism/file_numbers.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::io {

FileNumbers::FileNumbers(std::vector<ParameterFact> parameters, std::vector<std::string> symbols)
    : parameters_(std::move(parameters)), symbols_(std::move(symbols)) {
  for (const ParameterFact& parameter : parameters_) names_.emplace(parameter.name, Quantity{});
  for (const std::string& name : symbols_) static_cast<void>(parameter(name));
}

const ParameterFact& FileNumbers::parameter(const std::string& name) const {
  const auto found = std::ranges::find(parameters_, name, &ParameterFact::name);
  if (found != parameters_.end()) return *found;
  std::vector<std::string> known;
  for (const ParameterFact& one : parameters_) known.push_back(one.name);
  const auto nearest = core::nearest_name(name, known);
  throw core::ModelError({.what = "no parameter is called " + in_quotes(name),
                          .where = "parameters",
                          .expected = known.empty() ? "a model with parameters" : core::quoted_list(known),
                          .actual = known.empty() ? "one without" : in_quotes(name),
                          .next = nearest ? "Did you mean '" + *nearest + "'?"
                                          : "Declare it under 'parameters', or name another one."});
}

bool FileNumbers::is_symbol(const std::string& name) const {
  return std::ranges::find(symbols_, name) != symbols_.end();
}

Expression FileNumbers::parsed(const std::string& text, bool has_time) const {
  return Expression::parse(text, {names_, has_time}, {});
}

std::vector<std::string> FileNumbers::names_in(const std::string& text, bool has_time) const {
  return parsed(text, has_time).names();
}

void FileNumbers::follow(const std::string& name, std::vector<std::string>& out) const {
  if (is_symbol(name)) {
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  } else if (const ParameterFact& fact = parameter(name); is_expression(fact.text)) {
    for (const std::string& other : names_in(fact.text)) follow(other, out);
  }
}

bool FileNumbers::follows_from_symbols(const std::string& text) const {
  std::vector<std::string> from;
  if (is_expression(text))
    for (const std::string& name : names_in(text)) follow(name, from);
  return !from.empty();
}

double FileNumbers::number(const std::string& text, double value) {
  if (!is_expression(text)) return value;
  if (const auto known = places_.find(text); known == places_.end()) {
    std::vector<std::string> from;
    for (const std::string& name : names_in(text)) follow(name, from);
    if (from.empty()) return value;
    places_.emplace(text, texts_.size());
    texts_.push_back(text);
    values_.push_back(value);
  }
  return replaced_.empty() ? value : replaced_.at(places_.at(text));
}

Parameters FileNumbers::within(const std::string& text, const Parameters& values) {
  Parameters out = values;
  if (!is_expression(text)) return out;
  for (const std::string& name : names_in(text, true))
    out.at(name).value = number("= " + name, values.at(name).value);
  return out;
}

void FileNumbers::refuse_symbols(const std::vector<std::string>& names, const std::string& where) const {
  std::vector<std::string> from;
  for (const std::string& name : names) follow(name, from);
  if (from.empty()) return;
  throw core::ModelError({.what = "a parameter of a formula cannot be an argument",
                          .where = where,
                          .expected = "parameters that no formula of variables uses",
                          .actual = "'" + from.front() + "'",
                          .next = "Leave it out, or write its number in the formula."});
}

std::vector<core::Traced> FileNumbers::trace(std::span<const core::Traced> symbols) const {
  std::map<std::string, core::Traced> known;
  for (std::size_t k = 0; k < symbols_.size(); ++k) known.emplace(symbols_[k], symbols[k]);
  const std::function<core::Traced(const std::string&)> value_of = [&](const std::string& name) {
    if (const auto found = known.find(name); found != known.end()) return found->second;
    const ParameterFact& fact = parameter(name);
    const core::Traced value =
        is_expression(fact.text) ? parsed(fact.text).trace(value_of) : core::Traced(fact.value);
    return known.emplace(name, value).first->second;
  };
  std::vector<core::Traced> out;
  for (const std::string& text : texts_) out.push_back(parsed(text).trace(value_of));
  return out;
}

std::vector<std::string> FileNumbers::symbols_of(std::size_t number) const {
  std::vector<std::string> from;
  for (const std::string& name : names_in(texts_[number])) follow(name, from);
  return from;
}

std::vector<std::string> independent_parameters(const std::vector<ParameterFact>& parameters) {
  std::vector<std::string> names;
  for (const ParameterFact& parameter : parameters)
    if (!is_expression(parameter.text)) names.push_back(parameter.name);
  return names;
}

}  // namespace eslabon::io
