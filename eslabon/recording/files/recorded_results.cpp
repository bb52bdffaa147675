#include "eslabon/recording/files/recorded_results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/read_line.hpp"
#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/recording/files/column_check.hpp"
#include "eslabon/recording/files/recovered_motion.hpp"
#include "eslabon/recording/pages/report_recorder.hpp"

namespace eslabon::recording {

namespace {

std::string name_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

/// The lines of a measurement file, with what is needed to complain about one.
class ReadingLines {
 public:
  explicit ReadingLines(const std::string& path) : path_(path), file_(path, std::ios::binary) {}

  bool next(std::vector<std::string>& cells) {
    std::string line;
    if (!io::read_line(file_, path_, line)) return false;
    ++number_;
    if (file_.eof()) fail("a line break at the end of its last line", "a truncated file");
    cells.assign(1, "");
    for (const char c : line)
      if (c == ',')
        cells.emplace_back();
      else if (c != '\r')
        cells.back() += c;
    return true;
  }
  template <class Number>
  Number number(const std::string& cell, const std::string& expected) const {
    Number value{};
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) fail(expected, io::in_quotes(cell));
    return value;
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& actual) const {
    throw io::FileError({.what = "not a measurement file",
                         .where = path_ + ":" + std::to_string(number_),
                         .expected = expected,
                         .actual = actual,
                         .next = "Give a file that 'eslabon sense' has written, or one like it."});
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::size_t number_ = 0;
};

/// In the order of time: rows are in the order of arrival.
void sort_by_time(report::Channel& channel) {
  if (std::ranges::is_sorted(channel.times)) return;
  std::vector<std::pair<double, double>> readings;
  for (std::size_t k = 0; k < channel.times.size(); ++k)
    readings.emplace_back(channel.times[k], channel.values[k]);
  std::ranges::stable_sort(readings, {}, &std::pair<double, double>::first);
  for (std::size_t k = 0; k < readings.size(); ++k)
    std::tie(channel.times[k], channel.values[k]) = readings[k];
}

/// From two rows, or from one of "name [unit]".
void read_header(ReadingLines& lines, std::vector<std::string>& names, std::vector<std::string>& units) {
  if (!lines.next(names)) lines.fail("a first column 't_ns'", "an empty file");
  if (names.front().starts_with("t_ns [")) {
    for (std::string& name : names) {
      const auto column = io::split_header_cell(name);
      if (!column) lines.fail("a unit behind each name", io::in_quotes(name));
      name = column->name;
      units.push_back(column->unit);
    }
  } else if (!lines.next(units) || units.size() != names.size()) {
    lines.fail("a unit for each column", "another number");
  }
  if (names.front() != "t_ns") lines.fail("a first column 't_ns'", io::in_quotes(names.front()));
}

}  // namespace

report::Recording read_recording(const std::string& path, report::Recording::Role role,
                                 const ResultModel* model, std::vector<std::string>& notes,
                                 runs::RunObserver& observer) {
  const core::ResultTable table = io::read_results(path);
  if (model != nullptr) check_result_columns(path, table.columns, model->with_drivers);
  RecoveredMotion motion(table, model, notes, observer);
  ReportRecorder recorder(name_of(path), role, table.columns);
  std::vector<double> row(table.columns.size());
  for (std::size_t k = 0; k < table.t.size(); ++k) {
    const bool is_frame = recorder.wants_frame() || k + 1 == table.t.size();
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = table.values[c][k];
    recorder.add_row(table.t[k], row);
    if (!is_frame) continue;
    if (const auto* bodies = motion.at_row(k)) recorder.add_frame(*bodies);
  }
  if (const auto note = recorder.note()) notes.push_back(path + ": " + *note);
  return recorder.take();
}

report::Recording read_readings(const std::string& path, const ResultModel* model,
                                std::vector<std::string>& notes) {
  ReadingLines lines(path);
  std::vector<std::string> names, units, cells;
  read_header(lines, names, units);
  if (model != nullptr) {
    std::vector<core::Column> columns;
    for (std::size_t c = 1; c < names.size(); ++c) columns.push_back({names[c], units[c]});
    check_reading_columns(path, columns, model->released);
  }
  report::Recording recording;
  recording.name = name_of(path);
  recording.role = report::Recording::Role::kReadings;
  for (std::size_t c = 1; c < names.size(); ++c)
    recording.channels.push_back({names[c], units[c] == "1" ? "" : units[c], {}, {}, {}});
  std::size_t faulty = 0;
  while (lines.next(cells)) {
    if (cells.size() == 1 && cells[0].empty()) continue;
    if (cells.size() != names.size())
      lines.fail(std::to_string(names.size()) + " cells", std::to_string(cells.size()));
    const double t =
        1e-9 * static_cast<double>(lines.number<std::int64_t>(cells[0], "a whole number of nanoseconds"));
    recording.times.push_back(t);
    for (std::size_t c = 1; c < cells.size(); ++c) {
      if (cells[c].empty()) continue;
      const double value = lines.number<double>(cells[c], "a number");
      if (!std::isfinite(value)) {
        ++faulty;
        continue;
      }
      recording.channels[c - 1].times.push_back(t);
      recording.channels[c - 1].values.push_back(value);
    }
  }
  if (recording.times.empty()) lines.fail("rows of readings", "the end of the file");
  if (faulty > 0)
    notes.push_back(fmt::format("{}: {} readings that are not finite numbers are left out.", path, faulty));
  for (report::Channel& channel : recording.channels) sort_by_time(channel);
  std::erase_if(recording.channels, [](const report::Channel& channel) { return channel.values.empty(); });
  std::ranges::sort(recording.times);
  recording.times.erase(std::unique(recording.times.begin(), recording.times.end()), recording.times.end());
  return recording;
}

}  // namespace eslabon::recording
