#pragma once

namespace eslabon::tyres {

/// What a relief adds to the height of a road at one place.
template <class T>
struct ReliefPointOf {
  T height;   ///< [m]
  T slope_x;  ///< ∂/∂x
  T slope_y;  ///< ∂/∂y
};

}  // namespace eslabon::tyres
