#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"

#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"

namespace eslabon::kinematics {

AssembledMechanism::AssembledMechanism(std::shared_ptr<const model::Mechanism> mechanism,
                                       std::shared_ptr<const structure::Structure> structure,
                                       AssemblyReport assembly)
    : mechanism_(std::move(mechanism)),
      structure_(std::move(structure)),
      assembly_(std::make_shared<const AssemblyReport>(std::move(assembly))) {
  if (!assembly_->usable())
    throw core::ContractError({.what = "a mechanism that is not assembled cannot be moved",
                               .where = "assembly",
                               .expected = "a usable AssemblyReport",
                               .actual = assembly_->brief(),
                               .next = "Look at the report first."});
}

AssembledMechanism AssembledMechanism::assemble(model::Mechanism mechanism) {
  structure::Structure structure = analyse_driven_structure(mechanism);
  AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  if (!assembly.usable()) throw core::ModelError(assembly.error_text());
  return from(std::move(mechanism), std::move(structure), std::move(assembly));
}

AssembledMechanism AssembledMechanism::from(model::Mechanism mechanism, structure::Structure structure,
                                            AssemblyReport assembly) {
  return {std::make_shared<const model::Mechanism>(std::move(mechanism)),
          std::make_shared<const structure::Structure>(std::move(structure)), std::move(assembly)};
}

AssembledMechanism AssembledMechanism::placed(AssemblyReport assembly) const {
  return {mechanism_, structure_, std::move(assembly)};
}

}  // namespace eslabon::kinematics
