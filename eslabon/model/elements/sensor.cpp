#include "eslabon/model/elements/sensor.hpp"

#include "eslabon/model/mechanism.hpp"

namespace eslabon::model {

core::Dimension reading_dimension(const Mechanism& mechanism, const Sensor& sensor) {
  core::Dimension target;
  if (const auto* coordinate = std::get_if<JointCoordinate>(&sensor.target))
    target = coordinate_dimension(mechanism.joint(coordinate->joint).type, coordinate->component);
  if (const auto* variable = std::get_if<Variable>(&sensor.target)) target = dimension(mechanism, *variable);
  return reading_dimension(sensor.kind, mechanism.is_planar(), target);
}

}  // namespace eslabon::model
