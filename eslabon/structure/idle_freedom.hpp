#pragma once

#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// A freedom that moves nothing else: a part held at two points alone can spin about the line through them.
struct IdleFreedom {
  std::vector<LinkIndex> links;  ///< the part that spins, in the order of the file
  std::string first;             ///< the two points, "coupler.A"
  std::string second;
};

/// Parts are links connected by anything but spherical joints and rods. A part is idle when those hold it at exactly
/// two points, and no driver or input fixes another point or the angle of one of its bodies. Two spherical joints to
/// one link are no case of it: they make a hinge, and the spin is what the part is there for.
/// Cost: linear in links and joints.
std::vector<IdleFreedom> find_idle_freedoms(const model::Mechanism& mechanism, const Topology& topology);

/// "rotation about the line from coupler.A to coupler.B"
std::string direction(const IdleFreedom& idle);

}  // namespace eslabon::structure
