#include "eslabon/kinematics/freedoms/rolling_refusal.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"

namespace eslabon::kinematics {

void refuse_rolling_discs(const model::Mechanism& mechanism, const std::string& task) {
  const auto joint = std::ranges::find_if(
      mechanism.joints(), [](const model::Joint& one) { return model::is_nonholonomic(one.type); });
  if (joint == mechanism.joints().end()) return;
  throw core::ModelError({.what = task + " not done where a disc rolls without slipping on a plane",
                          .where = "joint '" + joint->name + "'",
                          .expected = "joints that constrain positions",
                          .actual = "a " + std::string(model::facts(joint->type).name) +
                                    " joint, which constrains velocities too",
                          .next = "Take 'simulate', or put a 'point_on_plane' joint in its place."});
}

}  // namespace eslabon::kinematics
