#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/sparse_pattern.hpp"

namespace eslabon::kinematics {

/// The square matrix A that n chosen rows of a Jacobian (m × n) make, and where its entries are found: what the
/// two solvers of jacobian_solver.hpp have in common.
struct ChosenRows {
  int num_rows = 0;                ///< m
  std::size_t num_entries = 0;     ///< entries of the whole Jacobian
  std::vector<int> rows;           ///< (n) row of the Jacobian that is row i of A
  coordinates::SparsePattern A;    ///< n × n, the pattern of the chosen rows
  std::vector<std::size_t> entry;  ///< (entries of A) the place of each among the Jacobian's entries

  int size() const { return A.columns; }
};

/// Throws core::ContractError unless `rows` are n rows of the pattern, ascending.
ChosenRows choose_rows(const coordinates::SparsePattern& pattern, const std::vector<int>& rows);

/// Throws core::ContractError unless there is one number per entry of the Jacobian.
void check_values(const ChosenRows& chosen, std::span<const double> values);

/// Throws core::ContractError unless b has m and x has n numbers.
void check_sides(const ChosenRows& chosen, std::span<const double> b, std::span<double> x);

/// Throws core::ContractError, naming `caller`, unless the last factor succeeded.
void check_factored(bool is_factored, std::string_view caller);

}  // namespace eslabon::kinematics
