#pragma once

#include <string>

namespace eslabon::recording {

/// Rows of a table that has names, units and then cells, separated by commas, as JSON: [{name: cell}], numbers as numbers, empty cells as
/// null.
std::string table_json(const std::string& csv);

}  // namespace eslabon::recording
