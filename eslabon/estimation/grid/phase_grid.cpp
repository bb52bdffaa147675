#include "eslabon/estimation/grid/phase_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace eslabon::estimation {

using Eigen::ArrayXXd;
using Eigen::Index;

namespace {

constexpr double kNothing = 1e-15;  // beside the largest mass
constexpr double kSampled = 1.0;    // deviation, in nodes, from which samples of the normal density are exact
constexpr double kNormalTail = 8.0;  // deviations beyond which it is nothing
constexpr int kNodes = 6;            // of interpolation

/// Lagrange's weights of the nodes −2 … 3 at 0 ≤ x < 1.
std::array<double, kNodes> lagrange_weights(double x) {
  const double a = x + 2.0, b = x + 1.0, c = x, d = x - 1.0, e = x - 2.0, f = x - 3.0;
  return {-b * c * d * e * f / 120.0, a * c * d * e * f / 24.0,  -a * b * d * e * f / 12.0,
          a * b * c * e * f / 12.0,   -a * b * c * d * f / 24.0, a * b * c * d * e / 120.0};
}

/// The array of a window in a larger one.
void move_to(const Index first_row, const Index first_column, Index rows, Index columns, double fill,
             ArrayXXd& array) {
  ArrayXXd larger = ArrayXXd::Constant(rows, columns, fill);
  larger.block(first_row, first_column, array.rows(), array.cols()) = array;
  array.swap(larger);
}

}  // namespace

// Less than a node: the weights whose moments 0 … 7 are those of the normal number; with m_k its moments,
//   2 w_3 = (m_6 − 5 m_4 + 4 m_2)/360,  2 w_2 = −(m_6 − 10 m_4 + 9 m_2)/60,  2 w_1 = (m_6 − 13 m_4 + 36 m_2)/24     (1)
std::vector<double> spread_weights(double deviation) {
  if (deviation <= 0.0) return {1.0};
  const double m2 = deviation * deviation, m4 = 3.0 * m2 * m2, m6 = 15.0 * m2 * m2 * m2;
  if (deviation < kSampled) {
    const double w3 = (m6 - 5.0 * m4 + 4.0 * m2) / 720.0, w2 = -(m6 - 10.0 * m4 + 9.0 * m2) / 120.0,
                 w1 = (m6 - 13.0 * m4 + 36.0 * m2) / 48.0;
    return {w3, w2, w1, 1.0 - 2.0 * (w1 + w2 + w3), w1, w2, w3};
  }
  const auto radius = static_cast<long>(std::ceil(kNormalTail * deviation));
  std::vector<double> weights;
  double sum = 0.0;
  for (long m = -radius; m <= radius; ++m) {
    weights.push_back(std::exp(-0.5 * static_cast<double>(m * m) / m2));
    sum += weights.back();
  }
  for (double& w : weights) w /= sum;
  return weights;
}

PhaseGrid::PhaseGrid(const LatticeAxis& position, const LatticeAxis& rate, int sheets)
    : axes_{position, rate},
      mass_(static_cast<std::size_t>(sheets), ArrayXXd::Zero(rate.count, position.count)),
      next_(mass_) {
  find_rows();
}

bool PhaseGrid::make_room(double lowest_position, double highest_position, double lowest_rate,
                          double highest_rate, const std::vector<ArrayXXd*>& others, double fill) {
  const double lowest[] = {lowest_position, lowest_rate}, highest[] = {highest_position, highest_rate};
  LatticeAxis wanted[] = {axes_[0], axes_[1]};
  for (int k = 0; k < 2; ++k) {
    if (axes_[k].is_turn) continue;
    const double from = std::floor(axes_[k].slot(lowest[k])), to = std::ceil(axes_[k].slot(highest[k]));
    const auto count = static_cast<double>(axes_[k].count);
    const double slack = std::ceil(0.25 * count) + 4.0;
    const double below = from < 0.0 ? slack - from : 0.0, above = to > count - 1.0 ? to - count + slack : 0.0;
    if (!(count + below + above <= kMostNodes)) return false;
    wanted[k].first -= static_cast<long>(below);
    wanted[k].count += static_cast<Index>(below + above);
  }
  const double nodes = static_cast<double>(wanted[0].count) * static_cast<double>(wanted[1].count) *
                       static_cast<double>(mass_.size());
  if (!(nodes <= kMostNodes)) return false;
  if (wanted[0].count == axes_[0].count && wanted[1].count == axes_[1].count) return true;
  const Index row = axes_[1].first - wanted[1].first, column = axes_[0].first - wanted[0].first;
  for (ArrayXXd& mass : mass_) move_to(row, column, wanted[1].count, wanted[0].count, 0.0, mass);
  for (ArrayXXd& mass : next_) mass.setZero(wanted[1].count, wanted[0].count);
  for (ArrayXXd* other : others) move_to(row, column, wanted[1].count, wanted[0].count, fill, *other);
  for (int k = 0; k < 2; ++k) axes_[k] = wanted[k];
  find_rows();
  return true;
}

