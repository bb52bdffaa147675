#include "eslabon/model/variables/force_variables.hpp"

#include <algorithm>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::model {

namespace {

bool is_acceleration(const Variable& variable) {
  return variable.kind == VariableKind::kBodyAngularAcceleration ||
         variable.kind == VariableKind::kBodyAlpha || variable.kind == VariableKind::kPointAcceleration ||
         variable.kind == VariableKind::kJointAcceleration;
}

bool depends_on_time(const Load& load) {
  const auto varies = [](const TimeFunction& f) { return f.depends_on_time(); };
  if (const auto* force = std::get_if<PointForce>(&load.action))
    return std::ranges::any_of(force->components, varies);
  if (const auto* torque = std::get_if<BodyTorque>(&load.action))
    return std::ranges::any_of(torque->components, varies);
  return varies(std::get<JointEffort>(load.action).effort);
}

}  // namespace

std::optional<core::ErrorText> why_no_force_variable(const Mechanism& mechanism, const Variable& variable,
                                                     FormulaOf whose) {
  if (!is_force(variable) && !is_acceleration(variable)) return std::nullopt;
  if (whose == FormulaOf::kEvent)
    return core::ErrorText{
        .what = is_force(variable) ? "an event depends on a force" : "an event depends on an acceleration",
        .where = "",
        .expected = "positions, velocities, auxiliary states and the time t in a formula of an event",
        .actual = core::quoted(name(mechanism, variable)),
        .next = "Take another quantity, and look at this one in the rows."};
  return core::ErrorText{
      .what = is_force(variable) ? "a force depends on another force" : "a force depends on an acceleration",
      .where = "",
      .expected = "positions, velocities and the time t in a formula of a force",
      .actual = core::quoted(name(mechanism, variable)),
      .next = is_force(variable) ? "Write the formula of that force in its place."
                                 : "Give the body more mass, or take velocities."};
}

std::vector<Variable> force_variables(const Mechanism& mechanism) {
  std::vector<Variable> all;
  const auto add = [&](const std::vector<Variable>& some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  for (const Load& load : mechanism.loads()) add(load.variables);
  for (const Spring& spring : mechanism.springs())
    if (spring.law) add(spring.law->variables);
  for (const Damper& damper : mechanism.dampers())
    if (damper.law) add(damper.law->variables);
  for (const AuxiliaryState& state : mechanism.states()) add(state.rate.variables);
  return all;
}

bool forces_depend_on_time(const Mechanism& mechanism) {
  const auto of_law = [](const auto& element) {
    return element.law && element.law->function.depends_on_time();
  };
  return std::ranges::any_of(mechanism.loads(), depends_on_time) ||
         std::ranges::any_of(mechanism.springs(), of_law) ||
         std::ranges::any_of(mechanism.dampers(), of_law) ||
         std::ranges::any_of(mechanism.states(), [](const AuxiliaryState& state) {
           return state.rate.function.depends_on_time();
         });
}

}  // namespace eslabon::model
