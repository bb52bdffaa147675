#include "eslabon/recording/facts/run_facts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/facts/output_table.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

std::string motion_text(const runs::RowSummary& rows) {
  return fmt::format("0 s … {:.9g} s{}, {}", rows.end,
                     rows.end < rows.until
                         ? fmt::format(" of {:.9g} s", rows.until) +
                               (rows.ended_by.empty() ? "" : ", where '" + rows.ended_by + "' ends it")
                         : "",
                     core::counted(static_cast<std::size_t>(rows.count), "row"));
}

std::string default_outputs_text() {
  return "none are named: every joint coordinate is written; 'outputs:' or " + runs::field("outputs") +
         " chooses others";
}

TableRows output_rows(const runs::RowSummary& rows, const std::vector<std::string>& but,
                      const std::vector<double>& errors) {
  TableRows table;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    const auto& [name, unit] = rows.columns[c];
    if (name == "constraint_error" || std::ranges::find(but, name) != but.end()) continue;
    const runs::ColumnRange& range = rows.ranges[c];
    table.push_back(column_cells(name, unit, {range.start, range.end, range.least, range.largest}));
    if (!errors.empty()) table.back().push_back(fmt::format("{:.2g}", errors[c]));
  }
  return table;
}

}  // namespace eslabon::recording
