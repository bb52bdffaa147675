#include "eslabon/io/files/csv_header.hpp"

namespace eslabon::io {

std::string header_text(const std::vector<NameAndUnit>& columns, HeaderStyle style) {
  std::string names, units;
  for (const NameAndUnit& column : columns) {
    names += (names.empty() ? "" : ",") + column.name;
    if (style == HeaderStyle::kNameAndUnit)
      names += " [" + column.unit + "]";
    else
      units += (&column == columns.data() ? "" : ",") + column.unit;
  }
  return style == HeaderStyle::kNameAndUnit ? names + "\n" : names + "\n" + units + "\n";
}

std::optional<NameAndUnit> split_header_cell(std::string_view cell) {
  const std::size_t open = cell.rfind(" [");
  if (open == std::string_view::npos || open == 0 || !cell.ends_with(']')) return std::nullopt;
  return NameAndUnit{std::string(cell.substr(0, open)),
                     std::string(cell.substr(open + 2, cell.size() - open - 3))};
}

}  // namespace eslabon::io
