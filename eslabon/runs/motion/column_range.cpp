#include "eslabon/runs/motion/column_range.hpp"

#include <algorithm>

namespace eslabon::runs {

void ColumnRange::add(double value) {
  if (is_empty) start = least = largest = value;
  is_empty = false;
  end = value;
  least = std::min(least, value);
  largest = std::max(largest, value);
}

}  // namespace eslabon::runs
