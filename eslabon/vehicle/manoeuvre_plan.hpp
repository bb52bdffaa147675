#pragma once

#include <optional>
#include <vector>

#include "eslabon/model/elements/time_function.hpp"
#include "eslabon/tyres/road.hpp"
#include "eslabon/vehicle/course.hpp"
#include "eslabon/vehicle/manoeuvre_request.hpp"
#include "eslabon/vehicle/vehicle_layout.hpp"

namespace eslabon::vehicle {

/// A frequency that grows evenly:  angle amplitude·sin(2π (f₀ τ + (f₁ − f₀) τ²/(2 T))), τ from `begin` on, T long.
struct Sweep {
  double from = 0.2, to = 4.0;  ///< f₀, f₁ [Hz]
  double length = 40.0;         ///< T [s]
};

/// What a driver does, and where: a manoeuvre of one vehicle. Angles are those of the steering wheel.
struct ManoeuvrePlan {
  ManoeuvreKind kind = ManoeuvreKind::kBumps;
  double side = 1.0;             ///< 1: to the left first, −1: to the right
  double speed = 0.0;            ///< at the start, < 0: backwards [m/s]
  double amplitude = 0.0;        ///< of the steering, > 0 [rad]
  model::TimeFunction steering;  ///< of the time, to the left [rad]; without a course
  std::optional<Course> course;  ///< to be followed
  double understeer = 0.0;       ///< that the driver knows of [rad s²/m]
  tyres::Road road;
  double begin = 0.0;                 ///< of what it is about: steering or brakes [s]
  std::optional<double> drive_until;  ///< [s]; none: all the time
  std::optional<double> brake_from;   ///< [s]; none: never
  double deceleration = 0.0;          ///< that the brakes are asked for [m/s²]
  bool ends_at_standstill = false;
  double until = 0.0;          ///< [s]
  double every = 0.01;         ///< from row to row [s]
  double stage = 0.0;          ///< of steady cornering: time from one angle to the next [s]
  std::vector<double> stages;  ///< parts of the amplitude
  double spacing = 0.0;        ///< of the cones of a slalom [m]
  Sweep sweep;
  double largest_acceleration = 0.0;  ///< |a_y| that ends it; 0: none does [m/s²]
};

/// Steering that grows slowly until the lateral acceleration is there: what tells the amplitudes of others. NHTSA, FMVSS 126, S7.6.
ManoeuvrePlan slow_steering(const VehicleLayout& layout, double speed, double lateral_acceleration,
                            const tyres::Road& road);

/// `amplitude`: of the steering wheel, for those that have one [rad].
ManoeuvrePlan plan_of(const ManoeuvreRequest& request, const VehicleLayout& layout, const tyres::Road& road,
                      double amplitude);

/// Whether it is driven backwards: parking is, but of a vehicle with a trailer, which would fold.
bool backs_up(ManoeuvreKind kind, const VehicleLayout& layout);

/// The road of the file, level and even, with the friction that is asked for.
tyres::Road level_road(const ManoeuvreRequest& request, const tyres::Road& of_file);

}  // namespace eslabon::vehicle
