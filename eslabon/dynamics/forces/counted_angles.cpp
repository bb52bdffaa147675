#include "eslabon/dynamics/forces/counted_angles.hpp"

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotionOf;

std::size_t CountedAngles::add(const model::JointCoordinate& coordinate) {
  if (model::coordinate_dimension(mechanism_.joint(coordinate.joint).type, coordinate.component) !=
      core::kAngle)
    return kNone;
  angles_.push_back(coordinate);
  return angles_.size() - 1;
}

CountedAngles::Places CountedAngles::add(const model::Connection& connection) {
  if (const auto* coordinate = std::get_if<model::JointCoordinate>(&connection))
    return {add(*coordinate), kNone};
  if (const auto* pair = std::get_if<model::CoordinatePair>(&connection)) {
    const std::size_t first = add(pair->first);
    return {first, add(pair->second)};
  }
  return {};
}

void CountedAngles::follow(const coordinates::MechanismMotion& bodies, std::span<double> angles) const {
  for (std::size_t k = 0; k < angles_.size(); ++k)
    angles[k] = coordinates::unwrapped(kinematics::connection_value(mechanism_, angles_[k], bodies).length,
                                       angles[k]);
}

template <core::Scalar T>
T CountedAngles::position(const model::JointCoordinate& coordinate, std::size_t place,
                          const MechanismMotionOf<T>& bodies, const ForceMemory& memory) const {
  const T value =
      coordinates::joint_coordinate(mechanism_.joint(coordinate.joint), coordinate.component, bodies)
          .position;
  return place == kNone ? value : coordinates::unwrapped(value, memory.angles[place]);
}

template <core::Scalar T>
T CountedAngles::length(const model::Connection& connection, const Places& places,
                        const MechanismMotionOf<T>& bodies, const ForceMemory& memory) const {
  if (const auto* coordinate = std::get_if<model::JointCoordinate>(&connection))
    return position(*coordinate, places.first, bodies, memory);
  if (const auto* pair = std::get_if<model::CoordinatePair>(&connection))
    return position(pair->second, places.second, bodies, memory) -
           position(pair->first, places.first, bodies, memory);
  return kinematics::connection_value(mechanism_, connection, bodies).length;
}

#define ESLABON_INSTANTIATE(T)                                                                           \
  template T CountedAngles::position(const model::JointCoordinate&, std::size_t,                         \
                                     const MechanismMotionOf<T>&, const ForceMemory&) const;             \
  template T CountedAngles::length(const model::Connection&, const Places&, const MechanismMotionOf<T>&, \
                                   const ForceMemory&) const;
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
