#include "eslabon/core/geometry/spline_curve.hpp"

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {

namespace {

using Eigen::Vector3d;

/// Rows  lower_i x_{i−1} + diagonal_i x_i + upper_i x_{i+1} = right_i  with dominant diagonals, by elimination.
std::vector<Vector3d> solve_rows(const std::vector<double>& lower, std::vector<double> diagonal,
                                 const std::vector<double>& upper, std::vector<Vector3d> right) {
  for (std::size_t i = 1; i < right.size(); ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = right.size(); i-- > 0;) {
    if (i + 1 < right.size()) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

/// The same where x_{−1} is the last and x_n the first. With the corners taken off as the product of two vectors u and w,
///   (B + u wᵀ) x = r:   x = y − z (wᵀy)/(1 + wᵀz),   B y = r,  B z = u                  [ShermanMorrison1950]
std::vector<Vector3d> solve_round(const std::vector<double>& lower, std::vector<double> diagonal,
                                  const std::vector<double>& upper, std::vector<Vector3d> right) {
  const std::size_t n = right.size();
  const double gamma = -diagonal[0], corner = lower[0], other = upper[n - 1];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= corner * other / gamma;
  std::vector<Vector3d> u(n, Vector3d::Zero());
  u[0].setConstant(gamma);
  u[n - 1].setConstant(other);
  std::vector<Vector3d> y = solve_rows(lower, diagonal, upper, std::move(right));
  const std::vector<Vector3d> z = solve_rows(lower, diagonal, upper, std::move(u));
  const double wz = z[0].x() + corner / gamma * z[n - 1].x();
  const Vector3d wy = y[0] + corner / gamma * y[n - 1];
  for (std::size_t i = 0; i < n; ++i) y[i] -= z[i].x() / (1.0 + wz) * wy;
  return y;
}

/// m_i of (2), at every point.
std::vector<Vector3d> second_derivatives(std::span<const Vector3d> p, const std::vector<double>& h,
                                         bool is_closed) {
  const std::size_t n = p.size();
  const auto slope = [&](std::size_t i) -> Vector3d { return (p[(i + 1) % n] - p[i]) / h[i]; };
  if (is_closed) {
    std::vector<double> lower(n), diagonal(n), upper(n);
    std::vector<Vector3d> right(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t before = (i + n - 1) % n;
      lower[i] = h[before];
      diagonal[i] = 2.0 * (h[before] + h[i]);
      upper[i] = h[i];
      right[i] = 6.0 * (slope(i) - slope(before));  // (2)
    }
    return solve_round(lower, diagonal, upper, std::move(right));
  }
  // m_0 and the last are where the cubics of their neighbours go on:  m_0 = m_1 − (h_0/h_1)(m_2 − m_1).
  const std::size_t inner = n - 2;
  std::vector<double> lower(inner), diagonal(inner), upper(inner);
  std::vector<Vector3d> right(inner);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i - 1] = h[i - 1];
    diagonal[i - 1] = 2.0 * (h[i - 1] + h[i]);
    upper[i - 1] = h[i];
    right[i - 1] = 6.0 * (slope(i) - slope(i - 1));  // (2)
  }
  const double first = h[0] / h[1], last = h[n - 2] / h[n - 3];
  diagonal[0] += h[0] * (1.0 + first);
  upper[0] -= h[0] * first;
  diagonal[inner - 1] += h[n - 2] * (1.0 + last);
  lower[inner - 1] -= h[n - 2] * last;
  const std::vector<Vector3d> m = solve_rows(lower, diagonal, upper, std::move(right));
  std::vector<Vector3d> all;
  all.reserve(n);
  all.push_back(m[0] - first * (m[1] - m[0]));
  all.insert(all.end(), m.begin(), m.end());
  all.push_back(m[inner - 1] + last * (m[inner - 1] - m[inner - 2]));
  return all;
}

}  // namespace

SplineCurve::SplineCurve(std::span<const Vector3d> points, bool is_closed) : is_closed_(is_closed) {
  const std::size_t n = points.size(), spans = is_closed ? n : n - 1;
  std::vector<double> h;
  knots_.push_back(0.0);
  for (std::size_t i = 0; n >= 4 && i < spans; ++i) {
    h.push_back((points[(i + 1) % n] - points[i]).norm());
    knots_.push_back(knots_.back() + h.back());  // (1)
    if (!(h.back() > 0.0)) knots_.clear();
    if (knots_.empty()) break;
  }
  if (h.size() != spans || knots_.empty())
    throw ContractError({.what = "a curve without enough places",
                         .where = "SplineCurve",
                         .expected = "four points or more, neighbours apart",
                         .actual = std::to_string(n) + " points",
                         .next = "Check the points first."});
  is_flat_ = std::ranges::all_of(points, [](const Vector3d& p) { return p.z() == 0.0; });
  const std::vector<Vector3d> m = second_derivatives(points, h, is_closed);
  const auto between = [&](std::size_t i, double shift) -> Piece {
    const Vector3d& next = m[(i + 1) % n];
    return {knots_[i] + shift, knots_[i] + shift,
            points[i],         (points[(i + 1) % n] - points[i]) / h[i] - h[i] * (2.0 * m[i] + next) / 6.0,
            0.5 * m[i],        (next - m[i]) / (6.0 * h[i])};
  };
  const auto straight = [](double from, const Vector3d& p, const Vector3d& along) -> Piece {
    return {from, from, p, along, Vector3d::Zero(), Vector3d::Zero()};
  };
  for (std::size_t i = 0; i < spans; ++i) pieces_.push_back(between(i, 0.0));
  if (is_closed) {
    pieces_.insert(pieces_.begin(), between(n - 1, -length()));
    pieces_.push_back(between(0, length()));
  } else {
    const Piece last = pieces_.back();
    const double tau = h.back();
    const Vector3d end = last.b + tau * (2.0 * last.c + tau * 3.0 * last.d);
    pieces_.insert(pieces_.begin(), straight(0.0, points[0], pieces_.front().b));
    pieces_.push_back(straight(length(), points[n - 1], end));
    end_speed_ = std::min(pieces_.front().b.norm(), end.norm());
  }
  for (std::size_t i = 0; i < n; ++i) tangents_.push_back(pieces_[i + 1].b.normalized());
}

}  // namespace eslabon::core
