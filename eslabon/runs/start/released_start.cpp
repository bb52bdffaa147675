#include "eslabon/runs/start/released_start.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/branch_start.hpp"
#include "eslabon/structure/believed_inputs.hpp"

namespace eslabon::runs {

namespace {

constexpr const char* kAll = "all";

/// Whether a degree of freedom without a name would have to be an input.
bool has_nameless_input(const model::Mechanism& mechanism) {
  if (std::ranges::none_of(mechanism.joints(), [](const model::Joint& joint) {
        return model::turns_freely(joint.type) || model::is_floating(joint.type) ||
               model::is_shifting(joint.type);
      }))
    return false;
  return std::ranges::any_of(kinematics::analyse_driven_structure(mechanism).inputs,
                             [](const structure::Input& input) { return !input.variable; });
}

}  // namespace

std::vector<std::string> released_drivers(const std::vector<std::string>& words,
                                          const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const std::string& word : words)
    if (word == kAll)
      for (const model::Driver& driver : mechanism.drivers()) add(driver.name);
    else
      add(word);
  return names;
}

model::Mechanism without_released(const model::Mechanism& loaded, const std::vector<std::string>& released) {
  const model::Mechanism mechanism = model::without_drivers(loaded, released);
  if (released.empty() || !has_nameless_input(mechanism)) return mechanism;
  std::vector<model::Variable> inputs = mechanism.inputs();
  for (const model::Driver& driver : loaded.drivers())
    if (std::ranges::find(released, driver.name) != released.end()) inputs.push_back(driver.target);
  const model::Mechanism named = model::with_inputs(mechanism, inputs);
  return structure::is_overdriven_by_count(named) || has_nameless_input(named) ? mechanism : named;
}

/// Whether a variable is the effort of one of these drivers, or a formula of one.
bool is_of_effort(const model::Mechanism& mechanism, const model::Variable& variable,
                  const std::vector<std::string>& drivers) {
  if (const auto* const driver = std::get_if<model::DriverIndex>(&variable.element))
    return std::ranges::find(drivers, mechanism.drivers()[driver->slot()].name) != drivers.end();
  const auto* const formula = std::get_if<model::FormulaIndex>(&variable.element);
  return formula != nullptr && std::ranges::any_of(mechanism.formulas()[formula->slot()].variables,
                                                   [&](const model::Variable& operand) {
                                                     return is_of_effort(mechanism, operand, drivers);
                                                   });
}

std::vector<std::string> efforts_of(const std::vector<std::string>& released,
                                    const model::Mechanism& mechanism) {
  std::vector<std::string> efforts;
  for (const model::Variable& output : mechanism.outputs())
    if (is_of_effort(mechanism, output, released)) efforts.push_back(model::name(mechanism, output));
  return efforts;
}

void check_no_released_effort(const model::Mechanism& loaded, const std::vector<std::string>& released,
                              const std::optional<std::vector<std::string>>& outputs) {
  if (!outputs) return;
  const auto fail = [](const std::string& name, const std::string& driver) {
    throw RequestError({.what = "a released driver exerts no effort",
                        .where = field("outputs"),
                        .expected = "efforts of drivers that are not released",
                        .actual = "'" + name + "' with " + field("release") + " " + driver,
                        .next = "Leave the output out, or keep the driver."});
  };
  for (const std::string& name : *outputs)
    for (const std::string& driver : released) {
      if (name == driver + ".effort") fail(name, driver);
      const std::optional<model::Mechanism::Element> element = loaded.find(name);
      const auto* const formula = element ? std::get_if<model::FormulaIndex>(&*element) : nullptr;
      if (formula != nullptr && is_of_effort(loaded, model::variable_of(loaded, *formula), {driver}))
        fail(name, driver);
    }
}

model::Mechanism release_drivers(const model::Mechanism& loaded, const std::vector<std::string>& released,
                                 const std::optional<std::vector<std::string>>& outputs,
                                 RunObserver& observer) {
  model::Mechanism mechanism = for_field("release", [&] { return without_released(loaded, released); });
  check_no_released_effort(loaded, released, outputs);
  if (const std::vector<std::string> efforts = efforts_of(released, loaded); !outputs && !efforts.empty())
    observer.left_out(efforts, "a released driver exerts no effort");
  return mechanism;
}

kinematics::AssemblyReport assembled_as_driven(const model::Mechanism& with_drivers,
                                               const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch,
                                               RunObserver& observer) {
  if (with_drivers.drivers().size() == mechanism.drivers().size())
    return assembled_on_branch(mechanism, structure, branch);
  const structure::Structure driven = kinematics::analyse_driven_structure(with_drivers);
  if (!kinematics::assemble(with_drivers, driven).usable()) {
    observer.note(
        "with its drivers the mechanism cannot be assembled; the run starts from the start values alone.");
    return assembled_on_branch(mechanism, structure, branch);
  }
  const kinematics::AssemblyReport start = assembled_on_branch(with_drivers, driven, branch);
  std::vector<double> kept;
  for (std::size_t i = 0; i < with_drivers.drivers().size(); ++i)
    if (std::ranges::any_of(mechanism.drivers(), [&](const model::Driver& driver) {
          return driver.name == with_drivers.drivers()[i].name;
        }))
      kept.push_back(start.driver_starts[i]);
  kinematics::AssemblyReport report = kinematics::assemble_from(mechanism, structure, start.bodies, kept);
  if (!report.usable()) throw core::ModelError(report.error_text());
  return report;
}

dynamics::DynamicModel released_model(const model::Mechanism& loaded, const std::vector<std::string>& release,
                                      const std::optional<std::string>& branch, RunObserver& observer) {
  const model::Mechanism mechanism =
      release_drivers(loaded, released_drivers(release, loaded), std::nullopt, observer);
  const structure::Structure structure = kinematics::analyse_driven_structure(mechanism);
  return {mechanism, structure, assembled_as_driven(loaded, mechanism, structure, branch, observer)};
}

}  // namespace eslabon::runs
