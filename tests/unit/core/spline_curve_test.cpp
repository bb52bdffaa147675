// Splines through points: against circles and polynomials, derivatives by dual numbers, and what is nearest by trying everywhere.
#include "eslabon/core/geometry/spline_curve.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::vector<Vector3d> circle(int count, double radius) {
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k)
    points.emplace_back(radius * std::cos(2.0 * pi * k / count), radius * std::sin(2.0 * pi * k / count),
                        0.0);
  return points;
}

std::vector<Vector3d> uneven_points() {
  return {{0.1, 0.2, 0.0}, {0.5, -0.1, 0.0}, {0.9, 0.3, 0.0}, {1.0, 0.9, 0.0},
          {0.4, 1.3, 0.0}, {-0.3, 0.8, 0.0}, {-0.4, 0.5, 0.0}};
}

TEST(SplineCurve, GoesThroughItsPoints_AndRoundAndRoundWhenItIsClosed) {
  const std::vector<Vector3d> points = uneven_points();
  for (const bool is_closed : {false, true}) {
    const SplineCurve curve(points, is_closed);
    ASSERT_EQ(curve.knots().size(), points.size() + (is_closed ? 1 : 0));
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LE((curve.at(curve.knots()[i]).p - points[i]).norm(), 1e-15);
      if (is_closed) {
        EXPECT_LE((curve.at(curve.knots()[i] - 3.0 * curve.length()).p - points[i]).norm(), 1e-13);
      }
    }
  }
}

// analytic: position, tangent and curvature have no jump at a point; the third derivative has.
TEST(SplineCurve, IsSmoothToItsSecondDerivative) {
  const std::vector<Vector3d> points = uneven_points();
  for (const bool is_closed : {false, true}) {
    const SplineCurve curve(points, is_closed);
    double largest_jump = 0.0;
    for (std::size_t i = is_closed ? 0 : 1; i + 1 < curve.knots().size(); ++i) {
      const double h = 1e-9, u = curve.knots()[i];
      const CurvePoint<double> before = curve.at(u - h), after = curve.at(u + h);
      EXPECT_LE((after.d1 - before.d1).norm(), 4.0 * h * after.d2.norm() + 1e-14);
      EXPECT_LE((after.d2 - before.d2).norm(), 4.0 * h * (after.d3.norm() + before.d3.norm()));
      largest_jump = std::max(largest_jump, (after.d3 - before.d3).norm());
    }
    EXPECT_GT(largest_jump, 1.0);
  }
}

// analytic, order
TEST(SplineCurve, ComesNearerToACircleWithTheFourthPowerOfTheSpacing) {
  double before = 0.0;
  for (const int count : {12, 24, 48, 96}) {
    const SplineCurve curve(circle(count, 1.0), true);
    double error = 0.0;
    for (int k = 0; k < 8 * count; ++k)
      error = std::max(error, std::abs(curve.at(curve.length() * k / (8.0 * count)).p.norm() - 1.0));
    if (before > 0.0) {
      EXPECT_NEAR(before / error, 16.0, 1.0) << count;
    }
    before = error;
  }
}

TEST(SplineCurve, ComesNearerToAnArcWithTheFourthPower_UpToItsEnds) {
  double before = 0.0;
  for (const int count : {13, 25, 49}) {
    std::vector<Vector3d> points;
    for (int k = 0; k < count; ++k)
      points.emplace_back(std::cos(2.0 * k / (count - 1)), std::sin(2.0 * k / (count - 1)), 0.0);
    const SplineCurve curve(points, false);
    double error = 0.0;
    for (int k = 0; k <= 8 * count; ++k)
      error = std::max(error, std::abs(curve.at(curve.length() * k / (8.0 * count)).p.norm() - 1.0));
    if (before > 0.0) {
      EXPECT_GT(before / error, 13.0) << count;
    }
    before = error;
  }
}

TEST(SplineCurve, GoesOnStraightBeyondItsEnds) {
  const SplineCurve curve(uneven_points(), false);
  for (const double end : {0.0, curve.length()}) {
    const CurvePoint<double> at = curve.at(end), beyond = curve.at(end == 0.0 ? -0.2 : end + 0.2);
    EXPECT_LE((beyond.p - at.p - (end == 0.0 ? -0.2 : 0.2) * at.d1).norm(), 1e-14);
    EXPECT_EQ(beyond.d2.norm(), 0.0);
    const Vector3d aside = beyond.p + 0.03 * Vector3d(-at.d1.y(), at.d1.x(), 0.0);
    EXPECT_NEAR(curve.nearest(aside), end == 0.0 ? -0.2 : end + 0.2, 1e-13);
  }
}

