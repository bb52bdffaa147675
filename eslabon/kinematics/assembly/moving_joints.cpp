#include "eslabon/kinematics/assembly/moving_joints.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "eslabon/coordinates/joint_motion.hpp"

namespace eslabon::kinematics {

std::vector<std::string> moving_joints(const model::Mechanism& mechanism,
                                       const coordinates::MechanismMotion& motion) {
  const double length = coordinates::length_scale(mechanism);
  std::vector<std::pair<double, std::string>> rates;
  for (const model::Joint& joint : mechanism.joints()) {
    const coordinates::RelativeMotion relative = coordinates::relative_motion(joint, motion);
    rates.emplace_back(relative.w.norm() + relative.v.norm() / length, joint.name);
  }
  std::ranges::stable_sort(rates, std::ranges::greater{}, &std::pair<double, std::string>::first);
  std::vector<std::string> names;
  for (const auto& [rate, name] : rates)
    if (rate > 1e-6 * rates.front().first) names.push_back(name);
  return names;
}

std::vector<std::string> moving_joints(const coordinates::ConstraintSystem& system, std::span<const double> q,
                                       std::span<const double> dq) {
  coordinates::MechanismMotion motion(system.mechanism().bodies().size());
  coordinates::BodiesWorkspace workspace;
  const std::vector<double> zero(q.size(), 0.0);
  system.evaluate_bodies(q, dq, zero, workspace, motion);
  return moving_joints(system.mechanism(), motion);
}

}  // namespace eslabon::kinematics
