#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::io {

/// One column of a result file.
struct ResultColumn {
  std::string name;  ///< "crank.angle"
  std::string unit;  ///< "rad"
};

/// The columns of a run beside the time: the outputs of the mechanism, `energy` [J], `constraint_error` [m].
std::vector<ResultColumn> result_columns(const model::Mechanism& mechanism);

/// Writes a result file row by row: names, units, then numbers with 17 digits, which read back to the same
/// doubles. The first column is the time `t` in s. Memory does not grow with the rows.
///
/// Rows go to FILE.partial, which finish() renames to FILE: a run that is cut off leaves no file that looks
/// complete, and a FILE of an earlier run stays as it is. A run that ends early on purpose calls finish()
/// too. Without finish() the destructor removes FILE.partial. What is no ordinary file (/dev/stdout, a pipe)
/// is written to directly.
///
/// Every function throws core::ModelError when the file cannot be written.
class ResultWriter {
 public:
  /// Creates FILE.partial, which begins with the names and the units.
  /// Throws core::ContractError for a name or unit with a comma, a quote or a line break.
  ResultWriter(std::string path, const std::vector<ResultColumn>& columns);
  /// Writes to a file that is open already, such as the standard output, and closes it at the end; `name` is for
  /// messages.
  ResultWriter(std::FILE* file, std::string name, const std::vector<ResultColumn>& columns);
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
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  void start(const std::vector<ResultColumn>& columns);
  void append(double value);
  void flush();
  [[noreturn]] void fail_write(int error) const;

  std::string path_;          ///< as the user wrote it
  std::string target_;        ///< where the complete file goes; links are followed
  std::string written_path_;  ///< what file_ is: target_ or target_.partial
  std::vector<std::string> names_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;                    ///< characters in buffer_ that are not in the file yet
  std::unique_ptr<std::FILE, Close> file_;  ///< none after finish()
};

}  // namespace eslabon::io
