#include "eslabon/kinematics/drivers/driven_structure.hpp"

#include <string>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/structure/believed_inputs.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using coordinates::Prescribed;
using structure::Structure;

/// Where the drivers want it at the start, or where it closes without them.
AssemblyReport assembled(const model::Mechanism& mechanism, const Structure& structure) {
  AssemblyReport report = assemble(mechanism, structure);
  // Closed, but not where it is to start: what its freedoms are does not depend on that.
  if (report.status == AssemblyReport::Status::kUnreachableStart)
    report.status = AssemblyReport::Status::kClosed;
  if (report.usable()) return report;
  std::vector<std::string> names;
  for (const model::Driver& driver : mechanism.drivers()) names.push_back(driver.name);
  return assemble(model::without_drivers(mechanism, names), structure);
}

/// The inputs of drivers and of the user, as prescribed values.
std::vector<Prescribed> prescribed_inputs(const Structure& structure) {
  std::vector<Prescribed> prescribed;
  for (const structure::Input& input : structure.inputs)
    if (input.origin != structure::InputOrigin::kPicked)
      prescribed.push_back({*input.variable, input.origin == structure::InputOrigin::kDriver
                                                 ? "driver '" + input.driver + "'"
                                                 : "input '" + input.name + "'"});
  return prescribed;
}

/// The inputs of which one repeats what the others and the joints say where the bodies are, as positions in `inputs`;
/// none when all say something new.
std::vector<std::size_t> conflicting_inputs(const model::Mechanism& mechanism, const Structure& structure,
                                            const std::vector<Prescribed>& inputs,
                                            const coordinates::MechanismMotion& bodies) {
  const ConstraintSystem system("relative", mechanism, structure, inputs);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), near;
  std::vector<CoordinateValue> values(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values[i].position = value_of(mechanism, std::get<model::Variable>(inputs[i].what), bodies);
    near.push_back(values[i].position);
  }
  system.read_bodies(bodies, {q, v, a}, near);
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, values, positions);
  const auto input_of = [&](int row) {
    return std::get_if<coordinates::PrescribedIndex>(&system.label(row).source);
  };
  for (const RepeatedRow& repeated : rank_rows_in_order(system, positions.Phi_q).repeated_rows) {
    if (input_of(repeated.row) == nullptr) continue;
    std::vector<std::size_t> conflict;
    for (const int row : repeated.rows)
      if (const auto* input = input_of(row)) conflict.push_back(input->slot());
    conflict.push_back(input_of(repeated.row)->slot());
    return conflict;
  }
  return {};
}

[[noreturn]] void throw_overdriven(const std::vector<Prescribed>& inputs,
                                   const std::vector<std::size_t>& conflict) {
  std::vector<std::string> names;
  for (const std::size_t i : conflict) names.push_back(inputs[i].name);
  throw core::ModelError({.what = "more inputs than degrees of freedom",
                          .where = core::conjunction(names),
                          .expected = "at most " + std::to_string(conflict.size() - 1) + " of these " +
                                      std::to_string(conflict.size()) + " here",
                          .actual = std::to_string(conflict.size()),
                          .next = "Remove one of them, or free a joint."});
}

/// Whether the mechanism, where it stands and near by, has a degree of freedom for each input. Throws when it stands at a
/// place like others and has not.
bool has_freedom_for_inputs(const model::Mechanism& mechanism, const Structure& structure) {
  const ConstraintSystem undriven("relative", mechanism, structure, {});
  if (undriven.num_rows() > kDenseLimit) return false;
  const AssemblyReport assembly = assembled(mechanism, structure);
  if (!assembly.usable()) return false;
  const RedundancyReport survey = explain_redundancy(undriven, assembly.bodies);
  const std::vector<Prescribed> inputs = prescribed_inputs(structure);
  const int freedoms = survey.mobility - static_cast<int>(structure.idle.size());
  // At a singular start rows may depend on each other, or not, by accident: whoever drives it from there finds that out.
  if (survey.is_singular_at_start() || survey.is_shaky) return static_cast<int>(inputs.size()) <= freedoms;
  const std::vector<std::size_t> conflict = conflicting_inputs(mechanism, structure, inputs, assembly.bodies);
  if (conflict.size() > 1) throw_overdriven(inputs, conflict);
  return conflict.empty();
}

}  // namespace

Structure analyse_driven_structure(const model::Mechanism& mechanism) {
  if (structure::is_overdriven_by_count(mechanism)) {
    Structure believed = structure::analyse_with_believed_inputs(mechanism);
    if (has_freedom_for_inputs(mechanism, believed)) return believed;
  }
  return structure::analyse_structure(mechanism);
}

}  // namespace eslabon::kinematics
