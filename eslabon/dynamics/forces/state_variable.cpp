#include "eslabon/dynamics/forces/state_variable.hpp"

#include <algorithm>

#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using model::Variable;
using model::VariableKind;

namespace {

/// What a spring, damper, stop or load does [N or N m].
template <core::Scalar T>
T element_force(const AppliedForces& forces, const Variable& variable, double t,
                const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory) {
  if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
    return forces.spring_force(spring->slot(), t, bodies, memory);
  if (const auto* damper = std::get_if<model::DamperIndex>(&variable.element))
    return forces.damper_force(damper->slot(), t, bodies, memory);
  if (const auto* load = std::get_if<model::LoadIndex>(&variable.element))
    return forces.load_value(load->slot(), t, bodies, memory)[variable.component];
  return forces.stop_force(std::get<model::StopIndex>(variable.element).slot(), t, bodies, memory);
}

}  // namespace

bool is_told_by_state(const model::Mechanism& mechanism, const Variable& variable) {
  if (variable.kind == VariableKind::kForceFormula)
    return std::ranges::all_of(
        mechanism.formulas()[std::get<model::FormulaIndex>(variable.element).slot()].variables,
        [&](const Variable& operand) { return is_told_by_state(mechanism, operand); });
  return !kinematics::needs_forces(variable) || variable.kind == VariableKind::kState ||
         variable.kind == VariableKind::kElementForce || variable.kind == VariableKind::kJointFriction ||
         variable.kind == VariableKind::kTyre;
}

template <core::Scalar T>
T value_at_state(const model::Mechanism& mechanism, const AppliedForces& forces, const Variable& variable,
                 double t, const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory) {
  switch (variable.kind) {
    case VariableKind::kState:
      return memory.state(std::get<model::StateIndex>(variable.element).slot());
    case VariableKind::kTyre:
      return forces.tyre_value(std::get<model::TyreIndex>(variable.element).slot(),
                               static_cast<model::TyreQuantity>(variable.component), bodies, memory);
    case VariableKind::kElementForce:
      return element_force<T>(forces, variable, t, bodies, memory);
    case VariableKind::kJointFriction:
      return forces.friction_effort({std::get<model::JointIndex>(variable.element), variable.component},
                                    bodies, memory);
    case VariableKind::kForceFormula:
      return model::evaluate(mechanism.formulas()[std::get<model::FormulaIndex>(variable.element).slot()],
                             T(t), [&](const Variable& operand) -> T {
                               return kinematics::needs_forces(operand)
                                          ? value_at_state<T>(mechanism, forces, operand, t, bodies, memory)
                                          : kinematics::told_value(mechanism, operand, bodies);
                             });
    default:
      return kinematics::value_of(mechanism, variable, bodies);
  }
}

#define ESLABON_INSTANTIATE(T)                                                                      \
  template T value_at_state(const model::Mechanism&, const AppliedForces&, const Variable&, double, \
                            const coordinates::MechanismMotionOf<T>&, MemoryOf<T>);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
