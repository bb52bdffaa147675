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

TimeFunction SpeedControl::acceleration(LawArguments& arguments, const ChassisNames& chassis) const {
  const TimeFunction error = speed - ahead(arguments, chassis, "v");
  return on * bounded(proportional * error + arguments(std::string(kState) + ".value"), limit);  // (2)
}

model::StateDescription SpeedControl::state(const ChassisNames& chassis) const {
  LawArguments arguments;
  const TimeFunction error = speed - ahead(arguments, chassis, "v");
  const TimeFunction u = proportional * error + arguments(std::string(kState) + ".value");
  const TimeFunction rate = on * (proportional / reset * error + (bounded(u, limit) - u) / unwind);  // (2)
  return {.name = kState,
          .dimension = core::kAcceleration,
          .start = 0.0,
          .size = 1.0,
          .rate = arguments.law(rate)};
}

model::StateDescription PreviewDriver::state(const ChassisNames& chassis, const TimeFunction& path) const {
  LawArguments arguments;
  const TimeFunction x = arguments(chassis.point + ".x"), y = arguments(chassis.point + ".y");
  const TimeFunction vx = arguments(chassis.point + ".vx"), vy = arguments(chassis.point + ".vy");
  const TimeFunction hands = arguments(std::string(kState) + ".value");
  const TimeFunction there[] = {x + preview * vx};
  const TimeFunction off = path.with_arguments(there) - y - preview * vy;
  const TimeFunction v_squared = max(pow(vx, 2.0) + pow(vy, 2.0), slowest * slowest);
  const TimeFunction wanted =
      steering_ratio * (wheelbase / v_squared + understeer) * (2.0 / (preview * preview)) * off;
  return {.name = kState,
          .dimension = core::kAngle,
          .start = 0.0,
          .size = 1.0,
          .rate = arguments.law((bounded(wanted, limit) - hands) / lag)};  // (3)
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
          .rate = arguments.law((w - abs(w) * z) / (grip + settling * abs(w)))};  // (4)
}

model::LoadDescription HoldingBrake::load() const {
  LawArguments arguments;
  const TimeFunction w = spin_of(arguments);
  const TimeFunction z = arguments(state_name() + ".value");
  const TimeFunction effort = -sign * torque * (grip * z + settling * w) / (grip + settling * abs(w));  // (4)
  return {.name = load_name(),
          .kind = model::LoadKind::kJointEffort,
          .target = spin,
          .components = {effort, 0.0, 0.0},
          .variables = arguments.names()};
}

}  // namespace eslabon::vehicle
