#pragma once

#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// A freedom that moves nothing else: a part held by two spherical joints alone can spin about the line
/// through them.
struct IdleFreedom {
  std::vector<LinkIndex> links;  ///< the part that spins, in the order of the file
  model::JointIndex first;       ///< the two spherical joints
  model::JointIndex second;
};

/// Parts are links connected by anything but spherical joints. A part is idle when exactly two spherical
/// joints hold it, to two different links (to one link they make a hinge, and the spin is what the part is
/// there for), and no driver or input fixes one of its points. Cost: linear in links and joints.
std::vector<IdleFreedom> find_idle_freedoms(const model::Mechanism& mechanism, const Topology& topology);

/// "rotation about the line from coupler.A to coupler.B"
std::string direction(const model::Mechanism& mechanism, const Topology& topology, const IdleFreedom& idle);

}  // namespace eslabon::structure
