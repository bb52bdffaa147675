#pragma once

#include <optional>
#include <vector>

#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// One independent loop: the joint that closes it and the way back through the tree.
struct Loop {
  model::JointIndex closing_joint;
  std::vector<model::JointIndex> joints;  ///< around the loop, starting with the closing joint
  std::vector<LinkIndex> links;           ///< around the loop; joints[i] connects links[i] and links[i + 1]
};

/// A tree of joints from the frame to every link, and the loops that the other joints close.
struct SpanningTree {
  std::vector<std::optional<model::JointIndex>> joint_to_parent;  ///< (links) none for the frame
  std::vector<LinkIndex> parent;                                  ///< (links) the frame is its own
  std::vector<int> depth;                                         ///< (links) joints to the frame
  std::vector<LinkIndex> order;                                   ///< frame first, parents before children
  std::vector<Loop> loops;  ///< one for each joint outside the tree, in the order of the file

  int num_loops() const { return static_cast<int>(loops.size()); }
};

/// Breadth first from the frame, so that every link is as few joints from it as possible and the loops stay
/// short; joints before rods, so that a rod is cut wherever a joint can carry the tree. The number of loops
/// is the cyclomatic number  C = P − N_m  of the graph [Seed001, §2.1.2]; joints inside one link count as
/// loops of one. Cost: linear in links and joints, plus the total length of the loops.
SpanningTree find_spanning_tree(const model::Mechanism& mechanism, const Topology& topology);

}  // namespace eslabon::structure
