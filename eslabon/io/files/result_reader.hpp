#pragma once

#include <string>

#include "eslabon/core/result_table.hpp"

namespace eslabon::io {

using core::ResultTable;

/// What a file of columns is by its first one.
struct ColumnFile {
  std::string what;          ///< "a result file"
  std::string made_by = {};  ///< " of 'simulate' or 'kinematics'"
  std::string first, unit;   ///< its name and unit
  std::string first_values;  ///< "times"
  std::string next;          ///< what to do where it is none
};

/// Reads a file of columns whole; ResultTable::t is the first one, which increases. Throws as read_results.
ResultTable read_columns(const std::string& path, const ColumnFile& kind);

/// Reads a result file whole, as ResultWriter writes it, with either kind of header. Throws FileError that names the line for what is no such file: a first column that is not t in s,
/// rows of another length, cells that are no finite numbers, times that do not increase, no rows.
ResultTable read_results(const std::string& path);

}  // namespace eslabon::io