void PhaseGrid::clear_next() {
  for (ArrayXXd& mass : next_) mass.setZero();
}

Index PhaseGrid::wrapped(long column) const {
  const auto count = static_cast<long>(axes_[0].count);
  if (axes_[0].is_turn) return static_cast<Index>(((column % count) + count) % count);
  return column >= 0 && column < count ? static_cast<Index>(column) : -1;
}

void PhaseGrid::deposit(int sheet, double position, double rate, double mass) {
  const double z = axes_[0].slot(position), v = axes_[1].slot(rate);
  const double column = std::floor(z), row = std::floor(v);
  const std::array<double, kNodes> of_z = lagrange_weights(z - column), of_v = lagrange_weights(v - row);
  ArrayXXd& next = next_[static_cast<std::size_t>(sheet)];
  for (int i = 0; i < kNodes; ++i) {
    const Index c = wrapped(static_cast<long>(column) + i - 2);
    if (c < 0) continue;
    for (int j = 0; j < kNodes; ++j) {
      const Index r = static_cast<Index>(row) + j - 2;
      if (r >= 0 && r < next.rows())
        next(r, c) += mass * of_z[static_cast<std::size_t>(i)] * of_v[static_cast<std::size_t>(j)];
    }
  }
}

void PhaseGrid::add_shifted(const ArrayXXd& from, Index column, Index rows_up, double columns_right,
                            double weight, std::pair<Index, Index> range, ArrayXXd& to) const {
  Index first = range.first, count = range.second;
  if (first + rows_up < 0) {
    count += first + rows_up;
    first = -rows_up;
  }
  count = std::min(count, to.rows() - first - rows_up);
  if (count <= 0) return;
  const double whole = std::floor(columns_right);
  const double part = columns_right - whole;
  const auto add = [&](long c, double w) {
    const Index target = wrapped(static_cast<long>(column) + static_cast<long>(whole) + c);
    if (target >= 0)
      to.col(target).segment(first + rows_up, count) += weight * w * from.col(column).segment(first, count);
  };
  if (part == 0.0) return add(0, 1.0);
  const std::array<double, kNodes> weights = lagrange_weights(part);
  for (int i = 0; i < kNodes; ++i) add(i - 2, weights[static_cast<std::size_t>(i)]);
}

void PhaseGrid::spread_positions(double deviation) {
  const std::vector<double> weights = spread_weights(deviation / axes_[0].spacing);
  const auto radius = static_cast<long>(weights.size() / 2);
  if (radius == 0) return;
  find_rows();
  clear_next();
  for (std::size_t s = 0; s < mass_.size(); ++s)
    for (Index c = 0; c < axes_[0].count; ++c) {
      const auto range = rows_[s][static_cast<std::size_t>(c)];
      if (range.second == 0) continue;
      for (long m = -radius; m <= radius; ++m)
        add_shifted(mass_[s], c, 0, static_cast<double>(m), weights[static_cast<std::size_t>(m + radius)],
                    range, next_[s]);
    }
  commit();
}

