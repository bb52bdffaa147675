#include "eslabon/structure/link_pose.hpp"

namespace eslabon::structure {

std::vector<core::Pose<double>> poses_in_links(const model::Mechanism& mechanism, const Topology& topology) {
  const std::size_t num_bodies = mechanism.bodies().size();
  std::vector<core::Pose<double>> X_LB(num_bodies);
  std::vector<bool> is_placed(num_bodies, false);
  std::vector<std::vector<const model::Joint*>> welds(num_bodies);
  for (const model::Joint& joint : mechanism.joints())
    if (joint.type == model::JointType::kFixed)
      for (const model::JointEnd& end : joint.ends) welds[end.body.slot()].push_back(&joint);

  std::vector<std::size_t> queue;
  for (const auto& bodies : topology.links) {
    queue.assign(1, bodies.front().slot());
    is_placed[queue.front()] = true;
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const model::Joint* joint : welds[queue[next]]) {
        const std::size_t from = joint->first().slot() == queue[next] ? 0 : 1;
        const model::JointEnd& near = joint->ends[from];
        const model::JointEnd& far = joint->ends[1 - from];
        if (is_placed[far.body.slot()]) continue;
        X_LB[far.body.slot()] = X_LB[near.body.slot()] * near.X_BF * far.X_BF.inverse();
        is_placed[far.body.slot()] = true;
        queue.push_back(far.body.slot());
      }
  }
  return X_LB;
}

}  // namespace eslabon::structure
