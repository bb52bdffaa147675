#include "eslabon/study/study_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/read_line.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::study {

namespace {

constexpr const char* kRmse = ".rmse";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  return cells;
}

/// The rows of summary.csv by the names of their columns.
class SummaryFile {
 public:
  explicit SummaryFile(const std::string& path) : path_(path), text_(io::read_file_text(path)) {
    if (!next_row(names_) || names_.front() != "point") fail("a first column 'point'", first_of(names_));
    if (!next_row(units_) || units_.size() != names_.size()) fail("a unit for each column", first_of(units_));
  }

  bool next() {
    if (!next_row(cells_)) return false;
    if (cells_.size() != names_.size())
      fail(std::to_string(names_.size()) + " cells", std::to_string(cells_.size()));
    return true;
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }
  const std::string& cell(std::size_t column) const { return cells_[column]; }

  std::size_t column(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) fail("a column '" + name + "'", "none");
    return static_cast<std::size_t>(found - names_.begin());
  }
  std::optional<double> number(const std::string& name) const {
    const std::string& text = cells_[column(name)];
    if (text.empty()) return std::nullopt;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      fail("a finite number under '" + name + "'", io::in_quotes(text));
    return value;
  }
  double needed(const std::string& name) const {
    const std::optional<double> value = number(name);
    if (!value) fail("a number under '" + name + "'", "an empty cell");
    return *value;
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& actual) const {
    throw io::FileError(
        io::readable(core::ModelError({.what = "not a summary of a study",
                                       .where = path_ + ":" + std::to_string(line_),
                                       .expected = expected,
                                       .actual = actual,
                                       .next = "Give the folder of results of 'eslabon study'."}))
            .text());
  }

 private:
  bool next_row(std::vector<std::string>& cells) {
    std::string line;
    ++line_;
    if (!io::read_line(text_, path_, line)) return false;
    if (text_.eof()) fail("a line break at the end of its last line", "a truncated file");
    cells = cells_of(line);
    return true;
  }
  static std::string first_of(const std::vector<std::string>& cells) {
    return cells.empty() ? "nothing" : io::in_quotes(cells.front());
  }

  std::string path_;
  std::istringstream text_;
  std::size_t line_ = 0;
  std::vector<std::string> names_, units_, cells_;
};

}  // namespace

StudyTable study_table(const StudyPlan& plan, const std::vector<core::Column>& outputs,
                       const std::vector<PointSummary>& summaries) {
  StudyTable table;
  std::vector<AxisColumn> columns;
  for (const StudyAxis& axis : plan.study().axes) {
    columns.push_back(axis_column(axis));
    table.axes.push_back({axis.name, columns.back().unit});
  }
  table.outputs = outputs;
  for (std::size_t p = 0; p < summaries.size(); ++p) {
    const PointSummary& summary = summaries[p];
    StudyTable::Point point{.values = {},
                            .tries = summary.tries,
                            .converged = summary.converged,
                            .failed = summary.failed,
                            .rate = summary.rate(),
                            .interval = summary.interval,
                            .rmse = {},
                            .per_simulated_second = std::nullopt,
                            .per_step = std::nullopt};
    const std::vector<std::size_t> values = plan.values_of(p);
    for (std::size_t k = 0; k < columns.size(); ++k) point.values.push_back(columns[k].cells[values[k]]);
    for (const double rmse : summary.rmse_converged)
      point.rmse.push_back(summary.converged > 0 ? std::optional(rmse) : std::nullopt);
    if (summary.failed < summary.tries) {
      point.per_simulated_second = summary.per_simulated_second;
      point.per_step = summary.per_step;
    }
    table.points.push_back(std::move(point));
  }
  return table;
}

StudyTable read_study_table(const std::string& path) {
  SummaryFile file(path);
  StudyTable table;
  const std::size_t first = file.column("tries");
  for (std::size_t c = 1; c < first; ++c) table.axes.push_back({file.names()[c], file.units()[c]});
  for (std::size_t c = first; c < file.names().size(); ++c)
    if (const std::string& name = file.names()[c]; name.ends_with(kRmse))
      table.outputs.push_back(
          {name.substr(0, name.size() - std::string_view(kRmse).size()), file.units()[c]});
  while (file.next()) {
    StudyTable::Point point;
    for (std::size_t c = 1; c < first; ++c) point.values.push_back(file.cell(c));
    const auto count = [&](const std::string& name) {
      const double value = file.needed(name);
      if (value < 0.0 || value > 1e15 || value != std::floor(value))
        file.fail("a count under '" + name + "'", std::to_string(value));
      return static_cast<std::size_t>(value);
    };
    point.tries = count("tries");
    point.converged = count("converged");
    point.failed = count("failed");
    point.rate = file.needed("rate");
    point.interval = {file.needed("rate_low"), file.needed("rate_high")};
    for (const core::Column& output : table.outputs) point.rmse.push_back(file.number(output.name + kRmse));
    point.per_simulated_second = file.number("wall_per_simulated_second");
    point.per_step = file.number("wall_per_step");
    table.points.push_back(std::move(point));
  }
  if (table.points.empty()) file.fail("rows of points", "the end of the file");
  return table;
}

}  // namespace eslabon::study
