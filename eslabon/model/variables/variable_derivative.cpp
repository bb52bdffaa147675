#include "eslabon/model/variables/variable_derivative.hpp"

namespace eslabon::model {

std::optional<Variable> derivative_of(const Variable& variable) {
  const auto of_kind = [&](VariableKind kind) {
    return Variable{kind, variable.element, variable.component};
  };
  switch (variable.kind) {
    case VariableKind::kBodyAngle:
      return of_kind(VariableKind::kBodyRate);
    case VariableKind::kBodyRate:
      return of_kind(VariableKind::kBodyAngularAcceleration);
    case VariableKind::kPointPosition:
      return of_kind(VariableKind::kPointVelocity);
    case VariableKind::kPointVelocity:
      return of_kind(VariableKind::kPointAcceleration);
    case VariableKind::kJointPosition:
      return of_kind(VariableKind::kJointVelocity);
    case VariableKind::kJointVelocity:
      return of_kind(VariableKind::kJointAcceleration);
    case VariableKind::kElementLength:
      return of_kind(VariableKind::kElementRate);
    default:
      return std::nullopt;
  }
}

}  // namespace eslabon::model
