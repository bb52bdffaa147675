#include "eslabon/runs/start/branch_start.hpp"

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/kinematics/assembly/branch.hpp"
#include "eslabon/kinematics/drivers/driven_mechanism.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/placement.hpp"

namespace eslabon::runs {

namespace {

kinematics::AssemblyReport assembled(const model::Mechanism& mechanism,
                                     const structure::Structure& structure) {
  kinematics::AssemblyReport report = kinematics::assemble(mechanism, structure);
  if (report.usable()) return report;
  if (report.status == kinematics::AssemblyReport::Status::kUnreachableDriver) {
    // Out of reach may be the start, or all that the driver asks for; the second says its own reason.
    const kinematics::AssemblyReport free = assemble_without_drivers(mechanism, structure);
    if (free.usable()) const kinematics::DrivenMechanism check(mechanism, structure, free);
  }
  throw core::ModelError(report.error_text());
}

kinematics::AssemblyReport on_branch(const model::Mechanism& mechanism, const structure::Structure& structure,
                                     kinematics::AssemblyReport assembly,
                                     const std::optional<std::string>& name) {
  if (!name) return assembly;
  const auto branches = kinematics::find_branches(mechanism, structure, assembly);
  std::vector<std::string> names;
  for (const kinematics::Branch& branch : branches) {
    names.push_back(branch.name);
    if (branch.name != *name) continue;
    assembly.bodies = branch.bodies;
    kinematics::require_exact_starts(mechanism, assembly);
    if (!assembly.usable()) throw core::ModelError(assembly.error_text());
    return assembly;
  }
  throw RequestError({.what = "no such branch",
                      .where = field("branch"),
                      .expected = "one of those found, " + core::quoted_list(names),
                      .actual = "'" + *name + "'",
                      .next = "The first is that of the start values."});
}

}  // namespace

kinematics::AssemblyReport assembled_on_branch(const model::Mechanism& mechanism,
                                               const structure::Structure& structure,
                                               const std::optional<std::string>& branch) {
  return on_branch(mechanism, structure, assembled(mechanism, structure), branch);
}

}  // namespace eslabon::runs
