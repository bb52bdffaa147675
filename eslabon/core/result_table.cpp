#include "eslabon/core/result_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::core {

namespace {

[[noreturn]] void fail_table(const ResultTable& table, const std::string& what, const std::string& expected,
                             const std::string& actual) {
  throw DataError({.what = what,
                   .where = table.path.empty() ? "the table" : table.path,
                   .expected = expected,
                   .actual = actual,
                   .next = "Give the results of a run as it tells them."});
}

/// `name`: of the column.
void check_column(const ResultTable& table, const std::string& name, const std::vector<double>& values) {
  if (values.size() != table.t.size())
    fail_table(table, "column " + quoted(name) + " is not as long as the times",
               counted(table.t.size(), "value"), std::to_string(values.size()));
  const auto wrong = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (wrong != values.end())
    fail_table(table, "column " + quoted(name) + " has a value that is not finite", "finite numbers",
               number_text(*wrong));
}

}  // namespace

std::optional<std::size_t> ResultTable::find(const std::string& name) const {
  const auto at = std::ranges::find(columns, name, &Column::name);
  if (at == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns.begin());
}

void ResultTable::check() const {
  if (t.empty()) fail_table(*this, "there are no rows", "at least one", "none");
  if (values.size() != columns.size())
    fail_table(*this, "the columns do not have their values",
               "values of " + counted(columns.size(), "column"), "those of " + std::to_string(values.size()));
  check_column(*this, "t", t);
  for (std::size_t c = 0; c < columns.size(); ++c) check_column(*this, columns[c].name, values[c]);
  const auto wrong = std::ranges::adjacent_find(t, std::greater_equal());
  if (wrong != t.end())
    fail_table(*this, "the times do not increase", "each later than the one before",
               number_text(wrong[1]) + " s after " + number_text(wrong[0]) + " s");
}

}  // namespace eslabon::core
