#include "eslabon/kinematics/moving_joints.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/layout.hpp"

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

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > most ? ", …" : "");
}

}  // namespace eslabon::kinematics
