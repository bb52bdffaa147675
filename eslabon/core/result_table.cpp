#include "eslabon/core/result_table.hpp"

#include <algorithm>

namespace eslabon::core {

std::optional<std::size_t> ResultTable::find(const std::string& name) const {
  const auto at = std::ranges::find(columns, name, &Column::name);
  if (at == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns.begin());
}

}  // namespace eslabon::core