// derivative: by dual numbers, along the curve and of the place that is nearest.
TEST(SplineCurve, HasTheDerivativesThatDualNumbersSay) {
  using D = Dual<Dual<double>>;
  for (const bool is_closed : {false, true}) {
    const SplineCurve curve(uneven_points(), is_closed);
    for (const double u : {-0.2, 0.31, 0.9, 1.77, 2.6}) {
      const CurvePoint<double> plain = curve.at(u);
      const CurvePoint<D> at = curve.at(D({u, 1.0}, {1.0, 0.0}));
      for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(at.p[k].value.derivative, plain.d1[k], 1e-14);
        EXPECT_NEAR(at.p[k].derivative.derivative, plain.d2[k], 1e-12);
        EXPECT_NEAR(at.d1[k].derivative.derivative, plain.d3[k], 1e-11);
      }
      const PlanarCurvePoint<double> planar = planar_point(curve, u);
      const PlanarCurvePoint<D> along = planar_point(curve, D({u, 1.0}, {1.0, 0.0}));
      EXPECT_NEAR(along.t.x().value.derivative, planar.turning * planar.n.x(), 1e-12);
      EXPECT_NEAR(along.speed.value.derivative, planar.speed_rate, 1e-12);
      EXPECT_NEAR(along.turning.value.derivative, planar.turning_rate,
                  1e-10 * (1.0 + std::abs(planar.turning_rate)));
    }
    // The place that is nearest to a point that moves, against two places near by.
    const Vector3d p(1.3, 0.1, 0.0), v(0.3, -0.7, 0.0);
    const double h = 1e-5;
    const Vector3<D> moving(D({p.x(), v.x()}, {v.x(), 0.0}), D({p.y(), v.y()}, {v.y(), 0.0}), D(0.0));
    const D u = curve.nearest(moving);
    const double ahead = curve.nearest(Vector3d(p + h * v)), back = curve.nearest(Vector3d(p - h * v));
    EXPECT_NEAR(u.value.derivative, (ahead - back) / (2.0 * h), 1e-8);
    EXPECT_NEAR(u.derivative.derivative, (ahead - 2.0 * curve.nearest(p) + back) / (h * h), 1e-4);
  }
}

// analytic: against all places, tried one by one.
TEST(SplineCurve, FindsTheNearestPlaceAndTheFarthestAlongADirection) {
  const SplineCurve curve(uneven_points(), true);
  for (int i = 0; i < 40; ++i) {
    const double x = 2.0 * pi * i / 40.0;
    const Vector3d e(std::cos(x), std::sin(x), 0.0), p = Vector3d(0.3, 0.5, 0.0) + 1.4 * e;
    double nearest = 1e9, lowest = 1e9;
    constexpr int kPlaces = 20000;
    for (int k = 0; k < kPlaces; ++k) {
      const Vector3d at = curve.at(curve.length() * k / kPlaces).p;
      nearest = std::min(nearest, (at - p).norm());
      lowest = std::min(lowest, e.dot(at));
    }
    const double step = curve.length() / kPlaces;  // what is between two of them is nearer by its square
    EXPECT_LE((curve.at(curve.nearest(p)).p - p).norm(), nearest + 1e-14);
    EXPECT_GE((curve.at(curve.nearest(p)).p - p).norm(), nearest - 10.0 * step * step);
    EXPECT_LE(e.dot(curve.at(curve.farthest_against(e)).p), lowest + 1e-14);
    EXPECT_GE(e.dot(curve.at(curve.farthest_against(e)).p), lowest - 10.0 * step * step);
  }
}

TEST(SplineCurve, RefusesWhatIsNoCurve) {
  EXPECT_THROW(SplineCurve(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}}, false), ContractError);
  EXPECT_THROW(SplineCurve(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 1, 0}}, false),
               ContractError);
}

}  // namespace
}  // namespace eslabon::core
