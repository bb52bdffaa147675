#pragma once

#include "eslabon/core/geometry/vector.hpp"
#include "eslabon/tyres/road.hpp"

namespace eslabon::tyres {

/// Where a wheel is and how it moves, components in world axes.
template <core::Scalar T>
struct WheelMotionOf {
  core::Vector3<T> center;    ///< (3) of the tyre's disc [m]
  core::Vector3<T> axis;      ///< (3) unit, to the left of the way ahead
  core::Vector3<T> velocity;  ///< (3) of the centre [m/s]
  core::Vector3<T> w;         ///< (3) angular velocity of the wheel [rad/s]
};

/// Where a tyre's disc meets the road, in axes of ISO 8855 (ISO-W): x ahead in the disc and along the road, z across the road, y to the left.
/// The contact point S lies in the disc, straight below the centre, and stands on the road:
///   e_x = axis × n/|axis × n|,   e_y = n × e_x,   d = e_x × axis  (up, in the disc)                                            (1)
///   S = C − r d,   S_z = z(S_x, S_y)                                                                                           (2)
///   v_S = v_C + (ω − Ω axis) × (S − C),   Ω = ω·axis                                                                           (3)
///   V_x = v_S·e_x,   V_y = v_S·e_y,   ṙ = v_S·n/(d·n)   (exact where the road is a plane)                                      (4)
template <core::Scalar T>
struct WheelContactOf {
  core::Vector3<T> point;   ///< (3) S
  core::Vector3<T> ahead;   ///< (3) e_x
  core::Vector3<T> left;    ///< (3) e_y
  core::Vector3<T> normal;  ///< (3) n
  T radius;                 ///< r, the loaded radius; that of the free tyre and more in the air [m]
  T radius_rate;            ///< ṙ [m/s]
  T sin_camber;             ///< sine of the inclination angle, axis·n
  T v_x;                    ///< V_x [m/s]
  T v_y;                    ///< V_y [m/s]
  T spin;                   ///< Ω [rad/s]
  T friction;               ///< of the road, factor of the tyre's own
};

/// How a tyre feels the road.
struct RoadFeeler {
  double free_radius = 0.0;  ///< where it looks first [m]
  /// Half the distance of the first of three points from the last; short bumps are felt smoothed. 0: one point.
  double half_length = 0.0;  ///< [m]
};

/// Without a finite value where the axis stands across the road.
template <core::Scalar T>
WheelContactOf<T> wheel_contact(const Road& road, const RoadFeeler& feeler, const WheelMotionOf<T>& wheel);

#define ESLABON_DECLARE(T) \
  extern template WheelContactOf<T> wheel_contact(const Road&, const RoadFeeler&, const WheelMotionOf<T>&);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
