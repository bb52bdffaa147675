#include "eslabon/runs/start/placement.hpp"

#include <utility>

#include <fmt/format.h>

#include "eslabon/kinematics/assembly/branch.hpp"
#include "eslabon/kinematics/drivers/driven_mechanism.hpp"
#include "eslabon/kinematics/freedoms/rolling_rank.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::runs {

using kinematics::AssemblyReport;

namespace {

constexpr int kMostLoopRows = 700;  // of loops; their dense analysis takes about a second

/// Rows of the joints that close loops: what relative coordinates leave of the constraints.
int loop_rows(const model::Mechanism& mechanism, const structure::Structure& structure) {
  int rows = 0;
  for (const structure::Loop& loop : structure.tree.loops)
    rows += model::constraint_rows(mechanism.joint(loop.closing_joint).type, mechanism.is_planar());
  return rows;
}

/// Whether the rank takes too long; the placement says so then.
bool is_too_large(const model::Mechanism& mechanism, const structure::Structure& structure,
                  Placement& placement) {
  const int rows = loop_rows(mechanism, structure);
  if (rows <= kMostLoopRows) return false;
  placement.message = fmt::format("not computed: {} rows of loops, more than {}", rows, kMostLoopRows);
  return true;
}

void look_at(const model::Mechanism& mechanism, const structure::Structure& structure,
             const coordinates::MechanismMotion& bodies, Placement& placement) {
  placement.status = Placement::Status::kClosed;
  placement.branch = kinematics::branch_name(mechanism, structure, bodies);
  placement.bodies = bodies;
  const coordinates::ConstraintSystem system("relative", mechanism, structure, {});
  placement.redundancy = kinematics::explain_redundancy(system, bodies);
  const coordinates::VelocityRows rolling(system);
  if (rolling.is_empty()) return;
  std::vector<double> q(static_cast<std::size_t>(system.num_coordinates())), v(q), a(q);
  system.read_bodies(bodies, {q, v, a});
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, {}, positions);
  coordinates::VelocityLevel velocities;
  rolling.evaluate(q, velocities);
  placement.rolling = static_cast<int>(
      kinematics::independent_rolling_rows(system, positions.Phi_q, rolling, velocities).size());
}

/// Forces move what no driver moves.
bool has_mass(const model::Mechanism& mechanism) {
  return std::ranges::any_of(mechanism.bodies(),
                             [](const model::Body& body) { return !body.mass_properties.is_massless(); }) ||
         std::ranges::any_of(mechanism.joints(),
                             [](const model::Joint& joint) { return joint.rod_mass > 0.0; });
}

}  // namespace

AssemblyReport assemble_without_drivers(const model::Mechanism& mechanism,
                                        const structure::Structure& structure) {
  AssemblyReport report = kinematics::assemble(model::without_all_drivers(mechanism), structure);
  if (report.usable())
    for (const model::Driver& driver : mechanism.drivers())
      report.driver_starts.push_back(kinematics::value_of(mechanism, driver.target, report.bodies));
  return report;
}

Placement find_placement(const model::Mechanism& mechanism, const structure::Structure& structure,
                         bool with_branches) {
  Placement placement;
  if (is_too_large(mechanism, structure, placement)) return placement;
  try {
    kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
    if (assembly.status == AssemblyReport::Status::kUnreachableStart) {
      placement.start = core::to_sentence(assembly.error_text());
      assembly.status = AssemblyReport::Status::kClosed;
    }
    if (!assembly.usable()) {
      placement.message = core::to_sentence(assembly.error_text());
      if (assembly.status == AssemblyReport::Status::kUnreachableDriver)
        assembly = assemble_without_drivers(mechanism, structure);
    }
    if (!assembly.usable()) {
      placement.status = Placement::Status::kOpen;
      return placement;
    }
    placement.residual = assembly.residual;
    placement.drivers = std::exchange(placement.message, "");
    look_at(mechanism, structure, assembly.bodies, placement);
    if (with_branches)
      for (const kinematics::Branch& branch : kinematics::find_branches(mechanism, structure, assembly))
        placement.branches.push_back(branch.name);
    if (mechanism.drivers().empty()) return placement;
    try {
      const kinematics::DrivenMechanism driven(mechanism, structure, assembly);
    } catch (const kinematics::UnderdrivenError& error) {
      if (!has_mass(mechanism)) placement.drivers = error.what();
    } catch (const core::ModelError& error) {
      placement.drivers = error.what();
    }
  } catch (const core::ModelError& error) {  // a driver that has no value at the start
    placement.status = Placement::Status::kOpen;
    placement.message = error.what();
  }
  return placement;
}

Placement placement_at(const model::Mechanism& mechanism, const structure::Structure& structure,
                       const coordinates::MechanismMotion& bodies) {
  Placement placement;
  if (!is_too_large(mechanism, structure, placement)) look_at(mechanism, structure, bodies, placement);
  return placement;
}

}  // namespace eslabon::runs
