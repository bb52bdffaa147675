#include "eslabon/dynamics/reduced/traced_factors.hpp"

#include <numeric>
#include <set>

#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::dynamics {

using core::index;
using core::Traced;
using Eigen::Index;
using std::size_t;

namespace {

/// Always: looking at it is quicker than multiplying by it, in matrices that are mostly empty.
bool is_zero(const Traced& x) { return x == Traced(0.0); }

/// Of those that are left, always the one with the fewest neighbours; its neighbours then are neighbours of each other.
std::vector<Index> fewest_first(const TracedMatrix& A) {
  std::vector<std::set<Index>> neighbours(index(A.rows()));
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.rows(); ++j)
      if (i != j && !is_zero(A(i, j))) neighbours[index(i)].insert(j);
  std::vector<char> is_done(neighbours.size(), 0);
  std::vector<Index> order;
  while (order.size() < neighbours.size()) {
    size_t next = neighbours.size();
    for (size_t k = 0; k < neighbours.size(); ++k)
      if (!is_done[k] && (next == neighbours.size() || neighbours[k].size() < neighbours[next].size()))
        next = k;
    is_done[next] = 1;
    order.push_back(static_cast<Index>(next));
    for (const Index i : neighbours[next]) {
      neighbours[index(i)].erase(static_cast<Index>(next));
      for (const Index j : neighbours[next])
        if (i != j) neighbours[index(i)].insert(j);
    }
  }
  return order;
}

}  // namespace

TracedVector product(const TracedMatrix& A, const TracedVector& x) {
  TracedVector y(index(A.rows()), Traced(0.0));
  for (Index r = 0; r < A.rows(); ++r)
    for (Index c = 0; c < A.cols(); ++c)
      if (!is_zero(A(r, c))) y[index(r)] += A(r, c) * x[index(c)];
  return y;
}

TracedVector transposed_product(const TracedMatrix& A, const TracedVector& x) {
  TracedVector y(index(A.cols()), Traced(0.0));
  for (Index c = 0; c < A.cols(); ++c)
    for (Index r = 0; r < A.rows(); ++r)
      if (!is_zero(A(r, c))) y[index(c)] += A(r, c) * x[index(r)];
  return y;
}

TracedMatrix dense_rows(const coordinates::SparsePattern& pattern, const std::vector<int>& rows,
                        const TracedVector& entries) {
  std::vector<int> slot(index(pattern.rows), -1);
  for (size_t r = 0; r < rows.size(); ++r) slot[index(rows[r])] = static_cast<int>(r);
  TracedMatrix J = TracedMatrix::Constant(static_cast<Index>(rows.size()),
                                          static_cast<Index>(pattern.columns), Traced(0.0));
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e)
      if (const int r = slot[index(pattern.row_of_entry[index(e)])]; r >= 0) J(r, c) = entries[index(e)];
  return J;
}

TracedFactors::TracedFactors(const TracedMatrix& A, Elimination elimination, const TracedVector& least)
    : L_(A.rows(), A.cols()), reciprocals_(index(A.rows())) {
  if (elimination == Elimination::kFewestFirst) {
    order_ = fewest_first(A);
  } else {
    order_.resize(index(A.rows()));
    std::iota(order_.begin(), order_.end(), Index{0});
  }
  const auto entry_of = [&](Index i, Index j) { return A(order_[index(i)], order_[index(j)]); };
  for (Index k = 0; k < A.rows(); ++k) {
    core::Trace::mark();
    TracedVector scaled(index(k));  // L_kj D_j
    Traced d = entry_of(k, k);
    for (Index j = 0; j < k; ++j) {
      if (is_zero(L_(k, j))) continue;
      // Entries below the diagonal are kept as L D until their pivot is known.
      scaled[index(j)] = L_(k, j);
      L_(k, j) = L_(k, j) * reciprocals_[index(j)];
      d -= L_(k, j) * scaled[index(j)];
    }
    const auto held = index(order_[index(k)]);
    if (!least.empty()) d = core::select_less(least[held], d, d, least[held]);
    pivots_.push_back(d);
    margins_.push_back(d / entry_of(k, k));
    reciprocals_[index(k)] = 1.0 / d;
    for (Index i = k + 1; i < A.rows(); ++i) {
      Traced entry = entry_of(i, k);
      for (Index j = 0; j < k; ++j)
        if (!is_zero(L_(k, j)) && !is_zero(L_(i, j))) entry -= L_(i, j) * L_(k, j);
      L_(i, k) = entry;
    }
  }
}

