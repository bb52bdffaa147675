#include "eslabon/report/motion_columns.hpp"

#include <algorithm>

namespace eslabon::report {

std::vector<PoseColumns> pose_columns(const std::vector<std::vector<core::Pose<double>>>& X_WB) {
  std::vector<PoseColumns> bodies(X_WB.empty() ? 0 : X_WB.front().size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (std::vector<double>& column : bodies[b]) column.reserve(X_WB.size());
    core::EulerParameters<double> before = core::EulerParameters<double>::UnitX();
    for (const auto& instant : X_WB) {
      core::EulerParameters<double> e = instant[b].R_AB.to_euler_parameters();
      if (e.dot(before) < 0.0) e = -e;
      before = e;
      for (int k = 0; k < 3; ++k) bodies[b][static_cast<std::size_t>(k)].push_back(instant[b].p_AB_A(k));
      for (int k = 0; k < 4; ++k)
        bodies[b][static_cast<std::size_t>(3 + k)].push_back(std::clamp(e(k), -1.0, 1.0));
    }
  }
  return bodies;
}

}  // namespace eslabon::report
