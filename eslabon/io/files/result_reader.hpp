#pragma once

#include <string>

#include "eslabon/core/result_table.hpp"

namespace eslabon::io {

using core::ResultTable;

/// Reads a result file whole, as ResultWriter writes it, with either kind of header. Throws FileError that names the line for what is no such file: a first column that is not t in s,
/// rows of another length, cells that are no finite numbers, times that do not increase, no rows.
ResultTable read_results(const std::string& path);

}  // namespace eslabon::io
