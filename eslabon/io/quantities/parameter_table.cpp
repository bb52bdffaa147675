#include "eslabon/io/quantities/parameter_table.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::io {
namespace {

using core::ModelError;

constexpr std::size_t kMaxNameLength = 64;

/// A parameter on its way to a value.
struct Pending {
  ParameterText source;
  std::optional<Expression> expression;  ///< absent: a plain quantity
  std::vector<std::size_t> needs;        ///< parameters that must be known before
  std::size_t needs_done = 0;            ///< how many of them were looked at
  enum class State { kUntouched, kOnPath, kDone } state = State::kUntouched;
};

using Indices = std::map<std::string, std::size_t, std::less<>>;

std::string where_name(const ParameterText& parameter) {
  return (parameter.name_place.source.empty() ? parameter.place : parameter.name_place).where();
}

void check_name(const ParameterText& parameter) {
  if (!is_identifier(parameter.name) || parameter.name.size() > kMaxNameLength) {
    throw ModelError({.what = "a parameter has a name that cannot be used",
                      .where = where_name(parameter),
                      .expected = "letters, digits and '_', at most 64, not starting with a digit",
                      .actual = in_quotes(parameter.name),
                      .next = "Rename it."});
  }
  if (is_reserved_name(parameter.name)) {
    throw ModelError({.what = "a parameter has a name that is taken",
                      .where = where_name(parameter),
                      .expected = "a name other than the functions, 'pi' and the time 't'",
                      .actual = in_quotes(parameter.name),
                      .next = "Rename it."});
  }
}

std::vector<std::string> names_of(const std::vector<ParameterText>& parameters) {
  std::vector<std::string> names;
  names.reserve(parameters.size());
  for (const ParameterText& parameter : parameters) names.push_back(parameter.name);
  return names;
}

[[noreturn]] void refuse_override(const ParameterText& unknown, const std::vector<std::string>& names) {
  const auto nearest =
      unknown.name.size() <= kMaxNameLength ? core::nearest_name(unknown.name, names) : std::nullopt;
  throw ModelError({.what = "no parameter is called " + in_quotes(unknown.name),
                    .where = where_name(unknown),
                    .expected = names.empty() ? "a model with parameters" : core::quoted_list(names),
                    .actual = names.empty() ? "one without" : in_quotes(unknown.name),
                    .next = nearest ? "Did you mean '" + *nearest + "'?"
                                    : "Declare it under 'parameters', or set another one."});
}

/// The declared parameters with the overridden texts in place.
std::vector<Pending> merge(const std::vector<ParameterText>& declared,
                           const std::vector<ParameterText>& overrides, Indices& indices) {
  std::vector<Pending> all;
  all.reserve(declared.size());
  for (const ParameterText& parameter : declared) {
    check_name(parameter);
    if (!indices.emplace(parameter.name, all.size()).second) {
      throw ModelError({.what = "the parameter '" + parameter.name + "' is declared twice",
                        .where = where_name(parameter),
                        .expected = "each name once",
                        .actual = in_quotes(parameter.text),
                        .next = "Remove or rename one of the two."});
    }
    all.push_back({parameter, std::nullopt, {}, 0, Pending::State::kUntouched});
  }
  std::map<std::string_view, bool> seen;
  for (const ParameterText& change : overrides) {
    const auto found = indices.find(change.name);
    if (found == indices.end()) refuse_override(change, names_of(declared));
    if (!seen.emplace(change.name, true).second) {
      throw ModelError({.what = "the parameter '" + change.name + "' is set twice",
                        .where = where_name(change),
                        .expected = "each name once",
                        .actual = in_quotes(change.text),
                        .next = "Remove one of the two."});
    }
    all[found->second].source = change;
  }
  return all;
}

/// "a -> b -> a", from the path that led back to `back`.
[[noreturn]] void refuse_circle(const std::vector<Pending>& all, const std::vector<std::size_t>& path,
                                std::size_t back) {
  const auto begin = std::find(path.begin(), path.end(), back);
  std::string circle;
  for (auto step = begin; step != path.end(); ++step) circle += all[*step].source.name + " -> ";
  circle += all[back].source.name;
  throw ModelError({.what = "parameters depend on each other in a circle",
                    .where = all[back].source.place.where(),
                    .expected = "values that can be worked out one after the other",
                    .actual = circle,
                    .next = "Give one of them a number."});
}

Quantity value_of(const Pending& parameter, const Parameters& known) {
  const ParameterText& source = parameter.source;
  Quantity value = source.value           ? *source.value
                   : parameter.expression ? parameter.expression->evaluate(known)
                                          : parse_quantity(source.text, source.place);
  if (value.certainty == Certainty::kPure) value.certainty = Certainty::kUnknown;
  return value;
}

/// Depth first, with the path in a list instead of on the call stack: a chain may be as long as the file.
void resolve(std::vector<Pending>& all, std::size_t first, Parameters& values) {
  std::vector<std::size_t> path;
  const auto enter = [&](std::size_t index) {
    all[index].state = Pending::State::kOnPath;
    path.push_back(index);
  };
  if (all[first].state == Pending::State::kUntouched) enter(first);
  while (!path.empty()) {
    Pending& current = all[path.back()];
    if (current.needs_done < current.needs.size()) {
      const std::size_t next = current.needs[current.needs_done++];
      if (all[next].state == Pending::State::kOnPath) refuse_circle(all, path, next);
      if (all[next].state == Pending::State::kUntouched) enter(next);
      continue;
    }
    values.insert_or_assign(current.source.name, value_of(current, values));
    current.state = Pending::State::kDone;
    path.pop_back();
  }
}

}  // namespace

ParameterTable::ParameterTable(const std::vector<ParameterText>& declared,
                               const std::vector<ParameterText>& overrides) {
  Indices indices;
  std::vector<Pending> all = merge(declared, overrides, indices);
  for (const ParameterText& parameter : declared) values_.emplace(parameter.name, Quantity{});
  const ExpressionScope scope{values_, false};
  for (Pending& parameter : all) {
    const ParameterText& source = parameter.source;
    if (source.value || !is_expression(source.text)) continue;
    parameter.expression = Expression::parse(source.text, scope, source.place);
    for (const std::string& name : parameter.expression->names()) {
      parameter.needs.push_back(indices.find(name)->second);
    }
  }
  for (std::size_t k = 0; k < all.size(); ++k) resolve(all, k, values_);
}

const Quantity* ParameterTable::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

}  // namespace eslabon::io
