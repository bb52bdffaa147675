#include "eslabon/core/geometry/cubic_table.hpp"

#include <algorithm>
#include <string>

#include "eslabon/core/linalg/cubic_spline.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::core {

namespace {

constexpr double kAtTheEnd =
    1e-9;  // of the length of a table: more than roundoff of what is driven to its end

}  // namespace

CubicTable::CubicTable(std::vector<Point> points, Ends ends) : points_(std::move(points)), ends_(ends) {
  const std::size_t least = ends == Ends::kPeriod ? 4 : 2;
  const bool increases = std::ranges::adjacent_find(points_, [](const Point& a, const Point& b) {
                           return !(a.first < b.first);
                         }) == points_.end();
  const bool is_finite = std::ranges::all_of(
      points_, [](const Point& p) { return std::isfinite(p.first) && std::isfinite(p.second); });
  if (points_.size() < least || !increases || !is_finite)
    throw ContractError(
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
  std::vector<double> h(n), slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    h[i] = points_[i + 1].first - points_[i].first;
    slope[i] = (points_[i + 1].second - points_[i].second) / h[i];
  }
  std::vector<double> m = spline_second_derivatives(h, slope, ends_ == Ends::kPeriod);  // (2)
  if (ends_ == Ends::kPeriod) m.push_back(m.front());
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

}  // namespace eslabon::core
