#include "eslabon/dynamics/reactions/force_outputs.hpp"

#include <algorithm>

#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using model::VariableKind;

namespace {

constexpr double kUnbalanced = 1e-6;  // of what the motion needs

const model::Formula& formula_of(const model::Mechanism& mechanism, const model::Variable& variable) {
  return mechanism.formulas()[std::get<model::FormulaIndex>(variable.element).slot()];
}

}  // namespace

ForceOutputs::ForceOutputs(const DynamicModel& model, const std::vector<model::Variable>& variables)
    : model_(model), reactions_(model) {
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (!kinematics::needs_forces(variables[k])) continue;
    slots_.push_back({k, variables[k]});
    needs_reactions_ = needs_reactions_ || !is_told_by_state(model.mechanism(), variables[k]);
  }
}

void ForceOutputs::record(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                          std::span<double> out) {
  if (needs_reactions_) {
    reactions_.solve_or_throw(t, bodies, memory);
    if (!unbalanced_at_ && reactions_.residual() > kUnbalanced) unbalanced_at_ = t;
  }
  for (const Slot& slot : slots_)
    out[slot.place] = value(slot.variable, {t, reactions_.joints(), reactions_.couplings(),
                                            &reactions_.efforts(), bodies, memory});
}

void ForceOutputs::record(double t, const std::vector<JointReaction>& joints,
                          const std::vector<CouplingEffort>& couplings,
                          const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                          std::span<double> out) {
  for (const Slot& slot : slots_)
    if (slot.variable.kind != VariableKind::kDriverEffort)
      out[slot.place] = value(slot.variable, {t, joints, couplings, nullptr, bodies, memory});
}

void ForceOutputs::note(const model::Variable& variable) {
  const std::string name = model::name(model_.mechanism(), variable);
  if (std::ranges::find(not_unique_, name) == not_unique_.end()) not_unique_.push_back(name);
}

double ForceOutputs::effort(const model::Variable& variable, const Known& known) {
  const std::size_t driver = std::get<model::DriverIndex>(variable.element).slot();
  if (known.efforts == nullptr)
    throw core::ModelError({.what = "a formula of an effort has no value here",
                            .where = "'" + model::name(model_.mechanism(), variable) + "'",
                            .expected = "reactions and forces of springs, dampers and stops",
                            .actual = "an effort of a driver, which actuators give instead",
                            .next = "Leave the formula out, or take 'simulate'."});
  if (!reactions_.is_effort_unique(driver)) note(variable);
  return (*known.efforts)[driver];
}

double ForceOutputs::value(const model::Variable& variable, const Known& known) {
  if (is_told_by_state(model_.mechanism(), variable))
    return value_at_state<double>(model_.mechanism(), model_.forces(), variable, known.t, known.bodies,
                                  known.memory);
  if (variable.kind == VariableKind::kForceFormula)
    return model::evaluate(formula_of(model_.mechanism(), variable), known.t,
                           [&](const model::Variable& operand) {
                             return kinematics::needs_forces(operand)
                                        ? value(operand, known)
                                        : kinematics::told_value(model_.mechanism(), operand, known.bodies);
                           });
  if (variable.kind == VariableKind::kDriverEffort) return effort(variable, known);
  if (variable.kind == VariableKind::kCouplingEffort) {
    const CouplingEffort& coupling = known.couplings[std::get<model::CouplingIndex>(variable.element).slot()];
    if (!coupling.is_unique) note(variable);
    return coupling.effort;
  }
  const JointReaction& reaction = known.joints[std::get<model::JointIndex>(variable.element).slot()];
  const bool is_force = variable.kind == VariableKind::kJointForce;
  if (!reaction.is_unique_W[static_cast<std::size_t>(variable.component) + (is_force ? 0 : 3)])
    note(variable);
  return (is_force ? reaction.force : reaction.moment)[variable.component];
}

}  // namespace eslabon::dynamics
