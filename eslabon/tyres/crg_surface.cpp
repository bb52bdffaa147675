#include "eslabon/tyres/crg_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/text/error.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kLeastShare = 1e-7;  // of the way from row to row that is left within a bend

}  // namespace

CrgSurface::CrgSurface(CrgGrid grid) : grid_(std::move(grid)) {
  const std::size_t rows = grid_.reference.size(), columns = grid_.v.size();
  if (rows < 2 || columns < 2 || grid_.heading.size() != rows - 1 || grid_.bank.size() != rows ||
      grid_.z.size() != rows * columns || !(grid_.increment > 0.0))
    throw core::ContractError({.what = "a grid of no road",
                               .where = "CrgSurface",
                               .expected = "two rows and two columns at least, and as many heights",
                               .actual = std::to_string(rows) + " rows, " + std::to_string(columns) +
                                         " columns, " + std::to_string(grid_.z.size()) + " heights",
                               .next = "Check it first."});
  stride_ = static_cast<std::size_t>(std::sqrt(static_cast<double>(rows)));
  points_.reserve(rows);
  ways_.reserve(rows - 1);
  points_.emplace_back(grid_.start_x, grid_.start_y);
  for (std::size_t i = 0; i + 1 < rows; ++i) {
    const Eigen::Vector2d along(std::cos(grid_.heading[i]), std::sin(grid_.heading[i]));
    ways_.push_back({along, 0.0, 0.0});
    points_.emplace_back(points_.back() + grid_.increment * along);
  }
  for (std::size_t i = 0; i + 2 < rows; ++i) {
    const double a = std::tan(0.5 * (grid_.heading[i + 1] - grid_.heading[i]));
    ways_[i].after = -a;
    ways_[i + 1].before = a;
  }
}

double CrgSurface::height_at(std::size_t row, std::size_t column) const {
  return grid_.reference[row] + grid_.bank[row] * grid_.v[column] + grid_.z[row * grid_.v.size() + column];
}

template <class T>
CrgSurface::Place<T> CrgSurface::place_on(std::size_t k, const T& x, const T& y) const {
  const Way& way = ways_[k];
  const T dx = x - points_[k].x(), dy = y - points_[k].y();
  const T xi = dx * way.along.x() + dy * way.along.y(), eta = dy * way.along.x() - dx * way.along.y();
  const double bend = way.after - way.before;
  // Far beside the grid, within a bend, rows would meet: from there on t is that of a place less far.
  const double widest = (kLeastShare - 1.0) * grid_.increment / bend;
  const bool is_too_far = bend != 0.0 && (core::value_of(eta) - widest) * bend < 0.0;
  const T inside = is_too_far ? T(widest) : eta;
  const T length = grid_.increment + inside * bend;
  const T t = (xi - inside * way.before) / length;  // (1)
  return {t, eta, T(1.0 / length), is_too_far ? T(0.0) : T(-(way.before + t * bend) / length)};
}

std::size_t CrgSurface::way_at(double x, double y) const {
  const Eigen::Vector2d p(x, y);
  const auto distance = [&](std::size_t row) { return (points_[row] - p).norm(); };
  const std::size_t last = rows() - 1;
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  const double reach = grid_.increment * static_cast<double>(stride_);  // none between is nearer by more
  const auto look_at = [&](std::size_t row) {
    if (const double d = distance(row); d < least) {
      least = d;
      nearest = row;
    }
  };
  for (std::size_t row = 0; row <= last; row += stride_) look_at(row);
  for (std::size_t row = 0; row <= last; row += stride_) {
    if (distance(row) - reach > least) continue;
    for (std::size_t k = row + 1; k < std::min(row + stride_, last + 1); ++k) look_at(k);
  }
  // From the nearest row to the way on which the place is.
  std::size_t way = std::min(nearest, last - 1);
  for (std::size_t step = 0; step < stride_; ++step) {
    const double t = place_on(way, x, y).t;
    if (t < 0.0 && way > 0)
      --way;
    else if (t > 1.0 && way + 1 < last)
      ++way;
    else
      break;
  }
  return way;
}

template <core::NumericScalar T>
ReliefPointOf<T> CrgSurface::at(const T& x, const T& y) const {
  const double x_value = core::value_of(x), y_value = core::value_of(y);
  if (!std::isfinite(x_value) || !std::isfinite(y_value)) {
    const T none(std::numeric_limits<double>::quiet_NaN());
    return {none, none, none};
  }
  const std::size_t k = way_at(x_value, y_value);
  Place<T> place = place_on(k, x, y);
  const double t_value = core::value_of(place.t), v_value = core::value_of(place.v);
  if (t_value < 0.0 || t_value > 1.0) {  // before the first row, or behind the last one
    place.t = T(t_value < 0.0 ? 0.0 : 1.0);
    place.t_xi = place.t_eta = T(0.0);
  }
  const std::vector<double>& v = grid_.v;
  const auto next = std::upper_bound(v.begin() + 1, v.end() - 1, v_value);
  const auto column = static_cast<std::size_t>(next - v.begin()) - 1;
  const double width = v[column + 1] - v[column];
  T s = (place.v - v[column]) / width, s_eta = T(1.0 / width);
  if (core::value_of(s) < 0.0 || core::value_of(s) > 1.0) {  // beside the grid
    s = T(core::value_of(s) < 0.0 ? 0.0 : 1.0);
    s_eta = T(0.0);
  }
  const double z00 = height_at(k, column), z01 = height_at(k, column + 1);
  const double z10 = height_at(k + 1, column), z11 = height_at(k + 1, column + 1);
  const T z_t = (z10 - z00) + s * ((z11 - z01) - (z10 - z00));
  const T z_s = (z01 - z00) + place.t * ((z11 - z10) - (z01 - z00));
  const T z_xi = z_t * place.t_xi, z_eta = z_t * place.t_eta + z_s * s_eta;
  const Eigen::Vector2d& along = ways_[k].along;
  return {T(z00 + s * (z01 - z00) + place.t * z_t),  // (2)
          T(along.x() * z_xi - along.y() * z_eta), T(along.y() * z_xi + along.x() * z_eta)};
}

template ReliefPointOf<double> CrgSurface::at(const double&, const double&) const;
template ReliefPointOf<core::Dual<double>> CrgSurface::at(const core::Dual<double>&,
                                                          const core::Dual<double>&) const;

}  // namespace eslabon::tyres
