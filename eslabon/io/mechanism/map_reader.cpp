#include "eslabon/io/mechanism/map_reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/mechanism/time_table.hpp"

namespace eslabon::io {

namespace {

constexpr std::string_view kNumbers = "numbers";

std::string shown(const Node& node) {
  return node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name());
}

}  // namespace

std::string Reading::full_element(const std::string& element) const {
  const std::size_t quote = element.find('\'');
  if (instance_.path.empty() || quote == std::string::npos) return element;
  return element.substr(0, quote + 1) + instance_.path + "." + element.substr(quote + 1);
}

TextPlace Reading::place(const Node& node, const std::string& element) const {
  TextPlace place = document_.place(node, full_element(element));
  if (instance_.chain.empty()) return place;
  place.element += (place.element.empty() ? "" : ", ") + instance_.chain;
  return place;
}

core::ModelError Reading::located(const core::ModelError& error) const {
  core::ErrorText text = error.text();
  // "body 'crank', point 'A'" is looked up whole, then without its last parts.
  std::string element = text.where;
  while (true) {
    if (const auto found = places().find(element); found != places().end()) {
      const Reading& owner = *found->second.reading;
      const std::string& chain = owner.instance_.chain;
      const TextPlace place{owner.document_.file_name, found->second.position, false,
                            text.where + (chain.empty() ? "" : ", " + chain)};
      text.where = place.where();
      return core::ModelError(text);
    }
    const std::size_t comma = element.rfind(", ");
    if (comma == std::string::npos) break;
    element.resize(comma);
  }
  text.where = document_.file_name + (text.where.empty() ? "" : ", " + text.where) +
               (instance_.chain.empty() ? "" : ", " + instance_.chain);
  return core::ModelError(text);
}

void Reading::fail(const Node& node, const std::string& element, std::string what, std::string expected,
                   std::string actual, std::string next) const {
  throw core::ModelError({.what = std::move(what),
                          .where = place(node, element).where(),
                          .expected = std::move(expected),
                          .actual = std::move(actual),
                          .next = std::move(next)});
}

void Reading::need_scalar(const Node& node, const std::string& element, const std::string& field,
                          std::string_view what, std::string_view expected) const {
  if (!node.is_scalar())
    fail(node, element, field + " is not " + std::string(what), std::string(expected),
         std::string(node.kind_name()),
         node.is_null() ? "Give it a value, or remove it." : "Write one value, without brackets and keys.");
}

void Reading::need_list(const Node& node, const std::string& element, const std::string& field,
                        std::size_t count, std::string_view of_what) const {
  const std::string expected = "a list of " + std::to_string(count) + " " + std::string(of_what);
  const bool is_vector = of_what == kNumbers && count == static_cast<std::size_t>(dimensions());
  const std::string form = is_vector    ? (count == 2 ? "[x, y]" : "[x, y, z]")
                           : count == 2 ? "[first, second]"
                                        : expected;
  if (!node.is_sequence())
    fail(node, element, field + " is not a list", expected, shown(node), "Write it as " + form + ".");
  if (node.items().size() == count) return;
  const bool has_split_expression = std::ranges::any_of(node.items(), [](const Node& item) {
    return item.is_scalar() && is_expression(item.text()) &&
           std::ranges::count(item.text(), '(') > std::ranges::count(item.text(), ')');
  });
  std::string next;
  if (has_split_expression)
    next = "Put an expression that has a comma in quotes.";
  else if (is_vector && count == 3 && node.items().size() == 2)
    next = "Without 'plane: xy' the mechanism is in space.";
  else if (is_vector && count == 2 && node.items().size() == 3)
    next = "With 'plane: xy' vectors have two components.";
  else
    next = "Write it as " + form + ".";
  fail(node, element, field + " has the wrong number of entries", expected,
       std::to_string(node.items().size()) + (node.items().size() == 1 ? " entry" : " entries"), next);
}

void Reading::forbid_symbols(const Node& node, const std::string& element) const {
  if (numbers_ == nullptr || !numbers_->follows_from_symbols(node.text())) return;
  fail(node, element, "a parameter of a part follows from a parameter that stays a symbol",
       "parameters of parts that are numbers", "'" + node.text() + "'",
       "Write the plain file with 'eslabon flatten', or choose other parameters.");
}

double Reading::number(const Node& node, const std::string& element, const std::string& field,
                       const Dimension& dimension) const {
  need_scalar(node, element, field, "a number", "a number such as '" + example_text(dimension) + "'");
  const TextPlace text_place = place(node, element);
  const Quantity quantity = read_quantity(node.text(), parameters_.values(), text_place);
  check_dimension(quantity.measure(), dimension,
                  {field, node.text(), text_place.where(), is_expression(node.text())});
  reject_bare_degrees(node, element, dimension, quantity.value);
  return numbers_ == nullptr ? quantity.value : numbers_->number(node.text(), quantity.value);
}

