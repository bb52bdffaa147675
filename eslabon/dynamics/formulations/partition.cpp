#include "eslabon/dynamics/formulations/partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Core>

#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/formulations/left_columns.hpp"
#include "eslabon/kinematics/global/sparse_elimination.hpp"

namespace eslabon::dynamics {

namespace {

using core::index;

constexpr std::size_t kMostDense = 12;

/// The chosen rows, columns in their scales, each divided by its largest entry; place: (rows of the pattern) −1 for others.
Eigen::MatrixXd dense_rows(const coordinates::SparsePattern& pattern, const std::vector<int>& place,
                           Eigen::Index m, std::span<const double> Phi_q, std::span<const double> scales) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, pattern.columns);
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e)
      if (const int row = place[index(pattern.row_of_entry[index(e)])]; row >= 0)
        A(row, c) = scales[index(c)] * Phi_q[index(e)];
  for (Eigen::Index r = 0; r < m; ++r) A.row(r) /= std::max(A.row(r).cwiseAbs().maxCoeff(), 1e-300);
  return A;
}

}  // namespace

Partition::Partition(const coordinates::ConstraintSystem& system, const std::vector<int>& rows,
                     std::span<const double> Phi_q, std::span<const double> scales, Matrices matrices)
    : rows_(rows), scales_(scales.begin(), scales.end()), row_largest_(rows.size()) {
  const coordinates::SparsePattern& pattern = system.pattern();
  std::vector<int> place(index(system.num_rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) place[index(rows[k])] = static_cast<int>(k);
  const auto m = static_cast<Eigen::Index>(rows.size()),
             n = static_cast<Eigen::Index>(system.num_coordinates());
  if (system.num_rows() > kinematics::kMostDenseRows)
    independent_ = kinematics::eliminate_rows(pattern, Phi_q, scales, rows).free_columns;
  if (static_cast<Eigen::Index>(independent_.size()) != n - m)  // small, or near a singular position
    independent_ = left_columns(dense_rows(pattern, place, m, Phi_q, scales));

  pattern_.rows = pattern_.columns = static_cast<int>(n);
  pattern_.column_start.push_back(0);
  for (int c = 0; c < system.num_coordinates(); ++c) {
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e) {
      const int row = place[index(pattern.row_of_entry[index(e)])];
      if (row < 0) continue;
      pattern_.row_of_entry.push_back(row);
      from_Phi_q_.push_back(e);
    }
    const auto found = std::ranges::find(independent_, c);
    if (found != independent_.end()) {
      pattern_.row_of_entry.push_back(static_cast<int>(m + (found - independent_.begin())));
      from_Phi_q_.push_back(-1);
    }
    pattern_.column_start.push_back(pattern_.num_entries());
  }
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  const bool is_dense =
      matrices == Matrices::kBySize ? all.size() <= kMostDense : matrices == Matrices::kDense;
  solver_ =
      is_dense ? kinematics::make_dense_solver(pattern_, all) : kinematics::make_sparse_solver(pattern_, all);
  entries_.resize(pattern_.row_of_entry.size());
  right_.resize(all.size());
}

bool Partition::factor(std::span<const double> Phi_q) {
  for (std::size_t e = 0; e < entries_.size(); ++e)
    entries_[e] = from_Phi_q_[e] >= 0 ? Phi_q[index(from_Phi_q_[e])] : 1.0;
  return solver_->factor(entries_);
}

double Partition::regularity() {
  std::ranges::fill(row_largest_, 0.0);
  for (std::size_t c = 0; c < scales_.size(); ++c)
    for (int e = pattern_.column_start[c]; e < pattern_.column_start[c + 1]; ++e)
      if (from_Phi_q_[index(e)] >= 0) {
        double& largest = row_largest_[index(pattern_.row_of_entry[index(e)])];
        largest = std::max(largest, scales_[c] * std::abs(entries_[index(e)]));
      }
  return pivot_ratio() * (row_largest_.empty() ? 1.0 : *std::ranges::min_element(row_largest_));
}

// Seed001 eq. 2.10
// Seed004 eq. 26
void Partition::solve(std::span<const double> c, std::span<const double> y, std::span<double> x) {
  for (std::size_t k = 0; k < rows_.size(); ++k) right_[k] = c[index(rows_[k])];
  for (std::size_t k = 0; k < independent_.size(); ++k) right_[rows_.size() + k] = y[k];
  solver_->solve(right_, x);
}

}  // namespace eslabon::dynamics
