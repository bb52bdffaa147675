#include "eslabon/dynamics/reactions/force_outputs.hpp"

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
    reactions_.solve_or_throw(t, bodies, memory);
    if (!unbalanced_at_ && reactions_.residual() > kUnbalanced) unbalanced_at_ = t;
  }
  for (const Slot& slot : slots_) {
    if (const auto* driver = std::get_if<model::DriverIndex>(&slot.variable.element)) {
      if (!reactions_.is_effort_unique(driver->slot())) note(slot.variable);
      out[slot.place] = reactions_.efforts()[driver->slot()];
    } else {
      out[slot.place] = value(slot, t, reactions_.joints(), bodies, memory);
    }
  }
}

void ForceOutputs::record(double t, const std::vector<JointReaction>& joints,
                          const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                          std::span<double> out) {
  for (const Slot& slot : slots_)
    if (slot.variable.kind != VariableKind::kDriverEffort)
      out[slot.place] = value(slot, t, joints, bodies, memory);
}

void ForceOutputs::note(const model::Variable& variable) {
  const std::string name = model::name(model_.mechanism(), variable);
  if (std::ranges::find(not_unique_, name) == not_unique_.end()) not_unique_.push_back(name);
}

double ForceOutputs::value(const Slot& slot, double t, const std::vector<JointReaction>& joints,
                           const coordinates::MechanismMotion& bodies, const ForceMemory& memory) {
  const model::Variable& variable = slot.variable;
  if (variable.kind == VariableKind::kElementForce)
    return element_force(model_.forces(), variable, t, bodies, memory);
  if (variable.kind == VariableKind::kJointFriction)
    return model_.forces().friction_effort(
        {std::get<model::JointIndex>(variable.element), variable.component}, bodies, memory);
  const JointReaction& reaction = joints[std::get<model::JointIndex>(variable.element).slot()];
  const bool is_force = variable.kind == VariableKind::kJointForce;
  if (!reaction.is_unique_W[static_cast<std::size_t>(variable.component) + (is_force ? 0 : 3)])
    note(variable);
  return (is_force ? reaction.force : reaction.moment)[variable.component];
}

}  // namespace eslabon::dynamics