Quantity Reading::quantity(const Node& node, const std::string& element, const std::string& field) const {
  need_scalar(node, element, field, "a number", "a number with its unit");
  Quantity quantity = read_quantity(node.text(), parameters_.values(), place(node, element));
  if (numbers_ != nullptr) quantity.value = numbers_->number(node.text(), quantity.value);
  return quantity;
}

model::TimeFunction Reading::function(const Node& node, const std::string& element, const std::string& field,
                                      const Dimension& dimension) const {
  if (node.is_map()) return read_time_table(*this, node, element, field, dimension);
  need_scalar(node, element, field, "a number",
              "a number such as '" + example_text(dimension) + "' or a function of the time t");
  const TextPlace text_place = place(node, element);
  TimeExpression read = compile_time_function(
      node.text(),
      numbers_ == nullptr ? parameters_.values() : numbers_->within(node.text(), parameters_.values()),
      text_place);
  check_dimension(read.measure, dimension,
                  {field, node.text(), text_place.where(), is_expression(node.text())});
  if (read.function.is_constant())
    reject_bare_degrees(node, element, dimension, read.function.constant_value());
  return std::move(read.function);
}

TimeExpression Reading::formula(const Node& node, const std::string& element, const ArgumentScope& arguments,
                                bool has_time) const {
  const TextPlace place = document_.place(node, element);
  const Expression read = Expression::parse(node.text(), {parameters_.values(), has_time, &arguments}, place);
  if (numbers_ != nullptr) numbers_->refuse_symbols(read.names(), place.where());
  return read.compile(parameters_.values());
}

void Reading::reject_bare_degrees(const Node& node, const std::string& element, const Dimension& dimension,
                                  double value) const {
  constexpr double kTwoTurns = 4.0 * std::numbers::pi;
  const bool has_unit = node.text().find_first_not_of("0123456789.+-eE ") != std::string::npos;
  if (dimension == kAngle && !has_unit && std::abs(value) > kTwoTurns)
    fail(node, element, "an angle of more than two turns has no unit", "a unit, as in '90 deg' or '20 rad'",
         "'" + node.text() + "', which is in radians",
         "Write '" + node.text() + " deg' if you mean degrees.");
}

const std::string& Reading::text(const Node& node, const std::string& element,
                                 const std::string& field) const {
  need_scalar(node, element, field, "a text", "a name or another text");
  return node.text();
}

std::string Reading::path(const Node& node, const std::string& element, const std::string& field) const {
  const std::filesystem::path folder = std::filesystem::path(document_.file_name).parent_path();
  return (folder / text(node, element, field)).lexically_normal().string();
}

void Reading::add_data_file(const std::string& path) const {
  std::vector<std::string>* const files = instance_.data_files;
  if (files != nullptr && std::ranges::find(*files, path) == files->end()) files->push_back(path);
}

std::vector<double> Reading::numbers(const Node& node, const std::string& element, const std::string& field,
                                     const Dimension& dimension, std::size_t count) const {
  need_list(node, element, field, count, kNumbers);
  std::vector<double> values;
  for (const Node& item : node.items()) values.push_back(number(item, element, field, dimension));
  return values;
}

Eigen::Vector3d Reading::vector(const Node& node, const std::string& element, const std::string& field,
                                const Dimension& dimension) const {
  const std::vector<double> values =
      numbers(node, element, field, dimension, static_cast<std::size_t>(dimensions()));
  return {values[0], values[1], is_planar_ ? 0.0 : values[2]};
}

std::vector<std::string> Reading::texts(const Node& node, const std::string& element,
                                        const std::string& field, std::size_t count) const {
  need_list(node, element, field, count, "names");
  std::vector<std::string> values;
  for (const Node& item : node.items()) values.push_back(text(item, element, field));
  return values;
}

MapReader::MapReader(Reading& reading, const Node& node, std::string element)
    : reading_(reading), node_(node), element_(std::move(element)) {
  if (!node.is_map())
    reading_.fail(node, element_, node.is_null() ? "a description is missing" : "a description is not a map",
                  "keys with values", shown(node),
                  "Write '{key: value}', or one 'key: value' per line, indented.");
  reading_.remember(element_, node.position());
}

const Node* MapReader::find(std::string_view key) {
  add_known(key);
  const Node* value = node_.find(key);
  if (value) {
    reading_.remember(element_ + ", " + std::string(key), value->position());
    if (value->is_null())
      reading_.fail(*value, element_, "key '" + std::string(key) + "' has no value",
                    "a value after the colon", "nothing", "Give it one, or remove the key.");
  }
  return value;
}

