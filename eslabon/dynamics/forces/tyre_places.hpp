#pragma once

#include <algorithm>
#include <limits>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/forces/force_memory.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/tyres/tyre_bends.hpp"

/// Where wheels are, and where what is kept of their tyres stands among the choices of a run.
namespace eslabon::dynamics {

template <core::Scalar T>
tyres::WheelMotionOf<T> wheel_motion(const model::Mechanism& mechanism, std::size_t tyre,
                                     const coordinates::MechanismMotionOf<T>& bodies) {
  const model::PointRef& center = mechanism.tyres()[tyre].center;
  const coordinates::BodyMotionOf<T>& wheel = bodies[center.body.slot()];
  const Eigen::Vector3d& p_BC_B = mechanism.point(center).p_BP_B;
  return {wheel.point_position(p_BC_B), wheel.direction(mechanism.tyres()[tyre].axis_B),
          wheel.point_velocity(p_BC_B), wheel.w_WB_W};
}

/// Position of the first bend of a tyre among so many switches: tyres are the last of those who have some.
inline std::size_t first_bend(const model::Mechanism& mechanism, std::size_t tyre, std::size_t num_switches) {
  return num_switches - (mechanism.tyres().size() - tyre) * tyres::num_bends(mechanism.road());
}

/// Which half of the road a tyre is on, where runs keep it.
inline tyres::RoadHalf half_of_road(const model::Mechanism& mechanism, std::size_t tyre,
                                    const ForceMemory& memory) {
  if (memory.choices.empty()) return tyres::RoadHalf::kOfItsPlace;
  const std::size_t place = first_bend(mechanism, tyre, memory.choices.size()) + tyres::kBendOfHalf;
  return memory.choices[place] != 0 ? tyres::RoadHalf::kLeft : tyres::RoadHalf::kRight;
}

/// Whether a tyre is in the air, by the choices of a run, over a road that is no plane.
inline bool flies_over_bumps(const model::Mechanism& mechanism, std::size_t tyre, const ForceMemory& memory) {
  const tyres::Road& road = mechanism.road();
  return (road.relief || !road.bumps.empty()) && !memory.choices.empty() &&
         memory.choices[first_bend(mechanism, tyre, memory.choices.size())] == 0;
}

/// How long a step may be [s] so that none of these passes over what it would touch, because only ends of steps are looked at: a quarter of its
/// radius is flown.
inline double longest_flight(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                             const ForceMemory& memory) {
  constexpr double kPartOfRadius = 0.25;
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < mechanism.tyres().size(); ++k) {
    if (!flies_over_bumps(mechanism, k, memory)) continue;
    const double speed = wheel_motion<double>(mechanism, k, bodies).velocity.norm();
    longest = std::min(longest, kPartOfRadius * tyres::unloaded_radius(mechanism.tyres()[k].fitted) / speed);
  }
  return longest;
}

}  // namespace eslabon::dynamics
