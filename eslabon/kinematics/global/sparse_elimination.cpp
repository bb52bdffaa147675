#include "eslabon/kinematics/global/sparse_elimination.hpp"

#include <cmath>
#include <set>
#include <utility>

#include "eslabon/core/index.hpp"

namespace eslabon::kinematics {

namespace {

using core::index;

constexpr double kNothingNew = 1e-8;

using SparseRow = std::vector<std::pair<int, double>>;  ///< column, value

std::vector<SparseRow> rows_of(const coordinates::SparsePattern& pattern, std::span<const double> values,
                               std::span<const double> column_scales) {
  std::vector<SparseRow> rows(index(pattern.rows));
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e)
      if (values[index(e)] != 0.0)
        rows[index(pattern.row_of_entry[index(e)])].emplace_back(c,
                                                                 column_scales[index(c)] * values[index(e)]);
  for (SparseRow& row : rows) {
    double square = 0.0;
    for (const auto& [column, value] : row) square += value * value;
    for (auto& [column, value] : row) value /= std::sqrt(square);
  }
  return rows;
}

}  // namespace

Elimination eliminate_rows(const coordinates::SparsePattern& pattern, std::span<const double> values,
                           std::span<const double> column_scales, std::span<const int> chosen) {
  std::vector<SparseRow> rows = rows_of(pattern, values, column_scales);
  std::vector<int> pivot_of(index(pattern.columns), -1);  // the row that has its pivot in this column
  std::vector<double> work(index(pattern.columns), 0.0);
  std::vector<int> touched;
  std::set<int> pending;  // rows before, of which this one has something
  Elimination result;
  for (const int r : chosen) {
    touched.clear();
    const auto add = [&](int column, double value) {
      if (work[index(column)] == 0.0) touched.push_back(column);
      work[index(column)] += value;
      if (pivot_of[index(column)] >= 0) pending.insert(pivot_of[index(column)]);
    };
    for (const auto& [column, value] : rows[index(r)]) add(column, value);
    // A row with its pivot may bring in pivots of rows after it, never before.
    while (!pending.empty()) {
      const int k = *pending.begin();
      pending.erase(pending.begin());
      const SparseRow& pivot_row = rows[index(k)];  // its pivot comes first, and is 1
      const double factor = work[index(pivot_row.front().first)];
      if (factor == 0.0) continue;
      for (const auto& [column, value] : pivot_row)
        if (column != pivot_row.front().first) add(column, -factor * value);
      work[index(pivot_row.front().first)] = 0.0;
    }
    int pivot = -1;
    for (const int column : touched)
      if (pivot < 0 || std::abs(work[index(column)]) > std::abs(work[index(pivot)])) pivot = column;
    SparseRow& row = rows[index(r)];
    row.clear();
    if (pivot >= 0 && std::abs(work[index(pivot)]) > kNothingNew) {
      result.independent_rows.push_back(r);
      pivot_of[index(pivot)] = r;
      row.emplace_back(pivot, 1.0);
      for (const int column : touched)
        if (column != pivot && work[index(column)] != 0.0)
          row.emplace_back(column, std::exchange(work[index(column)], 0.0) / work[index(pivot)]);
    }
    for (const int column : touched) work[index(column)] = 0.0;
  }
  for (int c = 0; c < pattern.columns; ++c)
    if (pivot_of[index(c)] < 0) result.free_columns.push_back(c);
  return result;
}

}  // namespace eslabon::kinematics
