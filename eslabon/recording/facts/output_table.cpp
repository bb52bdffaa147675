#include "eslabon/recording/facts/output_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/core/text/shown_digits.hpp"

namespace eslabon::recording {

namespace {

constexpr int kDigits = 6;

/// "−0.25", with the sign of typesetting.
std::string with_minus(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

report::Table table_of(const report::Recording& recording) {
  report::Table table{
      .title = "What the outputs did",
      .columns = {{"output", ""}, {"unit", ""}, {"start", ""}, {"end", ""}, {"min", ""}, {"max", ""}},
      .rows = {}};
  for (const report::Channel& channel : recording.channels) {
    if (channel.values.empty() || channel.name == "constraint_error") continue;
    const auto [least, largest] = std::ranges::minmax(channel.values);
    std::vector<std::string>& cells = table.rows.emplace_back(column_cells(
        channel.name, channel.unit, {channel.values.front(), channel.values.back(), least, largest}));
    for (std::size_t c = 2; c < cells.size(); ++c) cells[c] = with_minus(cells[c]);
  }
  return table;
}

}  // namespace

std::vector<std::string> column_cells(const std::string& name, const std::string& unit,
                                      const std::array<double, 4>& values) {
  const double largest = std::max(std::abs(values[2]), std::abs(values[3]));
  std::vector<std::string> cells{name, unit};
  for (const double value : values)
    cells.push_back(fmt::format("{:.{}g}", std::abs(value) <= 1e-14 * largest ? 0.0 : value,
                                core::shown_digits(largest, unit, kDigits)));
  return cells;
}

void add_output_tables(report::Report& report) {
  std::vector<report::Table> tables;
  std::vector<std::string> names;
  for (const report::Recording& recording : report.recordings) {
    if (recording.role == report::Recording::Role::kReadings) continue;
    report::Table table = table_of(recording);
    if (table.rows.empty()) continue;
    tables.push_back(std::move(table));
    names.push_back(recording.name);
  }
  for (std::size_t k = 0; k < tables.size(); ++k) {
    if (tables.size() > 1) tables[k].title += ": " + names[k];
    report.tables.push_back(std::move(tables[k]));
  }
}

}  // namespace eslabon::recording
