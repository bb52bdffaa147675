#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion_output.hpp"
#include <nlohmann/json.hpp>

/// What the objects of --json have in common. Their keys are a contract, docs/command-line.md lists them.
namespace eslabon::cli {

using Json = nlohmann::ordered_json;

/// The object of a command, with what it is about: {"command": "simulate", "mechanism": "four-bar testbed"}.
Json result_of(const std::string& command, const std::string& mechanism);

/// [{name, unit, start, end, min, max}] of each column.
Json ranges_json(const std::vector<io::ResultColumn>& columns, const std::vector<runs::ColumnRange>& ranges);

/// Rows of a table that has names, units and then cells, separated by commas: [{name: cell}], numbers as numbers, empty cells as null.
Json table_json(const std::string& csv);

/// The value, or null.
template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// As it is printed, with where it comes from.
std::string text_of(Json json);

}  // namespace eslabon::cli
