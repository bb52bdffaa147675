#pragma once

namespace eslabon::estimation {

/// How fine the lattice of the grid filter is. Nodes are stored where there is mass alone.
struct GridOptions {
  int positions = 720;  ///< nodes of a turn, or of ± StateInfo::unknown_scale of what is no angle
  int rates = 4000;     ///< nodes of ± unknown_scale of the rate
};

}  // namespace eslabon::estimation
