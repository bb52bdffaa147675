#pragma once

#include <span>
#include <vector>

#include "eslabon/coordinates/sparse_pattern.hpp"

namespace eslabon::kinematics {

/// Rows up to which constraints are better looked at by dense elimination; more would take seconds.
inline constexpr int kMostDenseRows = 300;

/// What Gaussian elimination, row by row, finds in a sparse matrix.
struct Elimination {
  std::vector<int> independent_rows;  ///< ascending; the others are combinations of rows before them
  std::vector<int> free_columns;      ///< ascending; those without a pivot
};

/// Takes `rows`, ascending, in their order, each of unit length and less what it has of the rows before; its largest entry becomes its pivot. A row
/// of which less than 1e-8 is left says nothing new. Columns are measured in `column_scales`. For large matrices whose rows have
/// few entries: the cost is that of the fill. Dense ones are better judged by rank_rows_in_order, which does not let errors grow.
Elimination eliminate_rows(const coordinates::SparsePattern& pattern, std::span<const double> values,
                           std::span<const double> column_scales, std::span<const int> rows);

}  // namespace eslabon::kinematics
