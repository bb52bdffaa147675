#include "eslabon/runs/start/mechanism_facts.hpp"

#include "eslabon/kinematics/drivers/driven_structure.hpp"

namespace eslabon::runs {

MechanismFacts examine(const model::Mechanism& mechanism, bool with_branches) {
  structure::Structure structure = kinematics::analyse_driven_structure(mechanism);
  Placement placement = find_placement(mechanism, structure, with_branches);
  return {mechanism, std::move(structure), std::move(placement)};
}

}  // namespace eslabon::runs
