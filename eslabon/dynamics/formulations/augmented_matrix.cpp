#include "eslabon/dynamics/formulations/augmented_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "eslabon/core/index.hpp"

namespace eslabon::dynamics {

namespace {

using core::index;

constexpr std::size_t kMostDenseUnknowns = 24;

/// The power of two below x > 0: its exponent alone; 1 where x has none, and for masses of a usual size: with another unit a sparse
/// factorization has other pivots, and by chance a third more or less to do.
double unit_below(double x) {
  using Limits = std::numeric_limits<double>;
  constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000;
  constexpr double kUsual = 1024.0;
  const bool is_usual = x >= 1.0 / kUsual && x <= kUsual;
  return !is_usual && x >= Limits::min() && x <= Limits::max()
             ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & kExponent)
             : 1.0;
}

}  // namespace

AugmentedMatrix::AugmentedMatrix(const ConstrainedMotion& motion)
    : n_(index(motion.n())), rows_(motion.rows()), rolling_rows_(motion.rolling_rows()) {
  make(motion);
}

AugmentedMatrix::AugmentedMatrix(const ConstrainedMotion& motion, std::vector<double> softness)
    : n_(index(motion.n())), rows_(softness.size()), softness_(std::move(softness)) {
  std::iota(rows_.begin(), rows_.end(), 0);
  make(motion);
}

// Seed000 eq. 74
void AugmentedMatrix::make(const ConstrainedMotion& motion) {
  const coordinates::SparsePattern &M = motion.mass().pattern(), &Phi_q = motion.system().pattern();
  std::vector<int> place(index(motion.system().num_rows()), -1);
  for (std::size_t k = 0; k < rows_.size(); ++k) place[index(rows_[k])] = static_cast<int>(n_ + k);
  // The columns of Phi_qᵀ.
  struct Item {
    int column, entry;
  };
  std::vector<std::vector<Item>> transposed(rows_.size());
  const int m_A = motion.rolling().size();
  const std::size_t first_A = n_ + rows_.size(), size = first_A + rolling_rows_.size();
  pattern_.rows = pattern_.columns = static_cast<int>(size);
  pattern_.column_start.push_back(0);
  const auto add = [&](int row, int M_entry, int Phi_entry, int A_entry = -1) {
    pattern_.row_of_entry.push_back(row);
    from_M_.push_back(M_entry);
    from_Phi_q_.push_back(Phi_entry);
    from_A_.push_back(A_entry);
  };
  for (std::size_t c = 0; c < n_; ++c) {
    for (int e = M.column_start[c]; e < M.column_start[c + 1]; ++e) {
      add(M.row_of_entry[index(e)], e, -1);
      if (M.row_of_entry[index(e)] == static_cast<int>(c)) diagonal_.push_back(index(e));
    }
    for (int e = Phi_q.column_start[c]; e < Phi_q.column_start[c + 1]; ++e) {
      const int row = place[index(Phi_q.row_of_entry[index(e)])];
      if (row < 0) continue;
      add(row, -1, e);
      transposed[index(row) - n_].push_back({static_cast<int>(c), e});
    }
    for (std::size_t k = 0; k < rolling_rows_.size(); ++k)
      if (std::ranges::binary_search(motion.rolling().columns(rolling_rows_[k]), static_cast<int>(c)))
        add(static_cast<int>(first_A + k), -1, -1, rolling_rows_[k] + m_A * static_cast<int>(c));
    pattern_.column_start.push_back(pattern_.num_entries());
  }
  for (std::size_t k = 0; k < transposed.size(); ++k) {
    for (const Item& item : transposed[k]) add(item.column, -1, item.entry);
    if (!softness_.empty()) add(static_cast<int>(n_ + k), -1, -1);
    pattern_.column_start.push_back(pattern_.num_entries());
  }
  for (const int row : rolling_rows_) {
    for (const int c : motion.rolling().columns(row)) add(c, -1, -1, row + m_A * c);
    pattern_.column_start.push_back(pattern_.num_entries());
  }
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  solver_ = size <= kMostDenseUnknowns ? kinematics::make_dense_solver(pattern_, all)
                                       : kinematics::make_sparse_solver(pattern_, all);
  entries_.resize(pattern_.row_of_entry.size());
  right_.resize(size);
  answer_.resize(size);
}

bool AugmentedMatrix::factor(const ConstrainedMotion& motion) {
  const std::vector<double>&M = motion.masses().M, &Phi_q = motion.level().Phi_q;
  double largest = 0.0;
  for (const std::size_t e : diagonal_) largest = std::max(largest, M[e]);
  mass_unit_ = unit_below(largest);
  std::size_t soft = 0;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    entries_[e] = from_M_[e] >= 0       ? M[index(from_M_[e])] / mass_unit_
                  : from_Phi_q_[e] >= 0 ? Phi_q[index(from_Phi_q_[e])]
                  : from_A_[e] >= 0     ? motion.rolling_level().A.data()[from_A_[e]]
                                        : -softness_[soft++] * mass_unit_;
  return solver_->factor(entries_);
}

// Seed002 eq. 27
void AugmentedMatrix::solve(std::span<const double> b, std::span<const double> c, std::span<const double> c_A,
                            std::span<double> x, std::span<double> lambda) {
  for (std::size_t i = 0; i < n_; ++i) right_[i] = b[i] / mass_unit_;
  for (std::size_t k = 0; k < rows_.size(); ++k) right_[n_ + k] = c[index(rows_[k])];
  for (std::size_t k = 0; k < rolling_rows_.size(); ++k)
    right_[n_ + rows_.size() + k] = c_A.empty() ? 0.0 : c_A[index(rolling_rows_[k])];
  solver_->solve(right_, answer_);
  for (std::size_t i = 0; i < n_; ++i) x[i] = answer_[i];
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda[k] = answer_[n_ + k] * mass_unit_;
}

}  // namespace eslabon::dynamics
