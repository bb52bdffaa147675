#pragma once

#include <string>
#include <vector>

#include "eslabon/structure/input.hpp"
#include "eslabon/structure/row_assignment.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// The smallest set of links whose mobility equals its inputs [Seed001, §2.1.1]: it can be solved on its own
/// once the groups before it are. With S_c the degrees of freedom that its pairs leave, n_c its inputs, P its pairs, N_m
/// its links, k = 3 in the plane and 6 in space:
///   S_c − n_c = k (P − N_m)                   [Seed001, eqs. (2.3), (2.4)]   (1)
/// Idle degrees of freedom and couplings g count as inputs here; each redundant row r adds one on the left:
///   S_c − n_c − idle − g + r = k (P − N_m).                                  (2)
struct StructuralGroup {
  std::string type;              ///< pairs by letter, "2C3E1R" [Seed001, §3.1]; model::JointTypeFacts
  std::string assur;             ///< classic name if there is one: "dyad RRR", "triad"; else empty
  std::vector<LinkIndex> links;  ///< in the order of the file
  std::vector<model::BodyIndex> bodies;   ///< of its links, in the order of the file
  std::vector<model::JointIndex> joints;  ///< the pairs that go with it, to its own links and to earlier ones
  std::vector<model::CouplingIndex> couplings;  ///< of its joints, and perhaps of earlier ones
  std::vector<int> inputs;                      ///< positions in Structure::inputs
  std::vector<int> depends_on;  ///< positions in Structure::groups, ascending; the frame is not one
  int idle = 0;                 ///< degrees of freedom that move nothing else
  int redundant = 0;            ///< rows that the count cannot use; geometry decides what they do
};

/// What a row of the assignment stands for: a position in one of four lists, as one number for
/// RowAssignment.
struct RowSource {
  enum class Kind { kEdge, kInput, kIdle, kCoupling };
  Kind kind;
  int index;  ///< of Topology::edges, of the inputs, of the idle degrees of freedom, or of the couplings

  int encoded() const { return 4 * index + static_cast<int>(kind); }
  static RowSource decode(int number) { return {static_cast<Kind>(number % 4), number / 4}; }
};

/// Which links must be solved together: the strongly connected parts of "the owner of a row needs the other
/// link", dependencies first. Undetermined are links with degrees of freedom to spare, parts that hang on links before them by
/// two balls alone (which repeat one distance and leave the spin about their line), and all that needs them.
struct LinkPartition {
  std::vector<std::vector<LinkIndex>> parts;  ///< in solving order
  std::vector<int> part_of_link;              ///< (links) −1 for the frame
  std::vector<LinkIndex> undetermined;        ///< links that the rows do not hold yet
};
/// `assignment` is settled.
LinkPartition partition_links(const Topology& topology, const RowAssignment& assignment);

/// Work to solve the parts one after the other, Σ n³, where the undetermined links count as one part.
double solving_cost(const LinkPartition& partition);

/// Names and numbers the parts. `redundant` (edges) says how many rows of each joint were not independent, `redundant_couplings` which
/// couplings.
std::vector<StructuralGroup> make_groups(const model::Mechanism& mechanism, const Topology& topology,
                                         const RowAssignment& assignment, const LinkPartition& partition,
                                         const std::vector<int>& redundant,
                                         const std::vector<model::CouplingIndex>& redundant_couplings);

}  // namespace eslabon::structure
