#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/report/data/packed_numbers.hpp"
#include "eslabon/report/data/thinning.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::report {

/// (rows) Poses of the bodies, without the ground. Looks at what it was made from.
using PoseRows = std::vector<std::span<const core::Pose<double>>>;
PoseRows pose_rows(const Motion& motion);
/// Particles of the first instant, then of the second, …
PoseRows pose_rows(const Cloud& cloud);

/// x, y, z [m], w, x, y, z of the quaternion of one body, each (rows). Quaternions change their sign only where the body jumps: of e and
/// −e, the same turn, the nearer to the one before is taken.
using PoseColumns = std::array<std::vector<double>, 7>;
PoseColumns pose_columns(const PoseRows& rows, std::size_t body);

/// Bodies of each row.
std::size_t body_count(const PoseRows& rows);

/// How exactly positions are kept [m]: a gap between bodies that nobody sees, 1e-4 of the typical length of the mechanism; infinity where
/// there is none to compare with.
double position_tolerance(const Report& report);

/// The form of column 0 … 6 of a body.
NumberForm form_of_pose(Column column, std::size_t position, double tolerance, const std::string& what);

}  // namespace eslabon::report
