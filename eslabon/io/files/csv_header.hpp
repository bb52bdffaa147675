#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eslabon::io {

/// How a CSV file tells the names and units of its columns.
enum class HeaderStyle {
  kTwoRows,      ///< a row of names, then one of units
  kNameAndUnit,  ///< one row of "name [unit]", as spreadsheets and data frames read it
};

/// One column: a name and its unit.
struct NameAndUnit {
  std::string name, unit;
};

/// The first lines of a file.
std::string header_text(const std::vector<NameAndUnit>& columns, HeaderStyle style);

/// Name and unit of "crank.angle [rad]"; nothing for a cell without a unit.
std::optional<NameAndUnit> split_header_cell(std::string_view cell);

}  // namespace eslabon::io
