#pragma once

#include <array>
#include <vector>

#include "eslabon/core/pose.hpp"

namespace eslabon::report {

/// x, y, z [m], w, x, y, z of the quaternion of one body over instants.
using PoseColumns = std::array<std::vector<double>, 7>;

/// (bodies) The poses (instants × bodies) by columns. Quaternions change their sign only where a body jumps: of e and −e, the same
/// turn, the nearer to the one before is taken.
std::vector<PoseColumns> pose_columns(const std::vector<std::vector<core::Pose<double>>>& X_WB);

}  // namespace eslabon::report
