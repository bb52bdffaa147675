#include "eslabon/codegen/planned_factors.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/index.hpp"

// Orthogonal columns are those of Gram and Schmidt in the modified form, not normalised, so that no root is taken:
//   q_j = s_j − Σ_{i<j} r_ij q_i,   r_ij = q_i·q_j / q_i·q_i   with q_j as far as it is                                 (1)
// It needs no pivots, and about twice the operations of L U.
namespace eslabon::codegen {

using core::index;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using Eigen::Index;

namespace {

constexpr double kThreshold = 0.1;     // of a column's maximum, from which an entry may be a pivot
constexpr double kSafeOrder = 0.05;    // the same: below, at some sample, no order of pivots is taken
constexpr double kStructural = 1e-12;  // of the maximum entry: below, an entry is 0 but for roundoff

/// The matrices that are left to eliminate, at all samples.
class Elimination {
 public:
  explicit Elimination(std::vector<Eigen::MatrixXd> samples)
      : samples_(std::move(samples)), n_(samples_.front().rows()) {
    is_there_ = Eigen::MatrixXi::Zero(n_, n_);
    for (const Eigen::MatrixXd& S : samples_)
      is_there_ =
          is_there_.cwiseMax((S.array().abs() > kStructural * S.cwiseAbs().maxCoeff()).cast<int>().matrix());
    for (Index k = 0; k < n_; ++k) {
      rows_.push_back(k);
      columns_.push_back(k);
    }
  }

  struct Choice {
    Index row = -1, column = -1;
    double size = -1.0;  ///< by its column, at the worst sample
  };
  Choice choose() const {
    std::vector<Choice> all;
    double best = 0.0;
    for (const Index c : columns_)
      for (const Index r : rows_)
        if (is_there_(r, c) != 0) {
          all.push_back({r, c, relative_size(r, c)});
          best = std::max(best, all.back().size);
        }
    const double enough = std::min(kThreshold, best);
    Choice chosen;
    Index fewest = 0;
    for (const Choice& one : all) {
      if (!(one.size >= enough)) continue;
      const Index fill = (count_in_row(one.row) - 1) * (count_in_column(one.column) - 1);
      if (chosen.row >= 0 && (fill > fewest || (fill == fewest && one.size <= chosen.size))) continue;
      chosen = one;
      fewest = fill;
    }
    return chosen;
  }
  void eliminate(const Choice& at) {
    std::erase(rows_, at.row);
    std::erase(columns_, at.column);
    for (const Index r : rows_) {
      if (is_there_(r, at.column) == 0) continue;
      for (const Index c : columns_)
        if (is_there_(at.row, c) != 0) is_there_(r, c) = 1;
    }
    for (Eigen::MatrixXd& S : samples_)
      for (const Index r : rows_) {
        const double factor = S(r, at.column) / S(at.row, at.column);
        for (const Index c : columns_) S(r, c) -= factor * S(at.row, c);
      }
  }
  Index size() const { return n_; }

 private:
  double relative_size(Index row, Index column) const {
    double worst = 1.0;
    for (const Eigen::MatrixXd& S : samples_) {
      double largest = 0.0;
      for (const Index r : rows_) largest = std::max(largest, std::abs(S(r, column)));
      worst = std::min(worst, largest > 0.0 ? std::abs(S(row, column)) / largest : 0.0);
      if (std::signbit(S(row, column)) != std::signbit(samples_.front()(row, column)))
        return 0.0;  // between them
    }
    return worst;
  }
  Index count_in_row(Index row) const {
    return std::ranges::count_if(columns_, [&](Index c) { return is_there_(row, c) != 0; });
  }
  Index count_in_column(Index column) const {
    return std::ranges::count_if(rows_, [&](Index r) { return is_there_(r, column) != 0; });
  }

