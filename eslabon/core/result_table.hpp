#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"

namespace eslabon::core {

/// Results of a run in memory, column by column.
struct ResultTable {
  std::string path;                         ///< where it comes from, for messages
  std::vector<Column> columns;              ///< beside the time
  std::vector<double> t;                    ///< (rows) [s], strictly increasing
  std::vector<std::vector<double>> values;  ///< (columns) (rows)

  std::optional<std::size_t> find(const std::string& name) const;
  /// Throws DataError unless there is a row, each column has a finite value in each, and the times increase.
  void check() const;
};

}  // namespace eslabon::core
