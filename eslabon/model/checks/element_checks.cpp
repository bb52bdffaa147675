#include "eslabon/model/checks/element_checks.hpp"

#include <array>
#include <utility>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/model/checks/value_checks.hpp"

namespace eslabon::model::detail {

namespace {

/// The key of a connection in files: two points or a joint coordinate.
Field connection_field(const ConnectionDescription& connection) {
  return {connection.second.empty() ? "joint" : "between"};
}

Connection make_connection(const ConnectionDescription& connection, const Place& place,
                           const NameLookup& lookup) {
  const Field field = connection_field(connection);
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

void check_spring(const SpringDescription& spring) {
  const Place place{kSpringWord, spring.name};
  check_element_name(place);
  check_not_negative(spring.stiffness, "", place, {"stiffness"});
  check_not_negative(spring.damping, "", place, {"damping"});
  check_finite(spring.preload, "", place, {"preload"});
  check_finite(spring.free_length, "", place, {"free_length"});
  if (!spring.connection.second.empty()) check_not_negative(spring.free_length, "m", place, {"free_length"});
  check_table(spring.table, place);
  forbid_beside_table(spring.stiffness, "stiffness", spring.table, place);
  if (spring.stiffness == 0.0 && spring.damping == 0.0 && spring.preload == 0.0 && spring.table.empty())
    fail(place, {"stiffness"},
         {"a spring without force", "stiffness, table, damping or preload", "none of them",
          "Give one of them, or remove the spring."});
}

void check_damper(const DamperDescription& damper) {
  const Place place{kDamperWord, damper.name};
  check_element_name(place);
  check_not_negative(damper.damping, "", place, {"damping"});
  check_table(damper.table, place);
  forbid_beside_table(damper.damping, "damping", damper.table, place);
  if (damper.damping == 0.0 && damper.table.empty())
    fail(
        place, {"damping"},
        {"a damper without force", "damping or table", "neither", "Give one of them, or remove the damper."});
}

void check_stop(const StopDescription& stop) {
  const Place place{kStopWord, stop.name};
  check_element_name(place);
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

Spring make_spring(const SpringDescription& spring, const NameLookup& lookup) {
  return {.name = spring.name,
          .connection = make_connection(spring.connection, {kSpringWord, spring.name}, lookup),
          .stiffness = spring.stiffness,
          .free_length = spring.free_length,
          .damping = spring.damping,
          .preload = spring.preload,
          .table = spring.table};
}

Damper make_damper(const DamperDescription& damper, const NameLookup& lookup) {
  return {.name = damper.name,
          .connection = make_connection(damper.connection, {kDamperWord, damper.name}, lookup),
          .damping = damper.damping,
          .table = damper.table};
}

Stop make_stop(const StopDescription& stop, const NameLookup& lookup) {
  const Place place{kStopWord, stop.name};
  const Variable target = lookup.position_variable(stop.target, place, {"target"});
  if (target.kind == VariableKind::kBodyAngle)
    fail(place, {"target"},
         {"a stop for the angle of a body", "a joint coordinate, or a coordinate of a point",
          core::quoted(stop.target), "Name the joint that the body turns in."});
  return {.name = stop.name,
          .target = target,
          .lower = stop.lower,
          .upper = stop.upper,
          .restitution = stop.restitution,
          .stiffness = stop.stiffness,
          .damping = stop.damping};
}

Load make_load(const LoadDescription& load, const NameLookup& lookup) {
  const Place place{kLoadWord, load.name};
  const Field field = target_field(load.kind);
  switch (load.kind) {
    case LoadKind::kPointForce:
      return {load.name,
              PointForce{lookup.moving_point(load.target, place, field), load.components, load.in_body_axes}};
    case LoadKind::kBodyTorque:
      return {load.name,
              BodyTorque{lookup.moving_body(load.target, place, field), load.components, load.in_body_axes}};
    case LoadKind::kJointEffort:
      break;
  }
  return {load.name, JointEffort{lookup.coordinate(load.target, place, field), load.components[0]}};
}

}  // namespace eslabon::model::detail