  std::vector<Eigen::MatrixXd> samples_;
  Index n_;
  Eigen::MatrixXi is_there_;
  std::vector<Index> rows_, columns_;  ///< that are left
};

Traced dot(const TracedMatrix& Q, Index i, const TracedVector& b) {
  Traced sum = 0.0;
  for (Index r = 0; r < Q.rows(); ++r) sum += Q(r, i) * b[index(r)];
  return sum;
}

}  // namespace

EliminationPlan plan_elimination(std::vector<Eigen::MatrixXd> samples, std::vector<double> row_scales) {
  EliminationPlan plan;
  for (Eigen::MatrixXd& S : samples)
    for (Index r = 0; r < S.rows(); ++r) S.row(r) *= row_scales[index(r)];
  plan.row_scales = std::move(row_scales);
  if (plan.row_scales.empty()) return plan;  // nothing is solved
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(samples.front().cols()), lengths = sums;
  for (const Eigen::MatrixXd& S : samples) {
    sums = sums.cwiseMax(S.cwiseAbs().colwise().sum().transpose());
    lengths = lengths.cwiseMax(S.colwise().norm().transpose());
  }
  Elimination left(std::move(samples));
  while (static_cast<Index>(plan.pivots.size()) < left.size()) {
    const Elimination::Choice chosen = left.choose();
    plan.pivots.emplace_back(chosen.row, chosen.column);
    plan.smallest_pivot = std::min(plan.smallest_pivot, chosen.size);
    left.eliminate(chosen);
  }
  if (!(plan.smallest_pivot > kSafeOrder)) plan.method = EliminationPlan::Method::kOrthogonal;
  const Eigen::VectorXd& sizes = plan.method == EliminationPlan::Method::kPivots ? sums : lengths;
  plan.column_sizes.assign(sizes.begin(), sizes.end());
  return plan;
}

PlannedFactors::PlannedFactors(const TracedMatrix& S, const EliminationPlan& plan)
    : plan_(plan), L_(S.rows(), S.rows()), U_(S.rows(), S.rows()) {
  plan.method == EliminationPlan::Method::kPivots ? factor_by_pivots(S) : factor_by_columns(S);
}

void PlannedFactors::factor_by_pivots(const TracedMatrix& S) {
  const Index n = S.rows();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) U_(i, j) = S(plan_.pivots[index(i)].first, plan_.pivots[index(j)].second);
  for (Index k = 0; k < n; ++k) {
    const auto [row, column] = plan_.pivots[index(k)];
    pivots_.push_back((plan_.row_scales[index(row)] / plan_.column_sizes[index(column)]) * abs(U_(k, k)));
    reciprocals_.push_back(1.0 / U_(k, k));
    for (Index i = k + 1; i < n; ++i) {
      L_(i, k) = U_(i, k) * reciprocals_.back();
      for (Index j = k + 1; j < n; ++j) U_(i, j) -= L_(i, k) * U_(k, j);
    }
  }
}

void PlannedFactors::factor_by_columns(const TracedMatrix& S) {
  const Index n = S.rows();
  for (Index k = 0; k < n; ++k) {
    TracedVector q(index(n));
    for (Index r = 0; r < n; ++r)
      q[index(r)] = plan_.row_scales[index(r)] * S(r, plan_.pivots[index(k)].second);
    Traced pivot = 0.0;
    for (Index i = 0; i < k; ++i) {
      U_(i, k) = dot(L_, i, q) * reciprocals_[index(i)];
      for (Index r = 0; r < n; ++r) q[index(r)] -= U_(i, k) * L_(r, i);  // (1)
    }
    for (Index r = 0; r < n; ++r) L_(r, k) = q[index(r)];
    for (const Traced& x : q) pivot += x * x;
    pivots_.push_back(sqrt(pivot) * (1.0 / plan_.column_sizes[index(plan_.pivots[index(k)].second)]));
    reciprocals_.push_back(1.0 / pivot);
  }
}

TracedVector PlannedFactors::solve(const TracedVector& b) const {
  const Index n = L_.rows();
  TracedVector y(b.size());
  if (plan_.method == EliminationPlan::Method::kPivots) {
    for (Index i = 0; i < n; ++i) {
      y[index(i)] = b[index(plan_.pivots[index(i)].first)];
      for (Index j = 0; j < i; ++j) y[index(i)] -= L_(i, j) * y[index(j)];
    }
    return solve_back(std::move(y));
  }
  TracedVector left = b;
  for (Index r = 0; r < n; ++r) left[index(r)] *= plan_.row_scales[index(r)];
  for (Index i = 0; i < n; ++i) {
    y[index(i)] = dot(L_, i, left) * reciprocals_[index(i)];
    for (Index r = 0; r < n; ++r) left[index(r)] -= y[index(i)] * L_(r, i);
  }
  return solve_back(std::move(y));
}

TracedVector PlannedFactors::solve_back(TracedVector y) const {
  const bool has_pivots = plan_.method == EliminationPlan::Method::kPivots;
  TracedVector x(y.size());
  for (Index k = L_.rows(); k-- > 0;) {
    for (Index j = k + 1; j < L_.rows(); ++j) y[index(k)] -= U_(k, j) * y[index(j)];
    if (has_pivots) y[index(k)] *= reciprocals_[index(k)];
    x[index(plan_.pivots[index(k)].second)] = y[index(k)];
  }
  return x;
}

Traced PlannedFactors::margin() const {
  Traced smallest = 1.0;
  for (const Traced& pivot : pivots_) smallest = core::minimum(smallest, pivot);
  return smallest;
}

}  // namespace eslabon::codegen
