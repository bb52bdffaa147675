#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::vehicle {

/// A cone on the road.
struct Cone {
  static constexpr double kRadius = 0.15;  ///< of its base [m]
  static constexpr double kHeight = 0.5;   ///< [m]

  std::string name;                              ///< "section 3, left, 2"
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< (2) the middle of its base [m]
  bool is_hit = false;
};

/// What a driver is to follow, and what is in its way. All in axes of the course: x ahead from the chassis' point at the start, y to the side that
/// the manoeuvre goes to first.
struct Course {
  std::vector<Cone> cones;
  model::TimeFunction path = 0.0;  ///< y(x), a function of its argument 0
  double end = 0.0;                ///< where the last cone stands, x [m]
};

/// A section of a lane.
struct LaneSection {
  double length = 0.0;          ///< [m]
  std::optional<double> width;  ///< none: between two lanes [m]
  double right_edge = 0.0;      ///< y, seen from the start of the course [m]
};

/// Lanes of ISO 3888 for a vehicle of width b, from their begin. Lanes of ISO 3888-1:
///   lengths 15, 30, 25, 25, 15, 15 m,   widths 1.1 b + 0.25, –, 1.2 b + 0.25, –, 1.3 b + 0.25, 1.3 b + 0.25 m        (1)
/// the second lane 3.5 m beside the first one, from edge to the same edge. Of ISO 3888-2:
///   lengths 12, 13.5, 11, 12.5, 12 m,   widths 1.1 b + 0.25, –, b + 1, –, max(1.3 b + 0.25, 3) m                      (2)
/// with 1 m between the left edge of the first and the right edge of the second lane. In both the last lane begins at the edge of the first.
/// ISO 3888-1:2018 and ISO 3888-2:2011, lengths and widths as demo_VEH_HMMWV_DoubleLaneChange of Project Chrono has them; y of the middle of the first lane is 0.
std::vector<LaneSection> double_lane_change(double vehicle_width);
std::vector<LaneSection> obstacle_avoidance(double vehicle_width);

/// How a driver goes from lane to lane.
struct LanePath {
  double width = 0.0;   ///< of the vehicle [m]
  double before = 0.0;  ///< he begins so long before the end of a lane [m]
  double after = 0.0;   ///< and is there so long after the begin of the next one [m]
  double clearance =
      1e9;  ///< that he leaves on the side that he comes from; where the lane has less to spare he goes along its middle [m]
};

/// Cones at the begin, the middle and the end of every lane, whose bases touch its edges from outside, and a path through the lanes.
/// `begin`: x where the first lane begins.
Course lane_course(const std::vector<LaneSection>& sections, double begin, const LanePath& path);

/// Cones in one line, `spacing` apart, which are passed on alternate sides, the first one on its left, at the distance `beside`:
///   y(x) = beside cos(π (x − begin)/spacing)  between first and last, from 0 and back to 0 within one spacing      (3)
Course slalom_course(int cones, double spacing, double begin, double beside);

}  // namespace eslabon::vehicle
