#include "eslabon/model/length_scale.hpp"

#include <algorithm>
#include <optional>

namespace eslabon::model {

double length_scale(const Mechanism& mechanism) {
  // The spread of what a body carries, from its first joint on; where its own origin lies does not matter.
  std::vector<std::optional<Eigen::Vector3d>> first(mechanism.bodies().size());
  double of_bodies = 0.0, of_ground = 0.0;
  const auto see = [&](BodyIndex body, const Eigen::Vector3d& p_BP_B) {
    if (!first[body.slot()]) first[body.slot()] = p_BP_B;
    double& scale = body == kGround ? of_ground : of_bodies;
    scale = std::max(scale, (p_BP_B - *first[body.slot()]).norm());
  };
  for (const Joint& joint : mechanism.joints()) {
    for (const JointEnd& end : joint.ends) see(end.body, end.X_BF.p_AB_A);
    if (is_nonholonomic(joint.type)) of_bodies = std::max(of_bodies, joint.length);  // of a disc its rim
  }
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    for (const NamedPoint& point : mechanism.bodies()[b].points)
      see(BodyIndex(static_cast<int>(b)), point.p_BP_B);
  for (const Joint& joint : mechanism.joints())
    for (const JointEnd& end : joint.ends)
      if (end.curve)
        for (const NamedCurve& curve : mechanism.body(end.body).curves)
          if (curve.name == end.marker)
            for (const Eigen::Vector3d& point : curve.points) see(end.body, point);
  return of_bodies > 0.0 ? of_bodies : of_ground > 0.0 ? of_ground : 1.0;
}

}  // namespace eslabon::model
