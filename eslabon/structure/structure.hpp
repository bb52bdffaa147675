#pragma once

#include <optional>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/grashof.hpp"
#include "eslabon/structure/idle_freedom.hpp"
#include "eslabon/structure/input.hpp"
#include "eslabon/structure/spanning_tree.hpp"
#include "eslabon/structure/structural_group.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// Rows of a joint that no count can use.
struct RedundantRows {
  model::JointIndex joint;
  int count = 0;
};

/// What a mechanism is, before anything is computed: integers and names.
struct Structure {
  Topology topology;
  SpanningTree tree;
  int mobility = 0;  ///< by Grübler, k (N_m − P) + S_c [Seed001, eq. (2.2)]; idle degrees of freedom count
  std::vector<IdleFreedom> idle;        ///< degrees of freedom that move nothing else
  std::vector<Input> inputs;            ///< drivers, then the user's choice, then what the program picked
  std::vector<StructuralGroup> groups;  ///< in solving order
  std::vector<int> group_of_link;       ///< (links) position in groups; −1 for the frame
  std::vector<RedundantRows> redundant;
  std::vector<model::CouplingIndex> redundant_couplings;  ///< of which the count cannot use the row
  std::optional<FourBar> four_bar;

  int num_redundant() const;
  /// Mobility without idle degrees of freedom.
  int useful_mobility() const { return mobility - static_cast<int>(idle.size()); }
};

/// Grübler's count over all joints, fixed and free ones too; each coupling takes one degree of freedom.
int count_mobility(const model::Mechanism& mechanism);

/// Analyses a mechanism from its topology alone. Always
///   mobility = inputs + idle − redundant.                                                                   (1)
/// Throws core::ModelError when drivers, or the user's inputs,
/// ask for more degrees of freedom than there are; the message names them. Cost: linear in the number of links for
/// mechanisms whose loops stay short.
Structure analyse_structure(const model::Mechanism& mechanism);

}  // namespace eslabon::structure
