#include "eslabon/model/elements/curve.hpp"

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

}  // namespace

std::shared_ptr<const TouchedCurve> touched_curve(const NamedCurve& curve) {
  std::vector<Eigen::Vector3d> points;
  points.reserve(curve.points.size());
  for (const Eigen::Vector3d& point : curve.points) points.push_back(point - curve.points.front());
  const bool is_on_left = curve.is_closed ? signed_area(points) < 0.0 : true;
  return std::make_shared<const TouchedCurve>(TouchedCurve{core::SplineCurve(points, curve.is_closed),
                                                           is_on_left != curve.is_other_side ? 1.0 : -1.0});
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
