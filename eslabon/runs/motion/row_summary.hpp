#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/runs/motion/column_range.hpp"

namespace eslabon::runs {

/// What the rows of a run told, and how far they go.
struct RowSummary {
  std::vector<core::Column> columns;  ///< beside the time
  std::vector<ColumnRange> ranges;    ///< (columns)
  std::int64_t count = 0;             ///< rows
  double until = 0.0;                 ///< that was asked for [s]
  double end = 0.0;                   ///< that was reached [s]
  bool is_complete = false;           ///< all rows that were asked for, up to an event that ends the run
  std::string ended_by = {};          ///< the event that ended the run before; empty: none did
  bool was_stopped = false;           ///< by the observer
  std::optional<core::ErrorText> failure =
      {};                                  ///< why the run is not what was asked for, unless it was stopped
  bool has_default_outputs = false;        ///< neither mechanism nor request names any
  std::vector<std::string> left_out = {};  ///< outputs of the mechanism that are not told

  RowSummary(std::vector<core::Column> of, double until_asked)
      : columns(std::move(of)), ranges(columns.size()), until(until_asked) {}

  void add(std::span<const double> row) {
    for (std::size_t c = 0; c < row.size(); ++c) ranges[c].add(row[c]);
    ++count;
  }
};

}  // namespace eslabon::runs
