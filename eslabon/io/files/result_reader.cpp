#include "eslabon/io/files/result_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <string_view>

#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/read_line.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::io {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = line.find(',', start);
    cells.push_back(line.substr(start, end == std::string::npos ? end : end - start));
    if (end == std::string::npos) return cells;
    start = end + 1;
  }
}

/// The lines of a file, with what is needed to complain about one.
class Lines {
 public:
  Lines(const std::string& path, const ColumnFile& kind)
      : path_(path), kind_(kind), file_(path, std::ios::binary) {
    if (!file_) fail_file("the file cannot be read", kind.what + kind.made_by, "none");
  }
  const ColumnFile& kind() const { return kind_; }

  bool next(std::string& line) {
    if (!read_line(file_, path_, line)) return false;
    if (file_.eof()) fail_cut();
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++number_;
    return true;
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& actual) const {
    throw FileError(readable(core::ModelError({.what = "not " + kind_.what,
                                               .where = path_ + ":" + std::to_string(number_),
                                               .expected = expected,
                                               .actual = actual,
                                               .next = kind_.next}))
                        .text());
  }
  /// A last number without its last digits is a number, too.
  [[noreturn]] void fail_cut() const {
    throw FileError(
        {.what = "the last line is not complete",
         .where = path_ + ":" + std::to_string(number_ + 1),
         .expected = "a line break at its end",
         .actual = "the end of the file",
         .next = "The file is truncated: remove the line, or add the line break if it is complete."});
  }
  [[noreturn]] void fail_file(const std::string& what, const std::string& expected,
                              const std::string& actual) const {
    throw FileError({.what = what,
                     .where = path_,
                     .expected = expected,
                     .actual = actual,
                     .next = "Check the name of the file."});
  }

 private:
  std::string path_;
  const ColumnFile& kind_;
  std::ifstream file_;
  std::size_t number_ = 0;
};

double number_of(const std::string& cell, const Lines& lines) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    lines.fail("finite numbers", in_quotes(cell));
  return value;
}

/// Names and units of the columns, in their order: from two rows, or from one of "name [unit]".
std::vector<NameAndUnit> read_header(Lines& lines) {
  std::string line;
  if (!lines.next(line)) lines.fail_file("the file is empty", "names, units and numbers", "nothing");
  const std::vector<std::string> names = cells_of(line);
  std::vector<NameAndUnit> columns;
  const ColumnFile& kind = lines.kind();
  const std::string first_with_unit = kind.first + " [" + kind.unit + "]";
  if (names.front() == first_with_unit) {
    for (const std::string& cell : names) {
      const auto column = split_header_cell(cell);
      if (!column) lines.fail("a unit behind each name, such as '" + first_with_unit + "'", in_quotes(cell));
      columns.push_back(*column);
    }
    return columns;
  }
  if (names.front() != kind.first)
    lines.fail("a first column '" + kind.first + "' or '" + first_with_unit + "'", in_quotes(names.front()));
  if (!lines.next(line)) lines.fail("a row of units", "the end of the file");
  const std::vector<std::string> units = cells_of(line);
  if (units.size() != names.size() || units.front() != kind.unit)
    lines.fail(
        "a unit for each column, " + kind.unit + " for " + (kind.first == "t" ? "the time" : "the first"),
        in_quotes(line));
  for (std::size_t c = 0; c < names.size(); ++c) columns.push_back({names[c], units[c]});
  return columns;
}

}  // namespace

ResultTable read_columns(const std::string& path, const ColumnFile& kind) {
  Lines lines(path, kind);
  const std::vector<NameAndUnit> header = read_header(lines);
  ResultTable table;
  table.path = path;
  std::set<std::string_view> names;
  for (std::size_t c = 1; c < header.size(); ++c) {
    if (!names.insert(header[c].name).second)
      lines.fail("each column once", in_quotes(header[c].name) + " twice");
    table.columns.push_back({header[c].name, header[c].unit});
  }
  std::string line;
  table.values.resize(table.columns.size());
  while (lines.next(line)) {
    if (line.empty()) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != header.size())
      lines.fail(std::to_string(header.size()) + " cells", std::to_string(cells.size()));
    const double t = number_of(cells[0], lines);
    if (!table.t.empty() && t <= table.t.back())
      lines.fail(kind.first_values + " that increase", in_quotes(cells[0]));
    table.t.push_back(t);
    for (std::size_t c = 1; c < cells.size(); ++c) table.values[c - 1].push_back(number_of(cells[c], lines));
  }
  if (table.t.empty()) lines.fail("rows of numbers", "the end of the file");
  return table;
}

ResultTable read_results(const std::string& path) {
  return read_columns(path, {.what = "a result file",
                             .made_by = " of 'simulate' or 'kinematics'",
                             .first = "t",
                             .unit = "s",
                             .first_values = "times",
                             .next = "Give a file that 'simulate', 'kinematics' or 'estimate' has written."});
}

}  // namespace eslabon::io
