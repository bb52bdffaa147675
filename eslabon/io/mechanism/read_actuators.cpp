#include <algorithm>

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"
#include "eslabon/model/elements/time_derivative.hpp"

namespace eslabon::io {

namespace {

using model::TimeFunction;

/// A joint coordinate that follows a function r of time:
///   u = P (r − q) + D (ṙ − q̇),   within ± limit                                               (1)
///   e = u, or with a lag T    T ė = u − e,  e = 0 at first                                       (2)
struct Actuator {
  std::string coordinate;  ///< "A.q", a name of the file
  Dimension effort;        ///< of u and e
  TimeFunction reference;
  double proportional = 0.0, derivative = 0.0;
  std::optional<double> limit, lag;
};

std::string lag_of(const std::string& actuator) { return actuator + "_lag"; }

double positive(MapReader& map, const char* key, double value, const char* next) {
  if (value > 0.0) return value;
  map.reading().fail(*map.node().find(key), map.element(), std::string(key) + " is not positive",
                     std::string(key) + " > 0", "'" + map.node().find(key)->text() + "'", next);
}

Actuator read_actuator(MapReader& map, const JointTypeTable& types) {
  Actuator actuator;
  actuator.coordinate = read_joint_coordinate(map, "joint", types);
  const Dimension position = dimension_of_position(types, actuator.coordinate);
  const bool slides = position == kLength;
  actuator.effort = slides ? kForce : kTorque;
  actuator.reference = map.reading().function(
      map.need("reference", "where the coordinate is to be, a number or a function of the time t"),
      map.element(), "reference", position);
  actuator.proportional = map.number_or("proportional", slides ? kStiffness : kTorsionalStiffness, 0.0);
  actuator.derivative = map.number_or("derivative", slides ? kDamping : kTorsionalDamping, 0.0);
  for (const auto& [key, gain] :
       {std::pair("proportional", actuator.proportional), std::pair("derivative", actuator.derivative)})
    if (gain < 0.0)
      map.reading().fail(*map.node().find(key), map.element(), std::string(key) + " is negative",
                         std::string(key) + " >= 0", "'" + map.node().find(key)->text() + "'",
                         "A positive gain pushes the coordinate towards its reference.");
  if (actuator.proportional == 0.0 && actuator.derivative == 0.0)
    map.reading().fail(map.node(), map.element(), "an actuator without gains", "proportional or derivative",
                       "neither", "Give one of them, or remove the actuator.");
  actuator.limit = map.number("limit", actuator.effort);
  if (actuator.limit) positive(map, "limit", *actuator.limit, "Give the greatest effort, or leave it out.");
  actuator.lag = map.number("lag", kTime);
  if (actuator.lag) positive(map, "lag", *actuator.lag, "Give the time constant, or leave it out.");
  return actuator;
}

}  // namespace

void read_actuator_lags(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "actuators", "actuator", [&](MapReader& map, const std::string& name) {
    const Actuator actuator = read_actuator(map, types);
    map.finish();
    reading.remember("force '" + name + "'", map.node().position());
    if (!actuator.lag) return;
    reading.remember("state '" + lag_of(name) + "'", map.node().position());
    model::StateDescription state{lag_of(name)};
    state.dimension = actuator.effort;
    state.size = actuator.limit.value_or(std::max(actuator.proportional, actuator.derivative));
    reading.at_place([&] { builder.add_state(std::move(state)); });
  });
}

void read_actuators(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "actuators", "actuator", [&](MapReader& map, const std::string& name) {
    const Actuator actuator = read_actuator(map, types);
    const std::string where = reading.full_element(map.element());
    std::vector<std::string> variables;
    const auto argument = [&](const std::string& variable) {
      const PartBuilder::MovedVariable moved = builder.moved_argument(variable, where);
      variables.push_back(moved.name);
      TimeFunction own = TimeFunction::argument(static_cast<int>(variables.size()) - 1);
      if (moved.offset != 0.0) own = own - moved.offset;
      return moved.sign < 0.0 ? -own : own;
    };
    std::string rate = actuator.coordinate;
    rate[rate.rfind('.') + 1] = 'v';
    reading.at_place([&] {
      const TimeFunction q = argument(actuator.coordinate), v = argument(rate);
      TimeFunction u = actuator.proportional * (actuator.reference - q) +
                       actuator.derivative * (model::derivative(actuator.reference) - v);  // (1)
      if (actuator.limit) u = max(-*actuator.limit, min(*actuator.limit, u));
      model::LoadDescription load{name, model::LoadKind::kJointEffort, actuator.coordinate};
      if (actuator.lag) {
        const TimeFunction e = argument(lag_of(name) + ".value");
        builder.set_rate(lag_of(name), {(u - e) / *actuator.lag, variables});  // (2)
        load.components[0] = TimeFunction::argument(0);
        load.variables = {variables.back()};
      } else {
        load.components[0] = u;
        load.variables = variables;
      }
      builder.add_load(std::move(load));
    });
  });
}

}  // namespace eslabon::io
