#include "eslabon/kinematics/freedoms/chosen_rows.hpp"

#include <string>

#include "eslabon/core/text/error.hpp"

namespace eslabon::kinematics {

namespace {

void check_rows(const coordinates::SparsePattern& pattern, const std::vector<int>& rows) {
  if (rows.size() != static_cast<std::size_t>(pattern.columns))
    throw core::ContractError({.what = "the chosen rows make no square matrix",
                               .where = "JacobianSolver",
                               .expected = std::to_string(pattern.columns) + " rows, one per column",
                               .actual = std::to_string(rows.size()),
                               .next = "Choose as many independent rows as there are columns."});
  int previous = -1;
  for (const int row : rows) {
    if (row <= previous || row >= pattern.rows)
      throw core::ContractError(
          {.what = "the chosen rows are not rows of the Jacobian",
           .where = "JacobianSolver",
           .expected = "ascending numbers from 0 to " + std::to_string(pattern.rows - 1),
           .actual = std::to_string(row) +
                     (previous < 0 ? std::string(" first") : " after " + std::to_string(previous)),
           .next = "Sort the rows and name each once."});
    previous = row;
  }
}

void check_count(const char* what, const char* where, const char* expected, std::size_t needed,
                 std::size_t given) {
  if (given == needed) return;
  throw core::ContractError({.what = what,
                             .where = where,
                             .expected = std::to_string(needed) + " numbers, " + expected,
                             .actual = std::to_string(given),
                             .next = "Use the pattern that the solver was made for."});
}

}  // namespace

ChosenRows choose_rows(const coordinates::SparsePattern& pattern, const std::vector<int>& rows) {
  check_rows(pattern, rows);
  std::vector<int> row_in_A(static_cast<std::size_t>(pattern.rows), -1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    row_in_A[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);

  ChosenRows chosen;
  chosen.num_rows = pattern.rows;
  chosen.num_entries = pattern.row_of_entry.size();
  chosen.rows = rows;
  chosen.A.rows = chosen.A.columns = pattern.columns;
  chosen.A.column_start.push_back(0);
  for (std::size_t column = 0; column < static_cast<std::size_t>(pattern.columns); ++column) {
    const auto end = static_cast<std::size_t>(pattern.column_start[column + 1]);
    for (auto k = static_cast<std::size_t>(pattern.column_start[column]); k < end; ++k) {
      const int row = row_in_A[static_cast<std::size_t>(pattern.row_of_entry[k])];
      if (row < 0) continue;
      chosen.A.row_of_entry.push_back(row);
      chosen.entry.push_back(k);
    }
    chosen.A.column_start.push_back(chosen.A.num_entries());
  }
  return chosen;
}

void check_values(const ChosenRows& chosen, std::span<const double> values) {
  check_count("the entries do not fit the Jacobian", "JacobianSolver::factor", "one per entry of the pattern",
              chosen.num_entries, values.size());
}

void check_sides(const ChosenRows& chosen, std::span<const double> b, std::span<double> x) {
  check_count("the right-hand side does not fit the Jacobian", "JacobianSolver::solve", "one per row",
              static_cast<std::size_t>(chosen.num_rows), b.size());
  check_count("the solution does not fit the Jacobian", "JacobianSolver::solve", "one per column",
              static_cast<std::size_t>(chosen.size()), x.size());
}

void check_factored(bool is_factored, std::string_view caller) {
  if (is_factored) return;
  throw core::ContractError({.what = "there is no factored matrix",
                             .where = "JacobianSolver::" + std::string(caller),
                             .expected = "a call of factor that returned true",
                             .actual = "none, or one that returned false",
                             .next = "Call factor first and look at what it returns."});
}

}  // namespace eslabon::kinematics
