#pragma once

#include <vector>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::structure {

/// A link: the bodies that fixed joints make one. Link 0 holds the ground.
using LinkIndex = core::Index<struct LinkTag>;
inline constexpr LinkIndex kFrame{0};  ///< the link that does not move

/// A joint seen from outside: which links it connects and what it costs.
struct Edge {
  model::JointIndex joint;
  LinkIndex first;
  LinkIndex second;
  int rows = 0;  ///< relative degrees of freedom that it takes away
  /// Rows that can be independent: two balls between the same two links make a hinge, three hold them rigidly, so the
  /// second adds 2 rows, the third 1 and every other none.
  int useful_rows = 0;
  int freedoms = 0;      ///< relative degrees of freedom that it leaves
  bool is_ball = false;  ///< spherical
};

/// A mechanism without its numbers: links and the joints between them.
struct Topology {
  bool is_planar = false;
  int link_freedoms = 6;                             ///< of one unconnected link: 3 in the plane, 6 in space
  std::vector<std::vector<model::BodyIndex>> links;  ///< bodies of each link, in the order of the file
  std::vector<LinkIndex> link_of_body;               ///< (bodies)
  /// Joints between links, in the order of the file; a fixed joint only if others have welded its bodies already.
  std::vector<Edge> edges;

  int num_links() const { return static_cast<int>(links.size()); }
  LinkIndex link_of(model::BodyIndex body) const { return link_of_body[body.slot()]; }
};

/// Cost: linear in bodies and joints.
Topology find_topology(const model::Mechanism& mechanism);

/// The links of the joints of a coupling, each once.
std::vector<LinkIndex> links_of_coupling(const model::Mechanism& mechanism, const Topology& topology,
                                         const model::Coupling& coupling);

}  // namespace eslabon::structure