TracedVector TracedFactors::solve(const TracedVector& b) const {
  const Index n = L_.rows();
  TracedVector x(b.size()), out(b.size());
  for (Index i = 0; i < n; ++i) x[index(i)] = b[index(order_[index(i)])];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (!is_zero(L_(i, j)) && !is_zero(x[index(j)])) x[index(i)] -= L_(i, j) * x[index(j)];
  for (Index i = 0; i < n; ++i) x[index(i)] *= reciprocals_[index(i)];
  for (Index i = n; i-- > 0;)
    for (Index j = i + 1; j < n; ++j)
      if (!is_zero(L_(j, i)) && !is_zero(x[index(j)])) x[index(i)] -= L_(j, i) * x[index(j)];
  for (Index i = 0; i < n; ++i) out[index(order_[index(i)])] = x[index(i)];
  return out;
}

TracedMultipliers::TracedMultipliers(const TracedMatrix& M_, const TracedMatrix& J_, double augmentation_,
                                     Elimination elimination,
                                     const std::optional<std::vector<Index>>& augmented_)
    : J(J_), augmentation(augmentation_), augmented(J_), Y(J_.cols(), J_.rows()) {
  const Index m = J.rows(), n = J.cols();
  if (augmented_) {
    augmented.setConstant(Traced(0.0));
    for (const Index r : *augmented_) augmented.row(r) = J.row(r);
  }
  TracedMatrix regular = M_;
  if (augmentation != 0.0)
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k)
        for (Index r = 0; r < m; ++r)
          if (!is_zero(augmented(r, i)) && !is_zero(augmented(r, k)))
            regular(i, k) += augmentation * augmented(r, i) * augmented(r, k);
  M = TracedFactors(regular, elimination);
  for (Index r = 0; r < m; ++r) {
    core::Trace::mark();
    TracedVector row(index(n));
    for (Index c = 0; c < n; ++c) row[index(c)] = J(r, c);
    const TracedVector y = M.solve(row);
    for (Index c = 0; c < n; ++c) Y(c, r) = y[index(c)];
  }
  TracedMatrix products(m, m);
  for (Index i = 0; i < m; ++i) {
    core::Trace::mark();
    for (Index k = 0; k < m; ++k) {
      products(i, k) = 0.0;
      for (Index c = 0; c < n; ++c)
        if (!is_zero(J(i, c))) products(i, k) += J(i, c) * Y(c, k);
    }
  }
  S = TracedFactors(products, elimination);
}

TracedMultipliers::Solution TracedMultipliers::solve(const TracedVector& gamma, TracedVector f) const {
  if (augmentation != 0.0) {
    const TracedVector more = transposed_product(augmented, gamma);
    for (size_t c = 0; c < f.size(); ++c) f[c] += augmentation * more[c];
  }
  Solution out{.a = M.solve(f), .lambda = {}};
  TracedVector excess = product(J, out.a);
  for (size_t r = 0; r < excess.size(); ++r) excess[r] -= gamma[r];
  out.lambda = S.solve(excess);
  const TracedVector held = product(Y, out.lambda);
  for (size_t c = 0; c < out.a.size(); ++c) out.a[c] -= held[c];
  return out;
}

}  // namespace eslabon::dynamics
