#pragma once

namespace eslabon::runs {

/// First, last, least and largest value of one column of the results.
struct ColumnRange {
  double start = 0.0, end = 0.0, least = 0.0, largest = 0.0;
  bool is_empty = true;

  void add(double value);
};

}  // namespace eslabon::runs
