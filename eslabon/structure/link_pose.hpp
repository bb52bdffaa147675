#pragma once

#include <vector>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// (bodies) pose of each body in the frame of the first body of its link, which fixed joints weld it to.
std::vector<core::Pose<double>> poses_in_links(const model::Mechanism& mechanism, const Topology& topology);

}  // namespace eslabon::structure
