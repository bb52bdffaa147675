#include "eslabon/model/mechanism_variant.hpp"

#include <algorithm>
#include <optional>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/model/elements/element_place.hpp"
#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

namespace eslabon::model {

namespace {

void check_driver_exists(const Mechanism& mechanism, const std::string& name) {
  std::vector<std::string> known;
  for (const Driver& driver : mechanism.drivers()) known.push_back(driver.name);
  if (std::ranges::find(known, name) != known.end()) return;
  const auto nearest = core::nearest_name(name, known);
  detail::fail({detail::kDriverWord, name}, {},
               {"no such driver",
                known.empty() ? "a driver; the mechanism has none" : "a driver: " + core::quoted_list(known),
                core::quoted(name), nearest ? "Did you mean '" + *nearest + "'?" : "Use another name."});
}

/// Value of the target at t = 0 s, if the driver says it.
std::optional<double> start_of(const Driver& driver) {
  if (driver.level == DriverLevel::kPosition) return driver.function.evaluate(0.0);
  return driver.start;
}

/// New numbers of drivers and formulas: (drivers), (formulas), none for those that go.
struct NewSlots {
  std::vector<std::optional<int>> drivers, formulas;
};

/// The variables without efforts of drivers that go and without their formulas, and with new numbers for those that stay.
std::vector<Variable> those_that_stay(const std::vector<Variable>& variables, const NewSlots& slots) {
  std::vector<Variable> result;
  for (Variable variable : variables) {
    if (auto* driver = std::get_if<DriverIndex>(&variable.element)) {
      const std::optional<int> slot = slots.drivers[driver->slot()];
      if (!slot) continue;
      *driver = DriverIndex(*slot);
    }
    if (auto* formula = std::get_if<FormulaIndex>(&variable.element)) {
      const std::optional<int> slot = slots.formulas[formula->slot()];
      if (!slot) continue;
      *formula = FormulaIndex(*slot);
    }
    result.push_back(variable);
  }
  return result;
}

/// False: it reads a formula that goes. Otherwise it reads the same by its new number.
bool stays_readable(Sensor& sensor, const NewSlots& slots) {
  auto* const variable = std::get_if<Variable>(&sensor.target);
  if (variable == nullptr || !std::holds_alternative<FormulaIndex>(variable->element)) return true;
  const std::vector<Variable> staying = those_that_stay({*variable}, slots);
  if (!staying.empty()) *variable = staying.front();
  return !staying.empty();
}

}  // namespace

Mechanism with_outputs(const Mechanism& mechanism, const std::vector<std::string>& names) {
  Mechanism result = mechanism;
  result.parts_.outputs = MechanismBuilder::resolve_outputs(names, detail::NameLookup(result));
  return result;
}

Mechanism with_formula(const Mechanism& mechanism, const Formula& formula) {
  const detail::Place place{detail::kOutputWord, formula.name};
  detail::check_element_name(place);
  if (mechanism.find(formula.name))
    detail::fail(place, {},
                 {"an element has the name of a formula", "a name that nothing else has",
                  core::quoted(formula.name), "Rename the formula."});
  if (formula.variables.size() > Formula::kMostVariables)
    detail::fail(place, {},
                 {"a formula has too many variables",
                  "at most " + std::to_string(Formula::kMostVariables) + " different ones",
                  std::to_string(formula.variables.size()), "Split it into several formulas."});
  Mechanism result = mechanism;
  result.elements_.emplace(formula.name, FormulaIndex(static_cast<int>(mechanism.formulas().size())));
  result.parts_.formulas.push_back(formula);
  return result;
}

Mechanism with_inputs(const Mechanism& mechanism, const std::vector<Variable>& inputs) {
  Mechanism result = mechanism;
  result.parts_.inputs = inputs;
  return result;
}

Mechanism with_sensors(const Mechanism& mechanism, const std::vector<Sensor>& sensors) {
  if (!std::ranges::equal(sensors, mechanism.sensors(), {}, &Sensor::name, &Sensor::name))
    throw core::ContractError({.what = "these are other sensors",
                               .where = "with_sensors",
                               .expected = "those of mechanism '" + mechanism.name() + "'",
                               .actual = std::to_string(sensors.size()) + " sensors",
                               .next = "Copy sensors() and change their errors and times."});
  Mechanism result = mechanism;
  result.parts_.sensors = sensors;
  return result;
}

Mechanism without_drivers(const Mechanism& mechanism, const std::vector<std::string>& names) {
  for (const std::string& name : names) check_driver_exists(mechanism, name);
  Mechanism result = mechanism;
  MechanismParts& parts = result.parts_;
  parts.drivers.clear();
  NewSlots slots;
  for (const Driver& driver : mechanism.drivers()) {
    if (std::ranges::find(names, driver.name) == names.end()) {
      const int slot = static_cast<int>(parts.drivers.size());
      slots.drivers.push_back(slot);
      parts.drivers.push_back(driver);
      result.elements_.at(driver.name) = DriverIndex(slot);
      continue;
    }
    slots.drivers.push_back(std::nullopt);
    result.elements_.erase(driver.name);
    const bool is_given = std::ranges::count(parts.start_values, driver.target, &StartValue::variable) > 0;
    const std::optional<double> start = start_of(driver);
    if (start && !is_given) parts.start_values.push_back({driver.target, *start});
  }
  if (parts.vehicle && parts.vehicle->steering) {
    if (const std::optional<int> slot = slots.drivers[parts.vehicle->steering->driver.slot()])
      parts.vehicle->steering->driver = DriverIndex(*slot);
    else
      parts.vehicle->steering.reset();
  }
  parts.formulas.clear();
  for (Formula formula : mechanism.formulas()) {
    const std::size_t count = formula.variables.size();
    formula.variables = those_that_stay(formula.variables, slots);
    const bool stays = formula.variables.size() == count;
    const int slot = static_cast<int>(parts.formulas.size());
    slots.formulas.push_back(stays ? std::optional(slot) : std::nullopt);
    if (stays) {
      result.elements_.at(formula.name) = FormulaIndex(slot);
      parts.formulas.push_back(std::move(formula));
    } else {
      result.elements_.erase(formula.name);
    }
  }
  parts.outputs = those_that_stay(mechanism.outputs(), slots);
  parts.sensors.clear();
  for (Sensor sensor : mechanism.sensors())
    if (stays_readable(sensor, slots)) parts.sensors.push_back(std::move(sensor));
  return result;
}

Mechanism without_all_drivers(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Driver& driver : mechanism.drivers()) names.push_back(driver.name);
  return without_drivers(mechanism, names);
}

Mechanism without_dry_friction(const Mechanism& mechanism) {
  Mechanism result = mechanism;
  for (Joint& joint : result.parts_.joints) joint.friction = {.viscous = joint.friction.viscous};
  return result;
}

}  // namespace eslabon::model
