#include <algorithm>
#include <cmath>
#include <string>

#include "eslabon/dynamics/forces/applied_forces.hpp"
#include "eslabon/dynamics/forces/tyre_places.hpp"
#include "eslabon/model/elements/function_switches.hpp"

/// What formulas add to forces: choices that are kept within a step, rates of auxiliary states, and events, which act on nothing.
namespace eslabon::dynamics {

using coordinates::MechanismMotion;
using coordinates::MechanismMotionOf;

std::span<const model::TimeFunction> AppliedForces::functions_of(const model::Load& load) {
  if (const auto* force = std::get_if<model::PointForce>(&load.action)) return force->components;
  if (const auto* torque = std::get_if<model::BodyTorque>(&load.action)) return torque->components;
  return {&std::get<model::JointEffort>(load.action).effort, 1};
}

template <class Self, class See>
void AppliedForces::visit_formulas(Self& self, const See& see) {
  const model::Mechanism& mechanism = self.mechanism_;
  for (std::size_t s = 0; s < self.law_of_spring_.size(); ++s)
    if (self.law_of_spring_[s])
      see(*self.law_of_spring_[s], std::span(&mechanism.springs()[s].law->function, 1), "spring",
          mechanism.springs()[s].name);
  for (std::size_t d = 0; d < self.law_of_damper_.size(); ++d)
    if (self.law_of_damper_[d])
      see(*self.law_of_damper_[d], std::span(&mechanism.dampers()[d].law->function, 1), "damper",
          mechanism.dampers()[d].name);
  for (std::size_t l = 0; l < self.formula_of_load_.size(); ++l)
    see(self.formula_of_load_[l], functions_of(mechanism.loads()[l]), "force", mechanism.loads()[l].name);
  for (std::size_t k = 0; k < self.rate_of_state_.size(); ++k)
    see(self.rate_of_state_[k], std::span(&mechanism.states()[k].rate.function, 1), "state",
        mechanism.states()[k].name);
}

template <class See>
void AppliedForces::for_each_formula(const See& see) const {
  visit_formulas(*this, see);
}

void AppliedForces::count_choices() {
  visit_formulas(*this, [&](ForceFormula& formula, std::span<const model::TimeFunction> functions,
                            std::string_view, const std::string&) {
    formula.count_choices_from(num_switches_);
    for (const model::TimeFunction& function : functions) num_switches_ += model::num_switches(function);
  });
  num_switches_ += mechanism_.tyres().size() * tyres::num_bends(mechanism_.road());
}

void AppliedForces::switch_values(double t, const MechanismMotion& bodies, const ForceMemory& memory,
                                  std::span<double> out) const {
  std::size_t first = 0;
  for_each_formula([&](const ForceFormula& formula, std::span<const model::TimeFunction> functions,
                       std::string_view, const std::string&) {
    std::size_t count = 0;
    for (const model::TimeFunction& function : functions) count += model::num_switches(function);
    if (count > 0) formula.switch_values(functions, t, angles_, bodies, memory, out.subspan(first, count));
    first += count;
  });
  const std::size_t count = tyres::num_bends(mechanism_.road());
  for (std::size_t k = 0; k < mechanism_.tyres().size(); ++k, first += count) {
    const std::span<const char> kept(memory.choices);
    tyres::find_bends(mechanism_.tyres()[k].fitted, mechanism_.road(),
                      wheel_motion<double>(mechanism_, k, bodies),
                      kept.empty() ? kept : kept.subspan(first, count), out.subspan(first, count));
  }
}

void AppliedForces::take_choices(double t, const MechanismMotion& bodies, ForceMemory& memory) const {
  memory.choices.clear();
  std::vector<double> values(num_switches_);
  switch_values(t, bodies, memory, values);
  for (const double value : values) memory.choices.push_back(value > 0.0 ? 1 : 0);
}

std::string AppliedForces::switch_owner(std::size_t k) const {
  std::string owner;
  std::size_t first = 0;
  for_each_formula([&](const ForceFormula&, std::span<const model::TimeFunction> functions,
                       std::string_view kind, const std::string& name) {
    std::size_t count = 0;
    for (const model::TimeFunction& function : functions) count += model::num_switches(function);
    if (k >= first && k < first + count) owner = std::string(kind) + " '" + name + "'";
    first += count;
  });
  if (k >= first)
    owner = "tyre '" + mechanism_.tyres()[(k - first) / tyres::num_bends(mechanism_.road())].name + "'";
  return owner;
}

// Seed000 eq. 97
template <core::Scalar T>
void AppliedForces::evaluate_formula_states(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                                            std::span<std::type_identity_t<T>> out) const {
  for (std::size_t k = 0; k < rate_of_state_.size(); ++k)
    out[k] =
        rate_of_state_[k].template value<T>(mechanism_.states()[k].rate.function, t, angles_, bodies, memory);
}

template <core::Scalar T>
bool AppliedForces::evaluate_states(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                                    std::span<std::type_identity_t<T>> out) const {
  evaluate_formula_states<T>(t, bodies, memory, out);
  for (std::size_t k = 0; k < mechanism_.tyres().size(); ++k)
    write_slips<T>(k, tyre_action<T>(k, bodies, memory).rate, out);
  return has_values<T>(out);
}

double AppliedForces::event_value(std::size_t event, double t, const MechanismMotion& bodies,
                                  const ForceMemory& memory) const {
  return formula_of_event_[event].value<double>(mechanism_.events()[event].quantity.function, t, angles_,
                                                bodies, memory);
}

std::optional<core::ErrorText> AppliedForces::why_no_event(std::size_t event, double t,
                                                           const MechanismMotion& bodies,
                                                           const ForceMemory& memory) const {
  const model::Event& watched = mechanism_.events()[event];
  return formula_of_event_[event].why_no_value(std::span(&watched.quantity.function, 1), "event",
                                               watched.name, t, angles_, bodies, memory);
}

std::optional<core::ErrorText> AppliedForces::why_no_formula(double t, const MechanismMotion& bodies,
                                                             const ForceMemory& memory) const {
  std::optional<core::ErrorText> text;
  for_each_formula([&](const ForceFormula& formula, std::span<const model::TimeFunction> functions,
                       std::string_view kind, const std::string& name) {
    if (!text) text = formula.why_no_value(functions, kind, name, t, angles_, bodies, memory);
  });
  for (std::size_t k = 0; !text && k < rate_of_state_.size(); ++k) {  // those of time alone
    const model::AuxiliaryState& state = mechanism_.states()[k];
    if (state.rate.variables.empty() && !std::isfinite(state.rate.function.evaluate(t)))
      text =
          model::no_value(mechanism_, {state.name, state.rate.function, {}, core::kNumber}, "state", t, {});
  }
  return text;
}

#define ESLABON_INSTANTIATE(T)                                                                           \
  template void AppliedForces::evaluate_formula_states(double, const MechanismMotionOf<T>&, MemoryOf<T>, \
                                                       std::span<std::type_identity_t<T>>) const;        \
  template bool AppliedForces::evaluate_states(double, const MechanismMotionOf<T>&, MemoryOf<T>,         \
                                               std::span<std::type_identity_t<T>>) const;
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
