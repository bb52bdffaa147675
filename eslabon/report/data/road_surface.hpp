#pragma once

#include <optional>
#include <vector>

#include "eslabon/report/report.hpp"

namespace eslabon::report {

/// The road where the wheels of a report go, as it is drawn: heights over its plane at a grid, in which a plane takes four places and a
/// bump as many as it needs.
struct RoadSurface {
  /// Places at most; 16 bits each.
  static constexpr std::size_t kMostPlaces = 18000;

  std::vector<double> x;       ///< (nx) increasing [m]
  std::vector<double> y;       ///< (ny) increasing [m]
  std::vector<double> height;  ///< (nx × ny) over the plane of the road, y fastest [m]
};

/// About all places where a tyre of the mechanism comes to in the recordings; none where there are no tyres or nothing is known of them.
/// Between its places heights are linear: off by a two-hundredth of the highest, where kMostPlaces allow it.
std::optional<RoadSurface> road_surface(const Report& report);

}  // namespace eslabon::report
