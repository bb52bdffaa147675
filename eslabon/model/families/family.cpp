#include "eslabon/model/families/family.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/families/family_entry.hpp"

namespace eslabon::model {

namespace {

using Values = std::map<std::string, std::string>;

const std::vector<detail::FamilyEntry>& entries() {
  // A new family is one file and one line here.
  static const std::vector<detail::FamilyEntry> all{
      detail::scalable_fourbar_entry(),
      detail::truck_suspension_entry(),
      detail::n_fourbars_entry(),
  };
  return all;
}

std::string where(std::string_view family) { return "family '" + std::string(family) + "'"; }
std::string where(std::string_view family, std::string_view key) {
  return where(family) + ", key '" + std::string(key) + "'";
}
/// "Did you mean 'dyads'?", or `otherwise` when nothing is near.
std::string suggestion(std::string_view typed, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const std::optional<std::string> nearest = core::nearest_name(typed, known);
  return nearest ? "Did you mean " + core::quoted(*nearest) + "?" : otherwise;
}

std::string value_text(const FamilyKey& key, double value) {
  return key.kind == FamilyKeyKind::kInteger ? std::to_string(static_cast<long>(value))
                                             : core::number_text(value);
}

std::string rule(const FamilyKey& key) {
  return (key.kind == FamilyKeyKind::kInteger ? "a whole number from " : "a number from ") +
         value_text(key, key.minimum) + " to " + value_text(key, key.maximum);
}

std::string example(const FamilyKey& key) {
  return "Write, for example, " + key.name + "=" + value_text(key, key.default_value) + ".";
}

const detail::FamilyEntry& find_entry(std::string_view name) {
  std::vector<std::string> known;
  for (const detail::FamilyEntry& entry : entries()) {
    if (entry.family.name == name) return entry;
    known.push_back(entry.family.name);
  }
  throw core::ModelError({.what = "the family does not exist",
                          .where = where(name),
                          .expected = core::quoted_list(known),
                          .actual = core::quoted(name),
                          .next = suggestion(name, known, "Use one of these names.")});
}

const FamilyKey& find_key(const Family& family, std::string_view name) {
  std::vector<std::string> known;
  for (const FamilyKey& key : family.keys) {
    if (key.name == name) return key;
    known.push_back(key.name);
  }
  throw core::ModelError({.what = "the family has no such key",
                          .where = where(family.name, name),
                          .expected = core::quoted_list(known),
                          .actual = core::quoted(name),
                          .next = suggestion(name, known, "Remove it, or use one of these keys.")});
}

/// The finite number that is all of `text`, in any locale.
std::optional<double> parse_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double parse_value(const Family& family, const FamilyKey& key, const std::string& text) {
  const auto fail = [&](std::string what, std::string expected) {
    throw core::ModelError({.what = std::move(what),
                            .where = where(family.name, key.name),
                            .expected = std::move(expected),
                            .actual = core::quoted(text),
                            .next = example(key)});
  };
  if (text.empty()) fail("the key has no value", key.name + "=NUMBER");
  const std::optional<double> value = parse_number(text);
  const bool must_be_whole = key.kind == FamilyKeyKind::kInteger;
  if (!value) fail("the value is not a number", rule(key));
  if (must_be_whole && *value != std::trunc(*value)) fail("the value is not a whole number", rule(key));
  if (*value < key.minimum || *value > key.maximum) fail("the value is out of range", rule(key));
  return *value;
}

/// Splits "key=value,key=value". A key without "=" has the empty value.
Values split_values(std::string_view family, std::string_view text) {
  Values values;
  while (!text.empty()) {
    text.remove_prefix(1);  // the comma before each key
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(item.size());
    const std::string key(item.substr(0, item.find('=')));
    const std::string value(item.size() > key.size() ? item.substr(key.size() + 1) : std::string_view());
    if (key.empty()) {
      throw core::ModelError({.what = "a key is missing",
                              .where = where(family),
                              .expected = "key=value after each comma",
                              .actual = core::quoted(item),
                              .next = "Remove the comma, or name the key."});
    }
    if (!values.emplace(key, value).second) {
      throw core::ModelError({.what = "the key is given twice",
                              .where = where(family, key),
                              .expected = "each key once",
                              .actual = core::quoted(values.at(key)) + " and " + core::quoted(value),
                              .next = "Remove one of the two."});
    }
  }
  return values;
}

/// A number for every key: the default, or the given one.
std::map<std::string, double> numbers_of(const Family& family, const Values& values) {
  std::map<std::string, double> numbers;
  for (const FamilyKey& key : family.keys) numbers[key.name] = key.default_value;
  for (const auto& [key_name, text] : values) {
    const FamilyKey& key = find_key(family, key_name);
    numbers[key.name] = parse_value(family, key, text);
  }
  return numbers;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> list;
    for (const detail::FamilyEntry& entry : entries()) list.push_back(entry.family);
    return list;
  }();
  return all;
}

Mechanism make_family(std::string_view name, const std::map<std::string, std::string>& values) {
  const detail::FamilyEntry& entry = find_entry(name);
  std::set<std::string> given;
  for (const auto& [key, text] : values) given.insert(key);
  return entry.make(detail::FamilyValues(numbers_of(entry.family, values), std::move(given)));
}

Mechanism make_family(std::string_view specification) {
  const std::string_view name = specification.substr(0, specification.find(','));
  const detail::FamilyEntry& entry = find_entry(name);
  return make_family(name, split_values(entry.family.name, specification.substr(name.size())));
}

std::vector<std::pair<FamilyKey, double>> family_values(std::string_view specification) {
  const std::string_view name = specification.substr(0, specification.find(','));
  const Family& family = find_entry(name).family;
  const std::map<std::string, double> numbers =
      numbers_of(family, split_values(family.name, specification.substr(name.size())));
  std::vector<std::pair<FamilyKey, double>> values;
  for (const FamilyKey& key : family.keys) values.emplace_back(key, numbers.at(key.name));
  return values;
}

}  // namespace eslabon::model
