#include "eslabon/coordinates/body_motion.hpp"

#include <Eigen/Geometry>

namespace eslabon::coordinates {

Eigen::Vector3d BodyMotion::point_velocity(const Eigen::Vector3d& p_BP_B) const {
  return v_WB_W + w_WB_W.cross(X_WB.apply_to_direction(p_BP_B));  // (1)
}

Eigen::Vector3d BodyMotion::point_acceleration(const Eigen::Vector3d& p_BP_B) const {
  const Eigen::Vector3d r = X_WB.apply_to_direction(p_BP_B);
  return a_WB_W + alpha_WB_W.cross(r) + w_WB_W.cross(w_WB_W.cross(r));  // (1)
}

}  // namespace eslabon::coordinates
