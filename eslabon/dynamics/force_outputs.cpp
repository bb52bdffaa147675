#include "eslabon/dynamics/force_outputs.hpp"

#include <algorithm>

#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using model::VariableKind;

namespace {

constexpr double kUnbalanced = 1e-6;  // of what the motion needs

}  // namespace

ForceOutputs::ForceOutputs(const DynamicModel& model, const std::vector<model::Variable>& variables)
    : model_(model), reactions_(model) {
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (!kinematics::needs_forces(variables[k])) continue;
    slots_.push_back({k, variables[k]});
    needs_reactions_ = needs_reactions_ || (variables[k].kind != VariableKind::kElementForce &&
                                            variables[k].kind != VariableKind::kJointFriction);
  }
}

void ForceOutputs::record(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                          std::span<double> out) {
  if (needs_reactions_) {
    reactions_.solve(t, bodies, memory);
    if (!unbalanced_at_ && reactions_.residual() > kUnbalanced) unbalanced_at_ = t;
  }
  for (const Slot& slot : slots_) out[slot.place] = value(t, slot.variable, bodies, memory);
}

double ForceOutputs::value(double t, const model::Variable& variable,
                           const coordinates::MechanismMotion& bodies, const ForceMemory& memory) {
  if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
    return model_.forces().spring_force(spring->slot(), bodies, memory);
  if (const auto* damper = std::get_if<model::DamperIndex>(&variable.element))
    return model_.forces().damper_force(damper->slot(), bodies);
  if (const auto* stop = std::get_if<model::StopIndex>(&variable.element))
    return model_.forces().stop_force(stop->slot(), t, bodies, memory);
  if (variable.kind == VariableKind::kJointFriction)
    return model_.forces().friction_effort(
        {std::get<model::JointIndex>(variable.element), variable.component}, bodies, memory);
  const auto note = [&](const std::string& name) {
    if (std::ranges::find(not_unique_, name) == not_unique_.end()) not_unique_.push_back(name);
  };
  if (const auto* driver = std::get_if<model::DriverIndex>(&variable.element)) {
    if (!reactions_.is_effort_unique(driver->slot())) note(model_.mechanism().drivers()[driver->slot()].name);
    return reactions_.efforts()[driver->slot()];
  }
  const std::size_t j = std::get<model::JointIndex>(variable.element).slot();
  const JointReaction& reaction = reactions_.joints()[j];
  if (!reaction.is_unique) note(model_.mechanism().joints()[j].name);
  return (variable.kind == VariableKind::kJointForce ? reaction.force : reaction.moment)[variable.component];
}

}  // namespace eslabon::dynamics
