#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/result_writer.hpp"

namespace eslabon::io {

/// A result file in memory, as ResultWriter writes it, with either kind of header.
struct ResultTable {
  std::string path;                         ///< for messages
  std::vector<ResultColumn> columns;        ///< beside the time
  std::vector<double> t;                    ///< (rows) [s], strictly increasing
  std::vector<std::vector<double>> values;  ///< (columns) (rows)

  std::optional<std::size_t> find(const std::string& name) const;
};

/// Reads a result file whole. Throws FileError that names the line for what is no such file: a first column that is not t in s,
/// rows of another length, cells that are no finite numbers, times that do not increase, no rows.
ResultTable read_results(const std::string& path);

}  // namespace eslabon::io
