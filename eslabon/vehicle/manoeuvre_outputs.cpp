#include "eslabon/vehicle/manoeuvre_outputs.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::vehicle {

namespace {

using model::Mechanism;
using model::TimeFunction;

Mechanism with_formula(const Mechanism& mechanism, const char* name, const LawArguments& arguments,
                       const TimeFunction& function, const core::Dimension& dimension) {
  model::Formula formula{.name = name, .function = function, .variables = {}, .dimension = dimension};
  for (const std::string& variable : arguments.names())
    formula.variables.push_back(model::find_variable(mechanism, variable));
  return model::with_formula(mechanism, formula);
}

}  // namespace

Mechanism with_manoeuvre_outputs(const Mechanism& mechanism, const VehicleLayout& layout,
                                 const std::optional<std::string>& steering_effort,
                                 const std::vector<std::string>& more) {
  const ChassisNames& chassis = layout.chassis;
  Mechanism result = mechanism;
  LawArguments v, slip, along, across, wheel;
  const TimeFunction speed = ahead(v, chassis, "v");
  result = with_formula(result, kSpeed, v, speed, core::kVelocity);
  // Seen along the way that it goes: of a vehicle that backs up too the angle is small.
  const TimeFunction x = ahead(slip, chassis, "v"), y = aside(slip, chassis, "v");
  result = with_formula(result, kSideslip, slip, atan2(y, abs(x)), core::kAngle);
  const TimeFunction ax = ahead(along, chassis, "a"), ay = aside(across, chassis, "a");
  result = with_formula(result, kLongitudinal, along, ax, core::kAcceleration);
  result = with_formula(result, kLateral, across, ay, core::kAcceleration);
  std::vector<std::string> outputs;
  for (const char* c : {".x", ".y", ".z"}) outputs.push_back(chassis.point + c);
  for (const std::string& angle : {chassis.heading(), chassis.pitch(), chassis.roll()})
    outputs.push_back(angle);
  outputs.push_back(chassis.yaw_rate());
  outputs.push_back(chassis.point + ".az");
  for (const char* name : {kSpeed, kSideslip, kLongitudinal, kLateral}) outputs.emplace_back(name);
  if (layout.steering) {
    const TimeFunction angle = layout.steering->wheel_per_coordinate * wheel(layout.steering->coordinate);
    result = with_formula(result, kSteeringWheel, wheel, angle, core::kAngle);
    outputs.emplace_back(kSteeringWheel);
    if (steering_effort) outputs.push_back(*steering_effort);
  }
  for (const Trailer& trailer : layout.trailers)
    for (const std::string& name : {trailer.names.point + ".x", trailer.names.point + ".y",
                                    trailer.names.heading(), trailer.names.yaw_rate()})
      outputs.push_back(name);
  for (const Wheel& one : layout.wheels())
    for (const char* what : {".fx", ".fy", ".fz", ".slip", ".slip_angle", ".x", ".y"})
      outputs.push_back(one.tyre + what);
  for (const std::string& name : more)
    if (std::ranges::find(outputs, name) == outputs.end()) outputs.push_back(name);
  return model::with_outputs(result, outputs);
}

}  // namespace eslabon::vehicle
