#pragma once

#include <string>
#include <vector>

#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::kinematics {

/// One of the ways in which a mechanism can be put together with its drivers where they are.
struct Branch {
  std::string name;                     ///< one sign for each structural group, "+-"; see branch_name
  coordinates::MechanismMotion bodies;  ///< (bodies) where they are, at rest
};

/// The name of the branch on which the bodies are: for each structural group that has loops to close, in solving order, the
/// sign of the determinant of its own rows by its own coordinates. A sign changes only where the group is singular,
/// so two positions with different names are on different branches; the name of a branch stays the same along
/// a motion that no event interrupts. A dyad has two branches, + and -. 0 stands for a singular group. Groups whose
/// position follows in one way only (a driven link, an open chain), and those with redundant rows or idle degrees of freedom,
/// have no sign. "" when no group has one, or when there are drivers for only some degrees of freedom.
std::string branch_name(const model::Mechanism& mechanism, const structure::Structure& structure,
                        const coordinates::MechanismMotion& bodies);

/// Looks for all branches with the drivers where `assembly` has them: closes the mechanism from `tries` random positions
/// of the joints of its spanning tree (a fixed seed) and keeps what is different. The branch of `assembly` comes first.
/// Finds what random starts find: of a few dyads all, of mechanisms with hundreds of branches many.
/// Two branches of one name (groups with more than two) are told apart by a number: "+", "+#2"; those without signs are "#1", "#2".
/// Needs a driver for every degree of freedom that is not idle; otherwise only the branch of `assembly` is returned.
inline constexpr int kUsualTries = 200;
std::vector<Branch> find_branches(const model::Mechanism& mechanism, const structure::Structure& structure,
                                  const AssemblyReport& assembly, int tries = kUsualTries);

}  // namespace eslabon::kinematics
