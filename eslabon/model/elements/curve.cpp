#include "eslabon/model/elements/curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace eslabon::model {

namespace {

/// Twice the area that a polygon goes round, positive where it does so counter-clockwise.
double signed_area(const std::vector<Eigen::Vector3d>& points) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector3d a = points[i] - points[0], b = points[(i + 1) % points.size()] - points[0];
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum;
}

/// The direction that stays farthest from the line of every tangent. A smooth curve's tangents are a line on the sphere, and so are those reversed:
/// together they leave most of it free. Of the directions w with small whole components it is the one whose max |w·t|, over nine places of
/// each span, is smallest; of a curve in a plane z = 0 the normal, for which that is 0.
Eigen::Vector3d direction_across(const core::SplineCurve& curve) {
  constexpr int kPlaces = 8, kMost = 4;
  const std::vector<double>& knots = curve.knots();
  std::vector<Eigen::Vector3d> tangents;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i)
    for (int k = 0; k <= kPlaces; ++k)
      tangents.push_back(curve.at(knots[i] + (knots[i + 1] - knots[i]) * k / kPlaces).d1.normalized());
  const auto nearness = [&](const Eigen::Vector3d& w) {
    double most = 0.0;
    for (const Eigen::Vector3d& t : tangents) most = std::max(most, std::abs(w.dot(t)));
    return most;
  };
  Eigen::Vector3d best = Eigen::Vector3d::UnitZ();
  double least = nearness(best);
  for (int x = -kMost; x <= kMost && least > 0.0; ++x)
    for (int y = -kMost; y <= kMost; ++y)
      for (int z = 0; z <= kMost; ++z) {  // the other half are these reversed
        if (x == 0 && y == 0 && z == 0) continue;
        const Eigen::Vector3d w = Eigen::Vector3d(x, y, z).normalized();
        if (const double one = nearness(w); one < least) {
          least = one;
          best = w;
        }
      }
  return best;
}

}  // namespace

std::shared_ptr<const TouchedCurve> touched_curve(const NamedCurve& curve) {
  std::vector<Eigen::Vector3d> points;
  points.reserve(curve.points.size());
  for (const Eigen::Vector3d& point : curve.points) points.push_back(point - curve.points.front());
  const bool is_on_left = curve.is_closed ? signed_area(points) < 0.0 : true;
  core::SplineCurve spline(points, curve.is_closed);
  const Eigen::Vector3d across = direction_across(spline);
  return std::make_shared<const TouchedCurve>(
      TouchedCurve{std::move(spline), is_on_left != curve.is_other_side ? 1.0 : -1.0, across});
}

CurvatureExtreme extreme_curvature(const TouchedCurve& curve, bool of_least) {
  // The curvature of a cubic bends little between two points of it: where they are, and a few places between, tell.
  constexpr int kPlacesBetween = 8;
  const std::vector<double>& knots = curve.spline.knots();
  CurvatureExtreme best{};
  bool is_first = true;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i)
    for (int k = 0; k <= kPlacesBetween; ++k) {
      const double u = knots[i] + (knots[i + 1] - knots[i]) * k / kPlacesBetween;
      const core::PlanarCurvePoint<double> at = core::planar_point(curve.spline, u);
      const double curvature = curve.side * at.turning / at.speed;
      if (!is_first && !(of_least ? curvature < best.curvature : curvature > best.curvature)) continue;
      best = {curvature, u, {at.p.x(), at.p.y(), 0.0}};
      is_first = false;
    }
  return best;
}

}  // namespace eslabon::model
