#pragma once

#include <vector>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/kinematics/groups/group_equations.hpp"
#include "eslabon/kinematics/groups/spatial_link.hpp"

namespace eslabon::kinematics {

/// Where one elementary motion of a joint is.
struct StepPlace {
  double cosine = 1.0, sine = 0.0;                     ///< of a rotation
  double shift = 0.0;                                  ///< of a translation [m]
  Eigen::Matrix3d ball = Eigen::Matrix3d::Identity();  ///< of a ball
  Eigen::Matrix3d R;                                   ///< axes before the motion
  Eigen::Vector3d p;                                   ///< origin before the motion [m]
};

/// Scratch of one group's solver: no meaning after the call but for the first two. One per group and thread.
struct GroupScratch {
  /// Of the last solution, by closed forms with branches: the square of the sine that is 0 where two branches meet.
  double sine_square = 1.0;
  /// Coupled coordinates nearby, which tell the turns of angles: set before the call, of groups with couplings.
  std::vector<coordinates::CoordinateValue> coupled;
  std::vector<SpatialLink> places;
  std::vector<StepPlace> steps;
  std::vector<Eigen::Vector3d> rates, accelerations;  ///< (steps) of a ball three, of others the first
  GroupEquations equations;
};

}  // namespace eslabon::kinematics
