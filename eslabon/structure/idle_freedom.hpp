#pragma once

#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// A degree of freedom that moves nothing else: a part can spin about a line while all that holds it stands still.
struct IdleFreedom {
  std::vector<LinkIndex> links;  ///< that spin
  std::string first;             ///< of the line: "coupler.A", or "the axis of joint C"
  std::string second;            ///< its other end, "coupler.B"; empty for an axis
  bool matters = false;          ///< forces or inertia act on it: idle for kinematics only (spin_effect.hpp)
};

/// The spins of find_idle_parts (idle_part.hpp says by which rules), for those who only tell of them.
std::vector<IdleFreedom> find_idle_freedoms(const model::Mechanism& mechanism, const Topology& topology);

/// "rotation about the line from coupler.A to coupler.B", "rotation about the axis of joint C"
std::string direction(const IdleFreedom& idle);

}  // namespace eslabon::structure
