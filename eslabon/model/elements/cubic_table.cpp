#include "eslabon/model/elements/cubic_table.hpp"

#include <algorithm>
#include <string>

#include "eslabon/core/text/error.hpp"

namespace eslabon::model {

namespace {

constexpr double kAtTheEnd =
    1e-9;  // of the length of a table: more than roundoff of what is driven to its end

/// Solves  lower_i x_{i−1} + diagonal_i x_i + upper_i x_{i+1} = right_i  in place; diagonally dominant, so without exchanges.
void solve_tridiagonal(const std::vector<double>& lower, std::vector<double> diagonal,
                       const std::vector<double>& upper, std::vector<double>& right) {
  for (std::size_t i = 1; i < right.size(); ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = right.size(); i-- > 0;) {
    if (i + 1 < right.size()) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
}

}  // namespace

CubicTable::CubicTable(std::vector<Point> points, Ends ends) : points_(std::move(points)), ends_(ends) {
  const std::size_t least = ends == Ends::kPeriod ? 4 : 2;
  const bool increases = std::ranges::adjacent_find(points_, [](const Point& a, const Point& b) {
                           return !(a.first < b.first);
                         }) == points_.end();
  const bool is_finite = std::ranges::all_of(
      points_, [](const Point& p) { return std::isfinite(p.first) && std::isfinite(p.second); });
  if (points_.size() < least || !increases || !is_finite)
    throw core::ContractError(
        {.what = "points that no table can have",
         .where = "CubicTable",
         .expected = "at least " + std::to_string(least) + " finite points with increasing x",
         .actual = std::to_string(points_.size()) + " points",
         .next = "Check them first."});
  const std::vector<double> m = second_derivatives();
  const std::size_t n = points_.size() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double h = points_[i + 1].first - points_[i].first;
    const double slope = (points_[i + 1].second - points_[i].second) / h;
    pieces_.push_back({points_[i].first, points_[i].second, slope - h * (2.0 * m[i] + m[i + 1]) / 6.0,
                       0.5 * m[i], (m[i + 1] - m[i]) / (6.0 * h)});  // (1)
  }
  const double h = points_[n].first - points_[n - 1].first;
  const double end_slope =
      (points_[n].second - points_[n - 1].second) / h + h * (m[n - 1] + 2.0 * m[n]) / 6.0;
  pieces_.insert(pieces_.begin(), {points_[0].first, points_[0].second, pieces_[0].c1, 0.5 * m[0], 0.0});
  pieces_.push_back({points_[n].first, points_[n].second, end_slope, 0.5 * m[n], 0.0});
}

std::vector<double> CubicTable::second_derivatives() const {
  const std::size_t n = points_.size() - 1;  // pieces
  std::vector<double> h(n), slope(n), m(n + 1, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    h[i] = points_[i + 1].first - points_[i].first;
    slope[i] = (points_[i + 1].second - points_[i].second) / h[i];
  }
  if (ends_ == Ends::kPeriod) {
    // (2) at 0 … n − 1, a ring: A = T + w wᵀ-like corner terms, by one tridiagonal matrix and a correction of rank one [Sherman-Morrison].
    std::vector<double> lower(n), diagonal(n), upper(n), right(n), corner(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t before = i == 0 ? n - 1 : i - 1;
      lower[i] = h[before];
      diagonal[i] = 2.0 * (h[before] + h[i]);
      upper[i] = h[i];
      right[i] = 6.0 * (slope[i] - slope[before]);
    }
    const double c = h[n - 1], shift = -diagonal[0];  // both corners are h_{n−1}
    diagonal[0] -= shift;
    diagonal[n - 1] -= c * c / shift;
    corner[0] = shift;
    corner[n - 1] = c;
    solve_tridiagonal(lower, diagonal, upper, right);
    solve_tridiagonal(lower, diagonal, upper, corner);
    const double part = (right[0] + right[n - 1] * c / shift) / (1.0 + corner[0] + corner[n - 1] * c / shift);
    for (std::size_t i = 0; i < n; ++i) m[i] = right[i] - part * corner[i];
    m[n] = m[0];
    return m;
  }
  if (n == 1) return m;
  if (n == 2) {
    std::ranges::fill(m, 2.0 * (slope[1] - slope[0]) / (h[0] + h[1]));
    return m;
  }
  // (2) at 1 … n − 1, with m_0 and m_n from equal third derivatives on both sides of points 1 and n − 1.
  std::vector<double> lower(n - 1), diagonal(n - 1), upper(n - 1), right(n - 1);
  for (std::size_t i = 1; i < n; ++i) {
    lower[i - 1] = h[i - 1];
    diagonal[i - 1] = 2.0 * (h[i - 1] + h[i]);
    upper[i - 1] = h[i];
    right[i - 1] = 6.0 * (slope[i] - slope[i - 1]);
  }
  diagonal.front() += h[0] * (1.0 + h[0] / h[1]);
  upper.front() -= h[0] * h[0] / h[1];
  diagonal.back() += h[n - 1] * (1.0 + h[n - 1] / h[n - 2]);
  lower.back() -= h[n - 1] * h[n - 1] / h[n - 2];
  solve_tridiagonal(lower, diagonal, upper, right);
  std::ranges::copy(right, m.begin() + 1);
  m[0] = m[1] + (m[1] - m[2]) * h[0] / h[1];
  m[n] = m[n - 1] + (m[n - 1] - m[n - 2]) * h[n - 1] / h[n - 2];
  return m;
}

bool CubicTable::reaches(double x) const {
  const double margin = kAtTheEnd * period();
  return ends_ == Ends::kPeriod || (x >= first() - margin && x <= last() + margin);
}

std::size_t CubicTable::piece_at(double x) const {
  const auto after = std::ranges::upper_bound(points_, x, {}, &Point::first);
  return static_cast<std::size_t>(after - points_.begin());
}

CubicTable CubicTable::moved(double sign_x, double sign_y, double offset_y) const {
  std::vector<Point> points = points_;
  for (auto& [x, y] : points) {
    if (sign_x < 0.0) x = -x;
    if (sign_y < 0.0) y = -y;
    if (offset_y != 0.0) y += offset_y;
  }
  if (sign_x < 0.0) std::ranges::reverse(points);
  return CubicTable(std::move(points), ends_);
}

}  // namespace eslabon::model
