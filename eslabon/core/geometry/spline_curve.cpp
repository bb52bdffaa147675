#include "eslabon/core/geometry/spline_curve.hpp"

#include "eslabon/core/linalg/cubic_spline.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::core {

namespace {

using Eigen::Vector3d;

/// m_i of (2), at every point.
std::vector<Vector3d> second_derivatives(std::span<const Vector3d> p, const std::vector<double>& h,
                                         bool is_closed) {
  std::vector<Vector3d> slope;
  for (std::size_t i = 0; i < h.size(); ++i) slope.push_back((p[(i + 1) % p.size()] - p[i]) / h[i]);
  return spline_second_derivatives(h, slope, is_closed);
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
