#include "eslabon/model/counted_turns.hpp"

#include <algorithm>

namespace eslabon::model {

bool counts_turns(const Mechanism& mechanism) {
  return !mechanism.couplings().empty() ||
         std::ranges::any_of(mechanism.stops(), [](const Stop& stop) { return stop.coupling.has_value(); }) ||
         std::ranges::any_of(mechanism.joints(), [](const Joint& joint) {
           return joint.type == JointType::kRolling || has_lead(joint.type);
         });
}

}  // namespace eslabon::model
