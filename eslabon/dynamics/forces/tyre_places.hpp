#pragma once

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

}  // namespace eslabon::dynamics
