#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "tests/fuzz/file_in_memory.hpp"
#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/study/study_table.hpp"

namespace eslabon::test {

inline std::string find_table_fault(const io::ResultTable& table) {
  if (table.t.empty() || table.values.size() != table.columns.size())
    return "a table without rows or columns";
  for (std::size_t k = 0; k < table.t.size(); ++k)
    if (!std::isfinite(table.t[k]) || (k > 0 && !(table.t[k] > table.t[k - 1]))) return "a time out of order";
  for (const auto& column : table.values) {
    if (column.size() != table.t.size()) return "a column of another length";
    for (const double value : column)
      if (!std::isfinite(value)) return "a value that is not finite";
  }
  return "";
}

/// A result file, or the summary of a study: what is read keeps what its reader promises.
inline std::string find_result_fault(std::string_view text) {
  const FileInMemory file(text);
  std::string fault;
  io::ResultTable table;
  if (is_refused([&] { table = io::read_results(file.path()); }, fault)) {
    if (!fault.empty()) return fault;
  } else if (fault = find_table_fault(table); !fault.empty()) {
    return fault;
  }
  study::StudyTable study;
  if (is_refused([&] { study = study::read_study_table(file.path()); }, fault)) return fault;
  for (const auto& point : study.points)
    if (point.values.size() != study.axes.size() || point.rmse.size() != study.outputs.size())
      return "a point of a study without all of its cells";
  return "";
}

}  // namespace eslabon::test
