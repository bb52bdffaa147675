#include "eslabon/structure/idle_freedom.hpp"

#include "eslabon/structure/idle_part.hpp"
#include "eslabon/structure/spin_effect.hpp"

namespace eslabon::structure {

std::vector<IdleFreedom> find_idle_freedoms(const model::Mechanism& mechanism, const Topology& topology) {
  std::vector<IdleFreedom> idle;
  for (const IdlePart& part : find_idle_parts(mechanism, topology))
    idle.push_back({part.links, part.first, part.second, does_spin_matter(mechanism, topology, part)});
  return idle;
}

std::string direction(const IdleFreedom& idle) {
  return "rotation about " +
         (idle.second.empty() ? idle.first : "the line from " + idle.first + " to " + idle.second);
}

}  // namespace eslabon::structure
