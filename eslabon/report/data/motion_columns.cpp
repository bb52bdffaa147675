#include "eslabon/report/data/motion_columns.hpp"

#include <algorithm>
#include <limits>

#include "eslabon/report/data/mechanism_json.hpp"

namespace eslabon::report {

PoseRows pose_rows(const Motion& motion) { return {motion.X_WB.begin(), motion.X_WB.end()}; }

PoseRows pose_rows(const Cloud& cloud) {
  PoseRows rows;
  for (const Cloud::Instant& instant : cloud.instants)
    rows.insert(rows.end(), instant.X_WB.begin(), instant.X_WB.end());
  return rows;
}

PoseColumns pose_columns(const PoseRows& rows, std::size_t body) {
  PoseColumns columns;
  for (std::vector<double>& column : columns) column.reserve(rows.size());
  core::EulerParameters<double> before = core::EulerParameters<double>::UnitX();
  for (const auto& row : rows) {
    core::EulerParameters<double> e = row[body].R_AB.to_euler_parameters();
    if (e.dot(before) < 0.0) e = -e;
    before = e;
    for (int k = 0; k < 3; ++k) columns[static_cast<std::size_t>(k)].push_back(row[body].p_AB_A(k));
    // NaN stays NaN, to be refused.
    for (int k = 0; k < 4; ++k)
      columns[static_cast<std::size_t>(3 + k)].push_back(std::clamp(e(k), -1.0, 1.0));
  }
  return columns;
}

std::size_t body_count(const PoseRows& rows) { return rows.empty() ? 0 : rows.front().size(); }

double position_tolerance(const Report& report) {
  constexpr double kUnseen = 1e-4;
  return report.mechanism ? kUnseen * typical_length(*report.mechanism)
                          : std::numeric_limits<double>::infinity();
}

NumberForm form_of_pose(Column column, std::size_t position, double tolerance, const std::string& what) {
  return position < 3 ? form_of_lengths(column, tolerance, what) : form_of_units(column, what);
}

}  // namespace eslabon::report
