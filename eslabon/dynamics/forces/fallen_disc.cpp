#include "eslabon/dynamics/forces/fallen_disc.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

struct Tilt {
  double angle, rate;  ///< θ [rad], [rad/s]
};

/// sin θ = |n × a|, and with c = n·a:  θ̇ = −sign(c) ċ / sin θ.
Tilt tilt_of(const model::Joint& joint, const MechanismMotion& bodies) {
  const auto axis = [&](std::size_t e, int k) -> Vector3d {
    return bodies[joint.ends[e].body.slot()].X_WB.R_AB.matrix() * joint.ends[e].X_BF.R_AB.matrix().col(k);
  };
  const Vector3d n = axis(0, 0), a = axis(1, 1);
  const Vector3d w = bodies[joint.second().slot()].w_WB_W - bodies[joint.first().slot()].w_WB_W;
  const double sine = n.cross(a).norm(), c = n.dot(a), c_dot = n.dot(w.cross(a));
  return {std::atan2(sine, std::abs(c)), -std::copysign(c_dot, c * c_dot) / std::max(sine, 1e-300)};
}

}  // namespace

std::optional<model::JointIndex> find_fallen_disc(const model::Mechanism& mechanism,
                                                  const MechanismMotion& before, const MechanismMotion& after,
                                                  double h) {
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    if (!model::is_nonholonomic(joint.type)) continue;
    const Tilt first = tilt_of(joint, before), last = tilt_of(joint, after);
    if (first.rate < 0.0 && last.rate > 0.0 &&
        (first.angle + h * first.rate <= 0.0 || last.angle - h * last.rate <= 0.0))  // (1)
      return model::JointIndex(static_cast<int>(j));
  }
  return std::nullopt;
}

}  // namespace eslabon::dynamics
