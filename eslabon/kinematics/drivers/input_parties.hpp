#pragma once

#include <vector>

#include "eslabon/structure/structure.hpp"

namespace eslabon::kinematics {

/// Which inputs move which links, and which inputs never move a common link: these can be sent through the groups together
/// [CurtisPowellReid1974].
struct InputParties {
  std::vector<std::vector<std::size_t>> movers;   ///< (links) inputs that move the link, ascending
  std::vector<std::vector<std::size_t>> parties;  ///< inputs that are sent together; each input is in one
};

/// Of the inputs from number `first` on, which counts as 0 then.
InputParties find_input_parties(const structure::Structure& structure, std::size_t first);

}  // namespace eslabon::kinematics
