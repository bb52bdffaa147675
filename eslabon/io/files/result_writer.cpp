#include "eslabon/io/files/result_writer.hpp"

#include <cmath>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::io {

namespace {

void check_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return;
  throw core::ContractError({.what = "a column cannot have this name or unit",
                             .where = "ResultWriter",
                             .expected = "a text without commas, quotes and line breaks",
                             .actual = "'" + text + "'",
                             .next = "Take names and units from layer model."});
}

/// The columns themselves, if they can be written.
const std::vector<ResultColumn>& checked(const std::vector<ResultColumn>& columns) {
  for (const ResultColumn& column : columns) {
    check_text(column.name);
    check_text(column.unit);
  }
  return columns;
}

std::vector<std::string> names_of(const std::vector<ResultColumn>& columns) {
  std::vector<std::string> names;
  for (const ResultColumn& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace

std::string result_header(const std::vector<ResultColumn>& columns, HeaderStyle style) {
  std::vector<NameAndUnit> all{{"t", "s"}};
  for (const ResultColumn& column : columns) all.push_back({column.name, column.unit});
  return header_text(all, style);
}

ResultWriter::ResultWriter(std::string path, const std::vector<ResultColumn>& columns, HeaderStyle style)
    : names_(names_of(checked(columns))), file_(std::move(path), "the results") {
  start(columns, style);
}

ResultWriter::ResultWriter(std::FILE* file, std::string name, const std::vector<ResultColumn>& columns,
                           HeaderStyle style)
    : names_(names_of(checked(columns))), file_(file, std::move(name), "the results") {
  start(columns, style);
}

/// Names and units.
void ResultWriter::start(const std::vector<ResultColumn>& columns, HeaderStyle style) {
  file_.append(result_header(columns, style));
}

ResultWriter::~ResultWriter() = default;

void ResultWriter::write_row(double t, std::span<const double> values) {
  if (!file_.is_open() || values.size() != names_.size())
    throw core::ContractError({.what = file_.is_open() ? "a row of the wrong length" : "a row after the end",
                               .where = "ResultWriter::write_row",
                               .expected = file_.is_open()
                                               ? std::to_string(names_.size()) + " values beside the time"
                                               : "rows before finish",
                               .actual = std::to_string(values.size()),
                               .next = "Write one value per column, and no row after finish."});
  for (std::size_t k = 0; k <= values.size(); ++k) {
    const double value = k == 0 ? t : values[k - 1];
    if (std::isfinite(value)) continue;
    throw core::ModelError(
        {.what = "a result is not a number",
         .where = "column '" + (k == 0 ? "t" : names_[k - 1]) + "', t = " + core::number_text(t) + " s",
         .expected = "a finite number",
         .actual = core::number_text(value),
         .next = "Check what the mechanism does just before, or try a smaller step."});
  }
  file_.append(t);
  for (const double value : values) {
    file_.append(',');
    file_.append(value);
  }
  file_.append('\n');
}

void ResultWriter::finish() { file_.finish(); }

}  // namespace eslabon::io
