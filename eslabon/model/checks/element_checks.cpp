#include "eslabon/model/checks/element_checks.hpp"

#include <array>
#include <utility>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/model/checks/coupling_checks.hpp"
#include "eslabon/model/checks/joint_checks.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/model/variables/force_variables.hpp"

namespace eslabon::model::detail {

namespace {

/// The key of a connection in files: two points or a joint coordinate.
Field connection_field(const ConnectionDescription& connection) {
  if (connection.is_of_point) return {"point"};
  return {connection.second.empty() ? "joint" : "between"};
}

bool slides(const JointCoordinate& coordinate, const Mechanism& mechanism) {
  return coordinate_dimension(mechanism.joint(coordinate.joint).type, coordinate.component) == core::kLength;
}

CoordinatePair make_coordinate_pair(const ConnectionDescription& connection, const Place& place,
                                    const Mechanism& mechanism, const NameLookup& lookup) {
  const Field field = connection_field(connection);
  const CoordinatePair pair{lookup.coordinate(connection.first, place, field),
                            lookup.coordinate(connection.second, place, field)};
  const std::string both = core::quoted(connection.first) + " and " + core::quoted(connection.second);
  if (pair.first == pair.second)
    fail(place, field,
         {"both coordinates are the same", "two different joint coordinates", both, "Change one of them."});
  if (slides(pair.first, mechanism) != slides(pair.second, mechanism))
    fail(place, field,
         {"one coordinate turns and the other slides", "two that turn, or two that slide", both,
          "Take two of one kind."});
  return pair;
}

PointCoordinate make_point_coordinate(const ConnectionDescription& connection, const Place& place,
                                      const NameLookup& lookup) {
  const Field field = connection_field(connection);
  const Variable target = lookup.position_variable(connection.first, place, field);
  if (target.kind != VariableKind::kPointPosition)
    fail(place, field,
         {"a spring or damper needs a coordinate of a point here",
          "BODY.POINT.x or another coordinate of a point", core::quoted(connection.first),
          "Write the body, the point and the letter, with dots between them."});
  return {std::get<PointRef>(target.element), target.component};
}

Connection make_connection(const ConnectionDescription& connection, const Place& place,
                           const Mechanism& mechanism, const NameLookup& lookup) {
  const Field field = connection_field(connection);
  if (connection.is_of_coordinates) return make_coordinate_pair(connection, place, mechanism, lookup);
  if (connection.is_of_point) return make_point_coordinate(connection, place, lookup);
  if (connection.second.empty()) return lookup.coordinate(connection.first, place, field);
  return lookup.point_pair(connection.first, connection.second, place, field);
}

void forbid_beside_table(double value, std::string_view key, const ForceTable& table, const Place& place) {
  if (value == 0.0 || table.empty()) return;
  fail(place, {"table"},
       {std::string(key) + " and table are both given", "one of the two",
        std::string(key) + " " + with_unit(value, "") + " and a table of " + std::to_string(table.size()) +
            " rows",
        "Remove one of them."});
}

/// The key of the target of a load in files.
Field target_field(LoadKind kind) {
  static constexpr std::array<std::string_view, 3> kKeys{"point", "body", "joint"};
  return {kKeys[static_cast<std::size_t>(kind)]};
}

/// What the components of a load are called in messages and files.
Field components_field(LoadKind kind) {
  static constexpr std::array<std::string_view, 3> kKeys{"force", "torque", "effort"};
  return {kKeys[static_cast<std::size_t>(kind)]};
}

/// Which components a load of the kind has: {first, one past the last}.
std::pair<std::size_t, std::size_t> used_components(LoadKind kind, bool is_planar) {
  if (kind == LoadKind::kJointEffort) return {0, 1};
  if (!is_planar) return {0, 3};
  return kind == LoadKind::kPointForce ? std::pair<std::size_t, std::size_t>{0, 2}
                                       : std::pair<std::size_t, std::size_t>{2, 3};
}

std::string used_components_text(LoadKind kind) {
  if (kind == LoadKind::kJointEffort) return "one component";
  return kind == LoadKind::kPointForce ? "x and y only in a planar mechanism"
                                       : "z only in a planar mechanism";
}

}  // namespace

std::string_view level_key(DriverLevel level) {
  static constexpr std::array<std::string_view, 3> kKeys{"position", "speed", "acceleration"};
  return kKeys[static_cast<std::size_t>(level)];
}

void check_driver(const DriverDescription& driver) {
  const Place place{kDriverWord, driver.name};
  check_element_name(place);
  check_function(driver.function, place, {level_key(driver.level)});
  if (driver.start) {
    check_finite(*driver.start, "", place, {"start"});
    if (driver.level == DriverLevel::kPosition)
      fail(place, {"start"},
           {"start beside position", "start with speed or acceleration only", with_unit(*driver.start, ""),
            "Remove 'start:'; the position at t = 0 s is the start."});
  }
  if (driver.start_speed) {
    check_finite(*driver.start_speed, "", place, {"start_speed"});
    if (driver.level != DriverLevel::kAcceleration)
      fail(
          place, {"start_speed"},
          {"start_speed beside " + std::string(level_key(driver.level)), "start_speed with acceleration only",
           with_unit(*driver.start_speed, ""), "Remove 'start_speed:'."});
  }
}

/// Beside a law nothing else says what the force is.
void forbid_beside_law(bool is_given, std::string_view key, const Place& place) {
  if (is_given)
    fail(place, {"force"},
         {std::string(key) + " beside a formula of the force", "one of the two", "both",
          "Write it into the formula, or remove the formula."});
}

void check_gas(const SpringDescription& spring, const Place& place) {
  if (!spring.gas) return;
  const Field field{"gas"};
  check_positive(spring.gas->pressure, "Pa", place, field);
  check_positive(spring.gas->volume, "m^3", place, field);
  check_positive(spring.gas->area, "m^2", place, field);
  check_positive(spring.gas->exponent, "", place, field);
  check_not_negative(spring.gas->ambient, "Pa", place, field);
  if (spring.stiffness != 0.0 || !spring.table.empty())
    fail(place, field,
         {"a spring of gas and of steel", "'gas', 'stiffness' or 'table'", "two of them",
          "Write two springs."});
}

void check_spring(const SpringDescription& spring) {
  const Place place{kSpringWord, spring.name};
  check_element_name(place);
  if (spring.law) {
    forbid_beside_law(spring.stiffness != 0.0, "stiffness", place);
    forbid_beside_law(spring.damping != 0.0, "damping", place);
    forbid_beside_law(spring.preload != 0.0, "preload", place);
    forbid_beside_law(spring.free_length != 0.0, "free_length", place);
    forbid_beside_law(!spring.table.empty(), "table", place);
    forbid_beside_law(spring.gas.has_value(), "gas", place);
    return;
  }
  check_gas(spring, place);
  check_not_negative(spring.stiffness, "", place, {"stiffness"});
  check_not_negative(spring.damping, "", place, {"damping"});
  check_finite(spring.preload, "", place, {"preload"});
  check_finite(spring.free_length, "", place, {"free_length"});
  if (!spring.connection.second.empty() && !spring.connection.is_of_coordinates)
    check_not_negative(spring.free_length, "m", place, {"free_length"});
  check_table(spring.table, place);
  forbid_beside_table(spring.stiffness, "stiffness", spring.table, place);
  if (spring.stiffness == 0.0 && spring.damping == 0.0 && spring.preload == 0.0 && spring.table.empty() &&
      !spring.gas)
    fail(place, {"stiffness"},
         {"a spring without force", "stiffness, table, damping or preload", "none of them",
          "Give one of them, or remove the spring."});
}

void check_damper(const DamperDescription& damper) {
  const Place place{kDamperWord, damper.name};
  check_element_name(place);
  if (damper.law) {
    forbid_beside_law(damper.damping != 0.0, "damping", place);
    forbid_beside_law(!damper.table.empty(), "table", place);
    return;
  }
  check_not_negative(damper.damping, "", place, {"damping"});
  check_table(damper.table, place);
  forbid_beside_table(damper.damping, "damping", damper.table, place);
  if (damper.damping == 0.0 && damper.table.empty())
    fail(
        place, {"damping"},
        {"a damper without force", "damping or table", "neither", "Give one of them, or remove the damper."});
}

void check_state(const StateDescription& state) {
  const Place place{kStateWord, state.name};
  check_element_name(place);
  check_finite(state.start, "", place, {"start"});
  if (state.size) check_positive(*state.size, "", place, {"size"});
}

void check_bushing(const BushingDescription& bushing, bool is_planar) {
  const Place place{kBushingWord, bushing.name};
  check_element_name(place);
  bool has_force = false;
  for (std::size_t k = 0; k < 6; ++k) {
    check_not_negative(bushing.stiffness[k], "", place, {"stiffness"});
    check_not_negative(bushing.damping[k], "", place, {"damping"});
    const bool is_used = bushing.stiffness[k] != 0.0 || bushing.damping[k] != 0.0;
    has_force = has_force || is_used;
    if (is_planar && k > 1 && k < 5 && is_used)
      fail(place, {"stiffness"},
           {"a bushing leaves the plane", "x, y and the turn about z only", "component " + std::to_string(k),
            "Set the others to 0."});
  }
  if (!has_force)
    fail(place, {"stiffness"},
         {"a bushing without force", "stiffness or damping in a direction at least", "none",
          "Give one of them, or remove the bushing."});
}

void check_stop(const StopDescription& stop) {
  const Place place{kStopWord, stop.name};
  check_element_name(place);
  if (stop.coupling) check_coupling(*stop.coupling, place);
  if (!stop.lower && !stop.upper)
    fail(place, {},
         {"a stop without limits", "'lower', 'upper' or both, or 'play'", "none of them",
          "Give one of them."});
  if (stop.lower) check_function(*stop.lower, place, {"lower"});
  if (stop.upper) check_function(*stop.upper, place, {"upper"});
  if (stop.lower && stop.upper && stop.lower->evaluate(0.0) >= stop.upper->evaluate(0.0))
    fail(place, {"lower"},
         {"the limits leave no room", "lower < upper at t = 0 s",
          with_unit(stop.lower->evaluate(0.0), "") + " and " + with_unit(stop.upper->evaluate(0.0), ""),
          "Exchange the two, or change one."});
  check_not_negative(stop.stiffness, "", place, {"stiffness"});
  check_not_negative(stop.damping, "", place, {"damping"});
  if (stop.restitution) {
    check_not_negative(*stop.restitution, "", place, {"restitution"});
    if (*stop.restitution > 1.0)
      fail(place, {"restitution"},
           {"restitution is above 1", "0 (nothing comes back) to 1 (nothing is lost)",
            with_unit(*stop.restitution, ""), "Give a value in this range."});
    if (stop.stiffness != 0.0 || stop.damping != 0.0)
      fail(place, {"restitution"},
           {"a stop that is rigid and soft", "'restitution', or 'stiffness' and 'damping'", "both",
            "Remove one of them."});
  } else if (stop.stiffness == 0.0) {
    fail(place, {"stiffness"},
         {"a stop that does not say how it stops",
          "'restitution' for a rigid one, or 'stiffness' for a soft one", "neither", "Give one of them."});
  }
}

void check_load(const LoadDescription& load, bool is_planar) {
  const Place place{kLoadWord, load.name};
  const Field field = components_field(load.kind);
  check_element_name(place);
  if (load.variables.empty())
    for (const TimeFunction& component : load.components) check_function(component, place, field);
  const auto [begin, end] = used_components(load.kind, is_planar);
  for (std::size_t k = 0; k < load.components.size(); ++k) {
    if ((k >= begin && k < end) || load.components[k] == TimeFunction()) continue;
    fail(place, field,
         {std::string(field.key) + " has a component too many", used_components_text(load.kind),
          "a component " + std::to_string(k + 1), "Set the others to 0."});
  }
  if (load.kind == LoadKind::kJointEffort && load.in_body_axes)
    fail(place, field,
         {"an effort in body axes", "axes for forces and torques only", "body axes", "Remove the axes."});
}

Driver make_driver(const DriverDescription& driver, const NameLookup& lookup) {
  return {.name = driver.name,
          .target = lookup.position_variable(driver.target, {kDriverWord, driver.name}, {"target"}),
          .level = driver.level,
          .function = driver.function,
          .start = driver.start,
          .start_speed = driver.start_speed};
}

Spring make_spring(const SpringDescription& spring, const Mechanism& mechanism, const NameLookup& lookup) {
  return {.name = spring.name,
          .connection = make_connection(spring.connection, {kSpringWord, spring.name}, mechanism, lookup),
          .stiffness = spring.stiffness,
          .free_length = spring.free_length,
          .damping = spring.damping,
          .preload = spring.preload,
          .table = spring.table,
          .gas = spring.gas};
}

Damper make_damper(const DamperDescription& damper, const Mechanism& mechanism, const NameLookup& lookup) {
  return {.name = damper.name,
          .connection = make_connection(damper.connection, {kDamperWord, damper.name}, mechanism, lookup),
          .damping = damper.damping,
          .table = damper.table};
}

Bushing make_bushing(const BushingDescription& bushing, const Mechanism& mechanism,
                     const NameLookup& lookup) {
  const Place place{kBushingWord, bushing.name};
  const Field field{"between"};
  const Marker first = lookup.marker(bushing.first, place, field);
  const Marker second = lookup.marker(bushing.second, place, field);
  if (first.body == second.body)
    fail(place, field,
         {"a bushing holds the same body at both ends", "two different bodies",
          core::quoted(bushing.first) + " and " + core::quoted(bushing.second), "Change one of the ends."});
  const Joint frames =
      make_joint({bushing.name, JointType::kFree, bushing.first, bushing.second}, mechanism, lookup);
  return {bushing.name, frames.ends, bushing.stiffness, bushing.damping};
}

std::vector<Variable> make_force_variables(const std::vector<std::string>& names, const Place& place,
                                           const Field& field, const Mechanism& mechanism,
                                           const NameLookup& lookup) {
  if (names.size() > Formula::kMostVariables)
    fail(place, field,
         {"a formula has too many variables",
          "at most " + std::to_string(Formula::kMostVariables) + " different ones",
          std::to_string(names.size()), "Split it into several forces."});
  std::vector<Variable> variables;
  for (const std::string& one : names) {
    variables.push_back(lookup.variable(one, place, field));
    const FormulaOf whose = place.kind == kEventWord ? FormulaOf::kEvent : FormulaOf::kForce;
    if (auto reason = why_no_force_variable(mechanism, variables.back(), whose)) {
      reason->where = to_text(place, field);
      throw core::ModelError(*reason);
    }
  }
  return variables;
}

AuxiliaryState make_state(const StateDescription& state) {
  const double size = state.size.value_or(state.start != 0.0 ? std::abs(state.start) : 1.0);
  return {.name = state.name, .dimension = state.dimension, .start = state.start, .size = size, .rate = {}};
}

ForceLaw make_law(const LawDescription& law, const Place& place, std::string_view field,
                  const Mechanism& mechanism, const NameLookup& lookup) {
  return {law.function, make_force_variables(law.variables, place, {field}, mechanism, lookup)};
}

namespace {

Variable stopped_variable(const StopDescription& stop, const Place& place, const NameLookup& lookup) {
  const Variable target = lookup.position_variable(stop.target, place, {"target"});
  if (target.kind == VariableKind::kBodyAngle)
    fail(place, {"target"},
         {"a stop for the angle of a body", "a joint coordinate, or a coordinate of a point",
          core::quoted(stop.target), "Name the joint that the body turns in."});
  return target;
}

}  // namespace

Stop make_stop(const StopDescription& stop, const Mechanism& mechanism, const NameLookup& lookup) {
  const Place place{kStopWord, stop.name};
  std::optional<Coupling> coupling;
  if (stop.coupling) coupling = make_coupling(*stop.coupling, place, mechanism, lookup);
  return {.name = stop.name,
          .target = coupling ? variable_of(coupling->terms.front().coordinate)
                             : stopped_variable(stop, place, lookup),
          .coupling = std::move(coupling),
          .lower = stop.lower,
          .upper = stop.upper,
          .restitution = stop.restitution,
          .stiffness = stop.stiffness,
          .damping = stop.damping};
}

Load make_load(const LoadDescription& load, const Mechanism& mechanism, const NameLookup& lookup) {
  const Place place{kLoadWord, load.name};
  std::vector<Variable> variables =
      make_force_variables(load.variables, place, components_field(load.kind), mechanism, lookup);
  const Field field = target_field(load.kind);
  switch (load.kind) {
    case LoadKind::kPointForce:
      return {load.name,
              PointForce{lookup.moving_point(load.target, place, field), load.components, load.in_body_axes},
              std::move(variables)};
    case LoadKind::kBodyTorque:
      return {load.name,
              BodyTorque{lookup.moving_body(load.target, place, field), load.components, load.in_body_axes},
              std::move(variables)};
    case LoadKind::kJointEffort:
      break;
  }
  return {load.name, JointEffort{lookup.coordinate(load.target, place, field), load.components[0]},
          std::move(variables)};
}

}  // namespace eslabon::model::detail
