#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/io/files/partial_file.hpp"

namespace eslabon::io {

using ResultColumn = core::Column;

/// The first lines of a result file: the time `t` in s, then the columns.
std::string result_header(const std::vector<ResultColumn>& columns, HeaderStyle style);

/// Writes a result file row by row: names and units, then numbers with 17 digits, which read back to the same
/// doubles. The first column is the time `t` in s. Memory does not grow with the rows.
///
/// The file has its name only after finish(), see PartialFile; a run that ends early on purpose calls it too.
///
/// Every function throws core::ModelError when the file cannot be written.
class ResultWriter {
 public:
  /// Creates FILE.partial, which begins with the names and the units.
  /// Throws core::ContractError for a name or unit with a comma, a quote or a line break.
  ResultWriter(std::string path, const std::vector<ResultColumn>& columns,
               HeaderStyle style = HeaderStyle::kTwoRows);
  /// Writes to a file that is open already, such as the standard output, and closes it at the end; `name` is for
  /// messages.
  ResultWriter(std::FILE* file, std::string name, const std::vector<ResultColumn>& columns,
               HeaderStyle style = HeaderStyle::kTwoRows);
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// One row; t [s], values: (columns). Does not allocate.
  /// Throws core::ModelError that names the column and the time when a number is not finite; the row is then
  /// not written, and the rows before it can still be kept with finish().
  void write_row(double t, std::span<const double> values);

  /// Makes the file complete under its own name. Nothing can be written after that.
  void finish();

 private:
  void start(const std::vector<ResultColumn>& columns, HeaderStyle style);

  std::vector<std::string> names_;
  PartialFile file_;
};

}  // namespace eslabon::io
