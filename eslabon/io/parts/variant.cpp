#include "eslabon/io/parts/variant.hpp"

#include <filesystem>

#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::io {

namespace {

/// Fails unless every key of a map is one under a section of the file.
void check_keys(const Reading& reading, const Node& map, const std::string& element, const char* section,
                const char* thing) {
  const Node* all = reading.document().root.find(section);
  std::vector<std::string> known;
  if (all != nullptr)
    for (const Entry& entry : all->entries()) known.push_back(entry.key.text());
  for (const Entry& entry : map.entries()) {
    if (all != nullptr && all->find(entry.key.text()) != nullptr) continue;
    const auto nearest = core::nearest_name(entry.key.text(), known);
    reading.fail(
        entry.key, element, std::string("no such ") + thing,
        known.empty() ? std::string("a name under '") + section + ":', which has none"
                      : core::quoted_list(known),
        "'" + entry.key.text() + "'",
        nearest ? "Did you mean '" + *nearest + "'?" : std::string("Add it under '") + section + ":'.");
  }
}

const Node* find_map(MapReader& map, const char* key, const char* form) {
  const Node* node = map.find(key);
  if (node != nullptr && !node->is_map())
    map.reading().fail(*node, map.element(), "'" + std::string(key) + "' is not a map", form,
                       node->is_scalar() ? "'" + node->text() + "'" : std::string(node->kind_name()),
                       "Write it as " + std::string(form) + ".");
  return node;
}

Variant read_one(MapReader& map) {
  const Reading& reading = map.reading();
  const Document& document = reading.document();
  Variant variant;
  if (const Node* set = find_map(map, "set", "{PARAMETER: VALUE}")) {
    check_keys(reading, *set, map.element(), "parameters", "parameter");
    for (const Entry& entry : set->entries())
      variant.set.push_back({entry.key.text(), reading.text(entry.value, map.element(), entry.key.text()),
                             document.place(entry.value, map.element()),
                             document.place(entry.key, map.element())});
  }
  if (const Node* replace = find_map(map, "replace", "{INSTANCE: FILE}")) {
    check_keys(reading, *replace, map.element(), "instances", "instance");
    const std::filesystem::path folder = std::filesystem::path(document.file_name).parent_path();
    for (const Entry& entry : replace->entries())
      variant.replacements.insert_or_assign(
          entry.key.text(),
          InstanceReader::Replacement{(folder / reading.text(entry.value, map.element(), entry.key.text()))
                                          .lexically_normal()
                                          .string(),
                                      document.place(entry.value, map.element())});
  }
  map.finish();
  return variant;
}

}  // namespace

Variant read_variant(const Document& document, const std::string& name) {
  Variant chosen;
  std::vector<std::string> known;
  if (const Node* section = document.root.find("variants")) {
    const ParameterTable none;
    Reading reading(document, none, false);
    read_named(reading, *section, "variants", "variant", [&](MapReader& map, const std::string& one) {
      known.push_back(one);
      Variant variant = read_one(map);
      if (one == name) chosen = std::move(variant);
    });
  }
  if (name.empty() || std::ranges::find(known, name) != known.end()) return chosen;
  const auto nearest = core::nearest_name(name, known);
  throw core::ModelError(
      {.what = "no such variant",
       .where = document.file_name,
       .expected = known.empty() ? "a model with 'variants:'" : core::quoted_list(known),
       .actual = known.empty() ? "one without" : "'" + name + "'",
       .next = nearest ? "Did you mean '" + *nearest + "'?" : "Leave the variant out, or name another one."});
}

}  // namespace eslabon::io
