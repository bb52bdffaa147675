#include "eslabon/report/data/thinning.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace eslabon::report {

namespace {

/// Marks the rows that 2^level runs keep; returns how many.
std::size_t mark_rows(const std::vector<Column>& columns, std::size_t rows, int level,
                      std::vector<char>& is_kept) {
  std::fill(is_kept.begin(), is_kept.end(), char{0});
  is_kept.front() = is_kept.back() = 1;
  const std::size_t runs = std::size_t{1} << level;
  for (const Column& column : columns) {
    std::size_t begin = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      const std::size_t end = (run + 1) * rows >> level;  // halves of a run are runs of the next level
      std::size_t least = begin;
      std::size_t largest = begin;
      for (std::size_t k = begin; k < end; ++k) {
        if (column[k] < column[least]) least = k;
        if (column[k] > column[largest]) largest = k;
      }
      if (begin < end) is_kept[least] = is_kept[largest] = 1;
      begin = end;
    }
  }
  return static_cast<std::size_t>(std::count(is_kept.begin(), is_kept.end(), char{1}));
}

}  // namespace

std::vector<std::size_t> kept_rows(const std::vector<Column>& columns, std::size_t rows, std::size_t most) {
  std::vector<std::size_t> kept;
  if (rows <= std::max<std::size_t>(most, 2)) {
    kept.resize(rows);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }
  std::vector<char> is_kept(rows);
  // Counts increase with the level; with a run for every row all are kept.
  int fits = 0;
  int too_many = static_cast<int>(std::bit_width(rows));
  while (too_many - fits > 1) {
    const int level = (fits + too_many) / 2;
    (mark_rows(columns, rows, level, is_kept) <= most ? fits : too_many) = level;
  }
  mark_rows(columns, rows, fits, is_kept);
  for (std::size_t k = 0; k < rows; ++k)
    if (is_kept[k] != 0) kept.push_back(k);
  return kept;
}

std::vector<std::size_t> evenly_kept(std::size_t count, std::size_t most) {
  const std::size_t kept = std::min(count, std::max<std::size_t>(most, 1));
  std::vector<std::size_t> positions(kept, 0);
  for (std::size_t k = 0; k < kept && kept > 1; ++k)
    positions[k] = (k * (count - 1) + (kept - 1) / 2) / (kept - 1);
  return positions;
}

}  // namespace eslabon::report
