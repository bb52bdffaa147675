#include "eslabon/dynamics/forces/force_formula.hpp"

#include <array>
#include <cmath>
#include <type_traits>

#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/elements/function_switches.hpp"
#include "eslabon/model/elements/traced_time.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotionOf;
using model::Formula;
using model::TimeFunction;
using model::Variable;
using model::VariableKind;

namespace {

/// The connection whose length the variable is; nullptr for other variables.
const model::Connection* connection_of(const model::Mechanism& mechanism, const Variable& variable) {
  if (variable.kind != VariableKind::kElementLength) return nullptr;
  if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
    return &mechanism.springs()[spring->slot()].connection;
  return &mechanism.dampers()[std::get<model::DamperIndex>(variable.element).slot()].connection;
}

/// Time in what is traced, of functions that look at it.
template <class T>
T time_for(const TimeFunction& function, double t) {
  static const TimeFunction kTime = TimeFunction::time();
  if constexpr (core::NumericScalar<T>) {
    return T(t);
  } else {
    return function.depends_on_time() ? model::traced_value(kTime) : T(0.0);
  }
}

}  // namespace

ForceFormula::ForceFormula(const model::Mechanism& mechanism, const std::vector<Variable>& variables,
                           CountedAngles& angles)
    : mechanism_(mechanism), variables_(variables) {
  for (const Variable& variable : variables) {
    CountedAngles::Places places;
    if (variable.kind == VariableKind::kJointPosition)
      places.first = angles.add(
          model::JointCoordinate{std::get<model::JointIndex>(variable.element), variable.component});
    else if (const model::Connection* connection = connection_of(mechanism, variable))
      places = angles.add(*connection);
    places_.push_back(places);
  }
}

template <core::Scalar T>
T ForceFormula::argument(std::size_t k, const CountedAngles& angles, const MechanismMotionOf<T>& bodies,
                         MemoryOf<T> memory) const {
  const Variable& variable = variables_[k];
  if (variable.kind == VariableKind::kJointPosition)
    return angles.position({std::get<model::JointIndex>(variable.element), variable.component},
                           places_[k].first, bodies, *memory);
  if (variable.kind == VariableKind::kState)
    return memory.state(std::get<model::StateIndex>(variable.element).slot());
  if (const model::Connection* connection = connection_of(mechanism_, variable))
    return angles.length(*connection, places_[k], bodies, *memory);
  return kinematics::told_value(mechanism_, variable, bodies);
}

template <core::Scalar T>
void ForceFormula::evaluate(std::span<const TimeFunction> functions, double t, const CountedAngles& angles,
                            const MechanismMotionOf<T>& bodies, MemoryOf<T> memory, std::span<T> out) const {
  if constexpr (std::is_same_v<T, double>)
    if (first_choice_ && !memory->choices.empty()) {
      std::array<double, Formula::kMostVariables> values{};
      for (std::size_t k = 0; k < variables_.size(); ++k)
        values[k] = argument<double>(k, angles, bodies, memory);
      const std::span<const double> given(values.data(), variables_.size());
      std::size_t first = *first_choice_;
      for (std::size_t k = 0; k < functions.size(); ++k) {
        const std::size_t count = model::num_switches(functions[k]);
        out[k] = count == 0 ? functions[k].evaluate(t, given)
                            : model::evaluate_chosen(functions[k], t, given,
                                                     model::Choices(memory->choices).subspan(first, count));
        first += count;
      }
      return;
    }
  if (variables_.empty()) {
    for (std::size_t k = 0; k < functions.size(); ++k) out[k] = model::value_at<T>(functions[k], t);
    return;
  }
  std::array<T, Formula::kMostVariables> arguments{};
  for (std::size_t k = 0; k < variables_.size(); ++k) arguments[k] = argument(k, angles, bodies, memory);
  for (std::size_t k = 0; k < functions.size(); ++k)
    out[k] = functions[k].evaluate(time_for<T>(functions[k], t),
                                   std::span<const T>(arguments.data(), variables_.size()));
}

void ForceFormula::switch_values(std::span<const TimeFunction> functions, double t,
                                 const CountedAngles& angles, const coordinates::MechanismMotion& bodies,
                                 const ForceMemory& memory, std::span<double> out) const {
  std::array<double, Formula::kMostVariables> arguments{};
  for (std::size_t k = 0; k < variables_.size(); ++k)
    arguments[k] = argument<double>(k, angles, bodies, memory);
  std::size_t first = 0;
  for (const TimeFunction& function : functions) {
    const std::size_t count = model::num_switches(function);
    const model::Choices choices =
        !first_choice_ || memory.choices.empty()
            ? model::Choices()
            : model::Choices(memory.choices).subspan(*first_choice_ + first, count);
    model::switch_values(function, t, std::span<const double>(arguments.data(), variables_.size()),
                         out.subspan(first, count), choices);
    first += count;
  }
}

std::optional<core::ErrorText> ForceFormula::why_no_value(std::span<const TimeFunction> functions,
                                                          std::string_view kind, const std::string& name,
                                                          double t, const CountedAngles& angles,
                                                          const coordinates::MechanismMotion& bodies,
                                                          const ForceMemory& memory) const {
  if (variables_.empty()) return std::nullopt;
  std::vector<double> arguments;
  for (std::size_t k = 0; k < variables_.size(); ++k)
    arguments.push_back(argument(k, angles, bodies, memory));
  for (const TimeFunction& function : functions)
    if (!std::isfinite(function.evaluate(t, std::span<const double>(arguments))))
      return model::no_value(mechanism_, Formula{name, function, variables_, core::kNumber}, kind, t,
                             arguments);
  return std::nullopt;
}

#define ESLABON_INSTANTIATE(T)                                                                      \
  template void ForceFormula::evaluate(std::span<const TimeFunction>, double, const CountedAngles&, \
                                       const MechanismMotionOf<T>&, MemoryOf<T>, std::span<T>) const;
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