void PhaseGrid::spread_along(double deviation, double positions_per_rate) {
  const std::vector<double> weights = spread_weights(deviation / axes_[1].spacing);
  const auto radius = static_cast<Index>(weights.size() / 2);
  if (radius == 0) return;
  const double columns = positions_per_rate * axes_[1].spacing / axes_[0].spacing;
  find_rows();
  clear_next();
  for (std::size_t s = 0; s < mass_.size(); ++s)
    for (Index c = 0; c < axes_[0].count; ++c) {
      const auto range = rows_[s][static_cast<std::size_t>(c)];
      if (range.second == 0) continue;
      for (Index m = -radius; m <= radius; ++m)
        add_shifted(mass_[s], c, m, columns * static_cast<double>(m),
                    weights[static_cast<std::size_t>(m + radius)], range, next_[s]);
    }
  commit();
}

// w = (c, 1) σ_v ξ₁ + (1, 0) σ_r ξ₂ with c = Q_zv/Q_vv, σ_r² = Q_zz − c Q_zv: one direction after the other.
void PhaseGrid::spread(const Eigen::Matrix2d& Q) {
  const double c = Q(1, 1) > 0.0 ? Q(0, 1) / Q(1, 1) : 0.0;
  spread_positions(std::sqrt(std::max(0.0, Q(0, 0) - c * Q(0, 1))));
  spread_along(std::sqrt(std::max(0.0, Q(1, 1))), c);
}

void PhaseGrid::find_rows() {
  rows_.resize(mass_.size());
  for (std::size_t s = 0; s < mass_.size(); ++s) {
    rows_[s].assign(static_cast<std::size_t>(axes_[0].count), {0, 0});
    for (Index c = 0; c < axes_[0].count; ++c) {
      const double* const column = mass_[s].col(c).data();
      Index first = 0, last = mass_[s].rows();
      while (first < last && column[first] == 0.0) ++first;
      while (last > first && column[last - 1] == 0.0) --last;
      rows_[s][static_cast<std::size_t>(c)] = {first, last - first};
    }
  }
}

bool PhaseGrid::tidy() {
  double largest = 0.0, sum = 0.0;
  for (const ArrayXXd& mass : mass_) {
    largest = std::max(largest, mass.abs().maxCoeff());
    sum += mass.sum();
  }
  if (!(std::isfinite(largest) && sum > 0.0)) return false;
  for (ArrayXXd& mass : mass_) mass = (mass.abs() < kNothing * largest).select(0.0, mass);
  sum = 0.0;
  for (const ArrayXXd& mass : mass_) sum += mass.sum();
  for (ArrayXXd& mass : mass_) mass /= sum;
  find_rows();
  return true;
}

double PhaseGrid::entropy() const {
  const double area = axes_[0].spacing * axes_[1].spacing;
  double sum = 0.0;
  for (const ArrayXXd& mass : mass_)
    for (Index i = 0; i < mass.size(); ++i)
      if (const double m = mass.data()[i]; m > 0.0) sum -= m * std::log(m / area);
  return sum;
}

Eigen::VectorXd PhaseGrid::position_bins(int bins) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(bins);
  const double per_column = static_cast<double>(bins) / static_cast<double>(axes_[0].count);
  for (const ArrayXXd& mass : mass_)
    for (Index c = 0; c < axes_[0].count; ++c) {
      const double sum = mass.col(c).sum(), from = static_cast<double>(c) * per_column;
      const double to = from + per_column;
      for (auto b = static_cast<Index>(from + 1e-9); b < bins && static_cast<double>(b) < to - 1e-9; ++b) {
        const double inside =
            std::min(to, static_cast<double>(b + 1)) - std::max(from, static_cast<double>(b));
        out[b] += sum * inside / per_column;
      }
    }
  if (!axes_[0].is_turn || axes_[0].count % bins != 0) return out;
  // Sums of the middles of columns lack Δ²/24 of the slope at either end of a bin.
  const Index columns = axes_[0].count / bins;
  for (const ArrayXXd& mass : mass_)
    for (Index b = 0; b < bins; ++b) {
      const double rise = (mass.col(b * columns).sum() - mass.col(wrapped(b * columns - 1)).sum()) / 24.0;
      out[b] -= rise;
      out[b == 0 ? bins - 1 : b - 1] += rise;
    }
  return out;
}

}  // namespace eslabon::estimation
