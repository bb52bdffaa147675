#pragma once

#include <memory>

#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::kinematics {

/// A mechanism with its structure, in a position where all joints are closed: what everything that moves is made from. A value that
/// shares what it holds: copies cost nothing, and whoever has one keeps all of it alive. Immutable; safe to share between threads.
class AssembledMechanism {
 public:
  /// Finds structure and position: analyse_driven_structure, then kinematics::assemble. Throws core::ModelError as they do, and with the
  /// report's text when the mechanism cannot be assembled.
  static AssembledMechanism assemble(model::Mechanism mechanism);
  /// Of what is at hand. Throws core::ContractError unless the report is usable.
  static AssembledMechanism from(model::Mechanism mechanism, structure::Structure structure,
                                 AssemblyReport assembly);
  /// The same mechanism in another position. Throws as `from` does.
  AssembledMechanism placed(AssemblyReport assembly) const;

  const model::Mechanism& mechanism() const { return *mechanism_; }
  const structure::Structure& structure() const { return *structure_; }
  const AssemblyReport& assembly() const { return *assembly_; }

 private:
  AssembledMechanism(std::shared_ptr<const model::Mechanism> mechanism,
                     std::shared_ptr<const structure::Structure> structure, AssemblyReport assembly);

  std::shared_ptr<const model::Mechanism> mechanism_;
  std::shared_ptr<const structure::Structure> structure_;
  std::shared_ptr<const AssemblyReport> assembly_;
};

}  // namespace eslabon::kinematics
