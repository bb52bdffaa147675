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

/// The outputs without efforts of drivers that go, and with new numbers for those of drivers that stay;
/// new_slots: (drivers), none for drivers that go.
std::vector<Variable> outputs_that_stay(const std::vector<Variable>& outputs,
                                        const std::vector<std::optional<int>>& new_slots) {
  std::vector<Variable> result;
  for (Variable output : outputs) {
    if (auto* driver = std::get_if<DriverIndex>(&output.element)) {
      const std::optional<int> slot = new_slots[driver->slot()];
      if (!slot) continue;
      *driver = DriverIndex(*slot);
    }
    result.push_back(output);
  }
  return result;
}

}  // namespace

Mechanism with_outputs(const Mechanism& mechanism, const std::vector<std::string>& names) {
  Mechanism result = mechanism;
  result.parts_.outputs = MechanismBuilder::resolve_outputs(names, detail::NameLookup(result));
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
  std::vector<std::optional<int>> new_slots;
  for (const Driver& driver : mechanism.drivers()) {
    if (std::ranges::find(names, driver.name) == names.end()) {
      const int slot = static_cast<int>(parts.drivers.size());
      new_slots.push_back(slot);
      parts.drivers.push_back(driver);
      result.elements_.at(driver.name) = DriverIndex(slot);
      continue;
    }
    new_slots.push_back(std::nullopt);
    result.elements_.erase(driver.name);
    const bool is_given = std::ranges::count(parts.start_values, driver.target, &StartValue::variable) > 0;
    const std::optional<double> start = start_of(driver);
    if (start && !is_given) parts.start_values.push_back({driver.target, *start});
  }
  parts.outputs = outputs_that_stay(mechanism.outputs(), new_slots);
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