const Node& MapReader::need(std::string_view key, std::string_view what_for) {
  const Node* value = find(key);
  if (!value)
    reading_.fail(node_, element_, "key '" + std::string(key) + "' is missing",
                  "'" + std::string(key) + ":' with " + std::string(what_for), "none", "Add it.");
  return *value;
}

std::optional<double> MapReader::number(std::string_view key, const Dimension& dimension) {
  const Node* value = find(key);
  if (!value) return std::nullopt;
  return reading_.number(*value, element_, std::string(key), dimension);
}

double MapReader::number_or(std::string_view key, const Dimension& dimension, double otherwise) {
  return number(key, dimension).value_or(otherwise);
}

std::optional<std::string> MapReader::text(std::string_view key) {
  const Node* value = find(key);
  if (!value) return std::nullopt;
  return reading_.text(*value, element_, std::string(key));
}

std::optional<Eigen::Vector3d> MapReader::vector(std::string_view key, const Dimension& dimension) {
  const Node* value = find(key);
  if (!value) return std::nullopt;
  return reading_.vector(*value, element_, std::string(key), dimension);
}

std::string MapReader::need_one_of(const std::vector<std::string>& choices, std::string_view what_for) {
  const std::string* chosen = nullptr;
  for (const std::string& choice : choices) {
    add_known(choice);
    if (!has(choice)) continue;
    if (chosen)
      reading_.fail(*node_.find(choice), element_,
                    "keys '" + *chosen + "' and '" + choice + "' exclude each other",
                    "one of " + core::quoted_list(choices), "both", "Keep the one you mean.");
    chosen = &choice;
  }
  if (chosen) return *chosen;
  std::vector<std::string> present;
  for (const Entry& entry : node_.entries()) {
    present.push_back(entry.key.text());
    if (std::ranges::find(known_, entry.key.text()) != known_.end()) continue;
    if (core::nearest_name(entry.key.text(), choices)) reject_unknown(entry.key);  // the more helpful message
  }
  reading_.fail(node_, element_, "a key is missing", core::quoted_list(choices) + " " + std::string(what_for),
                present.empty()       ? "no key"
                : present.size() == 1 ? "only '" + present.front() + "'"
                                      : "none of them",
                "Add one of them.");
}

const Node* MapReader::meant_kind(const KindChoice& choice) const {
  const Node* meant = nullptr;
  for (const Entry& entry : node_.entries()) {
    if (std::ranges::find(choice.others, entry.key.text()) != choice.others.end()) continue;
    if (core::nearest_name(entry.key.text(), choice.kinds)) return &entry.key;
    if (meant == nullptr) meant = &entry.key;
  }
  return meant;
}

std::string MapReader::need_kind(const KindChoice& choice) {
  const bool is_there = std::ranges::any_of(choice.kinds, [&](const std::string& kind) { return has(kind); });
  const Node* const meant = is_there ? nullptr : meant_kind(choice);
  if (meant == nullptr) return need_one_of(choice.kinds, choice.what_for);
  std::string written = meant->text();
  std::string advice = "Use one of these";
  if (const Node& value = *node_.find(written); written == "type" || written == "kind")
    if (value.is_scalar()) {  // {type: revolute}
      written = value.text();
      advice = "Write the " + std::string(choice.what) + " as the key, " + std::string(choice.what_for);
      if (std::ranges::find(choice.kinds, written) != choice.kinds.end())
        reading_.fail(*meant, element_, "the " + std::string(choice.what) + " is not a value here",
                      "the key '" + written + ":' " + std::string(choice.what_for),
                      "'" + meant->text() + ": " + written + "'", advice + ".");
    }
  const auto synonym = std::ranges::find(choice.synonyms, written, &KindSynonym::written);
  std::optional<std::string> near = core::nearest_name(written, choice.kinds);
  if (synonym != choice.synonyms.end()) near = std::string(synonym->meant);
  reading_.fail(*meant, element_, "unknown " + std::string(choice.what) + " " + in_quotes(written),
                core::quoted_list(choice.kinds) + " " + std::string(choice.what_for), in_quotes(written),
                near ? "Did you mean '" + *near + "'?" : advice + ".");
}

void MapReader::add_known(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
}

void MapReader::finish() const {
  for (const Entry& entry : node_.entries()) {
    if (std::ranges::find(known_, entry.key.text()) == known_.end()) reject_unknown(entry.key);
  }
}

void MapReader::reject_unknown(const Node& key) const {
  const auto nearest = core::nearest_name(key.text(), known_);
  reading_.fail(key, element_, "unknown key '" + key.text() + "'", core::quoted_list(known_),
                "'" + key.text() + "'",
                nearest ? "Did you mean '" + *nearest + "'?" : "Use one of these, or remove it.");
}

}  // namespace eslabon::io
