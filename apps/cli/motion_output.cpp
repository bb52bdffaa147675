#include "motion_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "command_line.hpp"
#include "text_table.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/core/name_list.hpp"
#include "eslabon/recording/output_table.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostColumns = 24;  // of the table

}  // namespace

void print_left_out(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return;
  std::string names;
  for (const std::string& name : left_out) names += (names.empty() ? "" : ", ") + name;
  fmt::print(stderr, "eslabon: left out: {}: kinematics computes no forces.\n", names);
}

std::string motion_text(const runs::RowSummary& rows) {
  return fmt::format("0 s … {:.9g} s{}, {}", rows.end,
                     rows.end < rows.until ? fmt::format(" of {:.9g} s", rows.until) : "",
                     core::counted(static_cast<std::size_t>(rows.count), "row"));
}

std::string column_table(const std::vector<io::ResultColumn>& columns,
                         const std::vector<runs::ColumnRange>& ranges, const std::vector<double>& errors) {
  std::vector<std::string> head{"output", "unit", ">start", ">end", ">min", ">max"};
  if (!errors.empty()) head.push_back(">error");
  TextTable table(head);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == "constraint_error") continue;  // said above
    const runs::ColumnRange& range = ranges[k];
    const double largest = std::max(std::abs(range.least), std::abs(range.largest));
    std::vector<std::string> cells{columns[k].name, columns[k].unit};
    for (const double value : {range.start, range.end, range.least, range.largest})
      cells.push_back(recording::column_number(value, largest, columns[k].unit));
    if (!errors.empty()) cells.push_back(fmt::format("{:.2g}", errors[k]));
    table.add_row(std::move(cells));
  }
  return table.text(kMostColumns, " in the file");
}

void check_out(const std::string& out) {
  if (!out.empty()) return;
  throw CommandLineError({.what = "the results have no destination",
                          .where = "--out",
                          .expected = "the name of a file, or - for the standard output",
                          .actual = "''",
                          .next = "Write, for example, --out result.csv."});
}

void check_also_out(const std::string& option, const std::string& what, const std::string& file) {
  if (!file.empty() && file != kStdout) return;
  throw CommandLineError({.what = what + " have no destination",
                          .where = option,
                          .expected = "the name of a file",
                          .actual = "'" + file + "'",
                          .next = "Write, for example, " + option + " " + option.substr(2) +
                                  (option == "--provenance" ? ".json." : ".csv.")});
}

std::FILE* standard_output() { return fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), "wb"); }

io::ResultWriter open_results(const std::string& path, const std::vector<io::ResultColumn>& columns,
                              io::HeaderStyle header) {
  if (path != kStdout) return io::ResultWriter(path, columns, header);
  return io::ResultWriter(standard_output(), "the standard output", columns, header);
}

void write_results(const std::string& path, const runs::Result& result, io::HeaderStyle header) {
  io::ResultWriter writer = open_results(path, result.columns, header);
  std::vector<double> row(result.columns.size());
  for (std::size_t k = 0; k < result.t.size(); ++k) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = result.values[c][k];
    writer.write_row(result.t[k], row);
  }
  writer.finish();
}

}  // namespace eslabon::cli
