#pragma once

#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/coordinates/row.hpp"

namespace eslabon::dynamics {

/// Links that share loops, couplings or rods with mass. They hang on one link, the base, which belongs to another cluster or is the
/// frame: whatever the base does, the rows of the cluster see nothing of it.
struct Cluster {
  int base = 0;              ///< link
  int parent = -1;           ///< cluster of the base; −1: the frame
  std::vector<int> links;    ///< parents before children
  std::vector<int> columns;  ///< coordinates of its joints, and mixed ones that its rows tie, ascending
  std::vector<int> rows;     ///< independent ones, without those that keep Euler parameters units, ascending
};

/// Clusters of a mechanism in relative coordinates, those that carry others first: the finest division of the links in which
///  - links between which a row has coordinates are in one cluster; those on the way to all that it connects drop out of it,
///  - so are the links between the ends of a rod with mass,
///  - each cluster has one base.                                                                             (1)
/// `rows` of the system that count; `ends`: pairs of links that a rod with mass connects.
std::vector<Cluster> find_clusters(const coordinates::KinematicTree& tree,
                                   const coordinates::ConstraintSystem& system,
                                   const std::vector<coordinates::Row>& described,
                                   const std::vector<int>& rows,
                                   const std::vector<std::pair<int, int>>& ends);

}  // namespace eslabon::dynamics
