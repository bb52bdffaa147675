#pragma once

#include <vector>

namespace eslabon::coordinates {

/// Where the entries of a sparse matrix are, column by column (compressed columns, the form KLU reads). The
/// pattern is fixed when a system is made; evaluations only write values, in this order.
struct SparsePattern {
  int rows = 0;
  int columns = 0;
  std::vector<int>
      column_start;  ///< (columns + 1) first entry of each column; the last is the number of entries
  std::vector<int> row_of_entry;  ///< (entries) ascending within a column

  int num_entries() const { return static_cast<int>(row_of_entry.size()); }
};

}  // namespace eslabon::coordinates
