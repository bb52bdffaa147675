#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::tyres {

struct RoadRelief;

/// How the height of a bump goes over its length.
enum class BumpShape {
  kSine,       ///< one wave from trough to trough
  kTrapezoid,  ///< up along a ramp, along the top, down along a ramp
  kPlank,      ///< upright at both ends, which the tyre's disc rolls over as a rigid one
};

/// A bump that lies across the whole road, or across one half of it.
struct RoadBump {
  std::string name;
  BumpShape shape = BumpShape::kSine;
  double begin = 0.0;   ///< x where it begins [m]
  double length = 0.0;  ///< > 0, along x [m]
  double height = 0.0;  ///< < 0: a pothole [m]
  double ramp = 0.0;    ///< > 0, 2 ramp ≤ length; trapezoids only [m]
  bool on_left = true;  ///< where y ≥ 0
  bool on_right = true;
  friend bool operator==(const RoadBump&, const RoadBump&) = default;
};

/// What wheels stand on: a height z(x, y) over the plane z = 0 of the world, and how much friction there is of what a tyre is measured with.
struct Road {
  Eigen::Vector3d origin_W = Eigen::Vector3d::Zero();  ///< (3) from where x, y and z are measured [m]
  double height = 0.0;                                 ///< at x = y = 0 [m]
  double slope_x = 0.0;                                ///< ∂z/∂x, uphill ahead > 0
  double slope_y = 0.0;                                ///< ∂z/∂y
  std::vector<RoadBump> bumps;
  std::shared_ptr<const RoadRelief> relief;   ///< heights laid over the plane; none: it is even
  double friction = 1.0;                      ///< ≥ 0, factor of the tyres' own, where y ≥ 0
  std::optional<double> friction_right = {};  ///< the same where y < 0; none: as on the left
  friend bool operator==(const Road& a, const Road& b);
};

/// The road at one place.
template <core::Scalar T>
struct RoadPointOf {
  T height;    ///< z [m]
  T slope_x;   ///< ∂z/∂x
  T slope_y;   ///< ∂z/∂y
  T friction;  ///< factor of a tyre's friction
};

/// All but planks, which have no slope at their ends.
template <core::Scalar T>
RoadPointOf<T> road_at(const Road& road, const T& x_W, const T& y_W);

/// By how much a rigid disc that rolls ahead is lifted by planks when its centre is over a place. On an edge of height h it stands while its centre
/// is nearer than √(2 R h − h²), at z = h − R + √(R² − d²), d the way to the plank.
/// A pothole with upright ends is felt from its begin to its end.
template <core::Scalar T>
T plank_lift(const Road& road, double disc_radius, const T& x_W, const T& y_W);
bool has_planks(const Road& road);

#define ESLABON_DECLARE(T)                                                 \
  extern template RoadPointOf<T> road_at(const Road&, const T&, const T&); \
  extern template T plank_lift(const Road&, double, const T&, const T&);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
