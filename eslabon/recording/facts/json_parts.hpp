#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/core/column.hpp"
#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/runs/motion/column_range.hpp"

/// What the JSON of results has in common. Its keys are a contract, docs/command-line.md lists them. `Json` is nlohmann::ordered_json,
/// which users of the installed library need not have.
namespace eslabon::recording {

/// The value, or null.
template <class Json, class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The object of a command, with what it is about: {"command": "simulate", "mechanism": "four-bar testbed"}.
template <class Json>
Json result_of(const std::string& command, const std::string& mechanism) {
  return Json{{"command", command}, {"mechanism", mechanism}};
}

/// [{name, unit, start, end, min, max}] of each column.
template <class Json>
Json ranges_json(const std::vector<core::Column>& columns, const std::vector<runs::ColumnRange>& ranges) {
  Json list = Json::array();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (ranges[k].is_empty) continue;
    list.push_back({{"name", columns[k].name},
                    {"unit", columns[k].unit},
                    {"start", ranges[k].start},
                    {"end", ranges[k].end},
                    {"min", ranges[k].least},
                    {"max", ranges[k].largest}});
  }
  return list;
}

/// {functions, operations, compiler, cached, seconds} of machine code that was asked for.
template <class Json>
Json compiled_json(const codegen::NativeCompiler::Report& compiled) {
  Json json = {{"functions", compiled.programs},
               {"operations", compiled.operations},
               {"compiler", compiled.compiler},
               {"cached", compiled.programs > 0 && compiled.cached == compiled.libraries},
               {"seconds", compiled.seconds}};
  if (compiled.evaluation)
    json["evaluation"] = {{"compiled", compiled.evaluation->compiled},
                          {"interpreted", compiled.evaluation->interpreted}};
  return json;
}

/// The text of an object, for people too. Names of files need not be UTF-8.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The same with where it comes from.
template <class Json>
std::string json_text(Json json, const Provenance& provenance) {
  json["provenance"] = Json::parse(provenance.json());
  return json_text(json);
}

}  // namespace eslabon::recording
