#include "eslabon/vehicle/vehicle_laws.hpp"

#include <algorithm>

#include "eslabon/vehicle/smooth_function.hpp"

namespace eslabon::vehicle {

using model::TimeFunction;

TimeFunction LawArguments::operator()(const std::string& variable) {
  const auto found = std::ranges::find(names_, variable);
  const auto slot = static_cast<int>(found - names_.begin());
  if (found == names_.end()) names_.push_back(variable);
  return TimeFunction::argument(slot);
}

TimeFunction ahead(LawArguments& arguments, const ChassisNames& chassis, const std::string& level) {
  const TimeFunction heading = arguments(chassis.heading());
  return arguments(chassis.point + "." + level + "x") * cos(heading) +
         arguments(chassis.point + "." + level + "y") * sin(heading);  // (1)
}

TimeFunction aside(LawArguments& arguments, const ChassisNames& chassis, const std::string& level) {
  const TimeFunction heading = arguments(chassis.heading());
  return arguments(chassis.point + "." + level + "y") * cos(heading) -
         arguments(chassis.point + "." + level + "x") * sin(heading);  // (1)
}

TimeFunction SpeedControl::error(LawArguments& arguments, const ChassisNames& chassis) const {
  const TimeFunction vx = arguments(chassis.point + ".vx"), vy = arguments(chassis.point + ".vy");
  const TimeFunction felt = sqrt(max(pow(vx, 2.0) + pow(vy, 2.0), slowest * slowest));
  return speed < 0.0 ? speed + felt : speed - felt;
}

TimeFunction SpeedControl::acceleration(LawArguments& arguments, const ChassisNames& chassis) const {
  return on * bounded(proportional * error(arguments, chassis) + arguments(std::string(kState) + ".value"),
                      limit);  // (2)
}

model::StateDescription SpeedControl::state(const ChassisNames& chassis) const {
  LawArguments arguments;
  const TimeFunction off = error(arguments, chassis);
  const TimeFunction u = proportional * off + arguments(std::string(kState) + ".value");
  const TimeFunction rate = on * (proportional / reset * off + (bounded(u, limit) - u) / unwind);  // (2)
  return {.name = kState,
          .dimension = core::kAcceleration,
          .start = 0.0,
          .size = 1.0,
          .rate = arguments.law(rate)};
}

model::StateDescription PreviewDriver::state(const ChassisNames& chassis, const TimeFunction& path) const {
  LawArguments arguments;
  const TimeFunction heading = arguments(chassis.heading()), turning = arguments(chassis.yaw_rate());
  const TimeFunction dx = middle * cos(heading), dy = middle * sin(heading);
  const TimeFunction x = arguments(chassis.point + ".x") + dx, y = arguments(chassis.point + ".y") + dy;
  const TimeFunction vx = arguments(chassis.point + ".vx") - turning * dy;
  const TimeFunction vy = arguments(chassis.point + ".vy") + turning * dx;
  const TimeFunction hands = arguments(std::string(kState) + ".value");
  const auto path_at = [&](const TimeFunction& place) {
    const TimeFunction argument[] = {place};
    return path.with_arguments(argument);
  };
  const TimeFunction ahead = x + lead * vx;
  const TimeFunction bend =
      (path_at(ahead + step) - 2.0 * path_at(ahead) + path_at(ahead - step)) / (step * step);
  const TimeFunction slope = (path_at(x + step) - path_at(x - step)) / (2.0 * step);
  const TimeFunction acceleration = pow(vx, 2.0) * bend + 2.0 * damping * frequency * (vx * slope - vy) +
                                    frequency * frequency * (path_at(ahead) - y - lead * vy);  // (3)
  const TimeFunction v_squared = max(pow(vx, 2.0) + pow(vy, 2.0), slowest * slowest);
  const TimeFunction wanted = steering_ratio * (wheelbase / v_squared + understeer) * acceleration;
  return {.name = kState,
          .dimension = core::kAngle,
          .start = 0.0,
          .size = 1.0,
          .rate = arguments.law((bounded(wanted, limit) - hands) / lag)};  // (4)
}

TimeFunction HoldingBrake::spin_of(LawArguments& arguments) const { return sign * arguments(spin + ".v"); }

model::StateDescription HoldingBrake::state(double start) const {
  LawArguments arguments;
  const TimeFunction w = spin_of(arguments);
  const TimeFunction z = arguments(state_name() + ".value");
  return {.name = state_name(),
          .dimension = core::kNumber,
          .start = start,
          .size = 1.0,
          .rate = arguments.law((w - abs(w) * z) / (grip + settling * abs(w)))};  // (5)
}

model::LoadDescription HoldingBrake::load() const {
  LawArguments arguments;
  const TimeFunction w = spin_of(arguments);
  const TimeFunction z = arguments(state_name() + ".value");
  const TimeFunction effort = -sign * torque * (grip * z + settling * w) / (grip + settling * abs(w));  // (5)
  return {.name = load_name(),
          .kind = model::LoadKind::kJointEffort,
          .target = spin,
          .components = {effort, 0.0, 0.0},
          .variables = arguments.names()};
}

}  // namespace eslabon::vehicle
