#include "eslabon/runs/motion/actuator_choice.hpp"

#include <algorithm>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

using model::Variable;

/// Fails for a joint without coordinates, and for one whose coordinate is not named.
void check_joint(const model::Mechanism& mechanism, const std::string& name) {
  const auto element = mechanism.find(
      core::leading_name(name, [&](std::string_view begin) { return mechanism.find(begin).has_value(); }));
  const auto* index = element ? std::get_if<model::JointIndex>(&*element) : nullptr;
  if (index == nullptr) return;
  const model::Joint& joint = mechanism.joint(*index);
  const bool has_coordinates = model::coordinate_count(joint.type) > 0;
  if (has_coordinates && name != joint.name) return;
  throw core::ModelError(
      {.what = "no actuator can push along this",
       .where = "",
       .expected = "a joint coordinate",
       .actual = "'" + name + "'" +
                 (has_coordinates
                      ? ""
                      : ", of a " + std::string(model::facts(joint.type).name) + " joint, which has none"),
       .next = has_coordinates
                   ? "Did you mean '" +
                         model::name(mechanism, {model::VariableKind::kJointPosition, *index, 0}) + "'?"
                   : "Name another joint, or a coordinate of a point."});
}

/// The variable along which the actuator of this name pushes.
Variable target_of(const model::Mechanism& mechanism, const std::string& name) {
  for (const model::Driver& driver : mechanism.drivers())
    if (driver.name == name) return driver.target;
  check_joint(mechanism, name);
  const Variable variable = model::find_variable(mechanism, name);
  if (!model::is_position(variable)) {
    const std::optional<Variable> position = model::position_of(variable);
    throw core::ModelError(
        {.what = "no actuator can push along this",
         .where = "",
         .expected = "a driver, a joint coordinate, a coordinate of a point or the angle of a planar body",
         .actual = "'" + name + "'",
         .next = position && model::is_position(*position)
                     ? "Did you mean '" + model::name(mechanism, *position) + "'?"
                     : "Write, for example, " + field("actuators") + " " +
                           (mechanism.drivers().empty() ? "A.q" : mechanism.drivers().front().name) + "."});
  }
  const auto* point = std::get_if<model::PointRef>(&variable.element);
  const auto* body = std::get_if<model::BodyIndex>(&variable.element);
  if ((point != nullptr && point->body == model::kGround) || (body != nullptr && *body == model::kGround))
    throw core::ModelError({.what = "no actuator can push along this",
                            .where = "",
                            .expected = "something that moves",
                            .actual = "'" + name + "', of the ground",
                            .next = "Name a point or an angle of another body."});
  return variable;
}

}  // namespace

std::vector<core::Column> effort_columns(const model::Mechanism& mechanism) {
  std::vector<core::Column> columns;
  for (std::size_t d = 0; d < mechanism.drivers().size(); ++d) {
    const Variable effort{model::VariableKind::kDriverEffort, model::DriverIndex(static_cast<int>(d)), 0};
    columns.push_back({model::name(mechanism, effort), std::string(model::unit(mechanism, effort))});
  }
  return columns;
}

ActuatorChoice choose_actuators(const kinematics::DrivenMechanism& driven,
                                const std::optional<std::vector<std::string>>& asked) {
  const model::Mechanism& mechanism = driven.mechanism();
  std::vector<std::string> names;
  if (asked)
    names = *asked;
  else
    for (const model::Driver& driver : mechanism.drivers()) names.push_back(driver.name);
  ActuatorChoice choice;
  for (const std::string& name : names) {
    const Variable target = for_field("actuators", [&] { return target_of(mechanism, name); });
    for (const coordinates::Prescribed& other : choice.actuators)
      if (std::get<Variable>(other.what) == target)
        throw RequestError({.what = "two actuators push along the same",
                            .where = field("actuators"),
                            .expected = "each variable once",
                            .actual = "'" + other.name + "' and '" + name + "'",
                            .next = "Leave one of them out."});
    choice.actuators.push_back({target, name});
    choice.columns.push_back(
        {name + ".effort", core::si_unit(core::effort_along(model::dimension(mechanism, target)))});
  }
  for (const coordinates::Prescribed& prescribed : driven.prescribed())
    if (std::holds_alternative<coordinates::HeldDirection>(prescribed.what))
      choice.actuators.push_back(prescribed);
  return choice;
}

}  // namespace eslabon::runs
