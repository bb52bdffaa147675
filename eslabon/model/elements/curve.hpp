#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/geometry/spline_curve.hpp"

namespace eslabon::model {

/// A curve of a body that the user named: a smooth one through points. In the plane others touch it from one side: a closed curve
/// from outside, an open one from the left of its way, or, where the user says so, from the other side. In space it has no sides.
struct NamedCurve {
  std::string name;
  std::vector<Eigen::Vector3d> points;  ///< (n) (3) from the body's origin, body axes [m]; planar: z is 0
  bool is_closed = false;
  bool is_other_side = false;  ///< touched from inside, or from the right
  friend bool operator==(const NamedCurve&, const NamedCurve&) = default;
};

/// What a joint knows of a curve: the spline, from the curve's first point in body axes, and the side on which it is touched.
struct TouchedCurve {
  core::SplineCurve spline;
  double side;             ///< in the plane, 1: on the left of its way, −1: on the right
  Eigen::Vector3d across;  ///< (3) unit, nowhere along a tangent; directions across it in space start there
};

/// The curve, whose points are known to be good.
std::shared_ptr<const TouchedCurve> touched_curve(const NamedCurve& curve);

/// Where the curvature towards the side on which it is touched is largest, or, when `of_least`, smallest; how much it is [1/m], and where.
struct CurvatureExtreme {
  double curvature;
  double place;             ///< parameter [m]
  Eigen::Vector3d point_B;  ///< (3) from the curve's first point
};
CurvatureExtreme extreme_curvature(const TouchedCurve& curve, bool of_least);

}  // namespace eslabon::model
