#include "eslabon/model/mechanism_addition.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/model/checks/element_checks.hpp"
#include "eslabon/model/checks/tyre_checks.hpp"
#include "eslabon/model/elements/element_place.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

namespace eslabon::model {

namespace {

/// States that are described stand before those of tyres: these move up.
class SlipsMoveUp {
 public:
  SlipsMoveUp(std::size_t first, int by) : first_(first), by_(by) {}

  void move(StateIndex& state) const {
    if (state.slot() >= first_) state = StateIndex(static_cast<int>(state.slot()) + by_);
  }
  void move(Variable& variable) const {
    if (auto* state = std::get_if<StateIndex>(&variable.element)) move(*state);
  }
  void move(std::vector<Variable>& variables) const {
    for (Variable& variable : variables) move(variable);
  }
  void move(std::optional<ForceLaw>& law) const {
    if (law) move(law->variables);
  }

  void move_all(MechanismParts& parts) const {
    for (Spring& spring : parts.springs) move(spring.law);
    for (Damper& damper : parts.dampers) move(damper.law);
    for (Load& load : parts.loads) move(load.variables);
    for (AuxiliaryState& state : parts.states) move(state.rate.variables);
    for (Event& event : parts.events) move(event.quantity.variables);
    for (Formula& formula : parts.formulas) move(formula.variables);
    for (Tyre& tyre : parts.tyres) {
      move(tyre.slip);
      move(tyre.slip_angle);
    }
    move(parts.outputs);
  }

 private:
  std::size_t first_;
  int by_;
};

template <class Descriptions>
void check_new_names(const Mechanism& mechanism, const Descriptions& descriptions, std::string_view kind) {
  for (const auto& one : descriptions) {
    const detail::Place place{kind, one.name};
    detail::check_element_name(place);
    if (mechanism.find(one.name))
      detail::fail(place, {},
                   {"two elements have the same name", "a name that nothing else has", core::quoted(one.name),
                    "Rename the element of the mechanism."});
  }
}

void set_driver(MechanismParts& parts, const DriverFunction& function) {
  const auto driver = std::ranges::find(parts.drivers, function.driver, &Driver::name);
  if (driver == parts.drivers.end())
    throw core::ContractError({.what = "no such driver",
                               .where = "with_addition",
                               .expected = "a driver of mechanism '" + parts.name + "'",
                               .actual = core::quoted(function.driver),
                               .next = "Take the name from drivers()."});
  driver->level = DriverLevel::kPosition;
  driver->function = function.position;
  driver->start.reset();
  driver->start_speed.reset();
  driver->written.reset();
}

}  // namespace

Mechanism with_addition(const Mechanism& mechanism, const MechanismAddition& addition) {
  check_new_names(mechanism, addition.states, detail::kStateWord);
  check_new_names(mechanism, addition.loads, detail::kLoadWord);
  check_new_names(mechanism, addition.events, detail::kEventWord);
  for (const StateDescription& state : addition.states) detail::check_state(state);
  for (const LoadDescription& load : addition.loads) detail::check_load(load, mechanism.is_planar());
  if (addition.road) detail::check_road(*addition.road, mechanism.is_planar());

  Mechanism result = mechanism;
  MechanismParts& parts = result.parts_;
  const std::size_t first_new = mechanism.num_described_states();
  const auto count = static_cast<int>(addition.states.size());
  SlipsMoveUp(first_new, count).move_all(parts);
  for (int k = 0; k < count; ++k) {
    const StateDescription& state = addition.states[static_cast<std::size_t>(k)];
    const auto slot = static_cast<std::ptrdiff_t>(first_new) + k;
    parts.states.insert(parts.states.begin() + slot, detail::make_state(state));
  }
  for (std::size_t k = first_new; k < parts.states.size(); ++k)
    result.elements_.insert_or_assign(parts.states[k].name, StateIndex(static_cast<int>(k)));
  for (std::size_t k = 0; k < addition.loads.size(); ++k)
    result.elements_.emplace(addition.loads[k].name, LoadIndex(static_cast<int>(parts.loads.size() + k)));
  for (const EventDescription& event : addition.events)
    result.elements_.emplace(event.name, Mechanism::Element());

  const detail::NameLookup lookup(result);
  for (std::size_t k = 0; k < addition.states.size(); ++k) {
    const StateDescription& state = addition.states[k];
    parts.states[first_new + k].rate =
        detail::make_law(state.rate, {detail::kStateWord, state.name}, "rate", result, lookup);
  }
  for (const LoadDescription& load : addition.loads)
    parts.loads.push_back(detail::make_load(load, result, lookup));
  for (const EventDescription& event : addition.events)
    parts.events.push_back(
        {event.name,
         detail::make_law(event.quantity, {detail::kEventWord, event.name}, "when", result, lookup),
         event.direction, event.ends_run});
  for (const DriverFunction& driver : addition.drivers) set_driver(parts, driver);
  if (addition.road) parts.road = *addition.road;
  if (addition.starts_at_rest) {
    parts.start_speed.reset();
    parts.start_rates.clear();
  }
  if (addition.start_speed) {
    parts.start_speed = addition.start_speed;
    parts.start_rates.clear();
  }
  return result;
}

}  // namespace eslabon::model
