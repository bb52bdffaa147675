#include "eslabon/integration/stick_log.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/coordinates/joint_motion.hpp"

namespace eslabon::integration {

namespace {

constexpr double kTurningRound = 10.0;  // times v_c/|v̇|
constexpr double kLongestDoubt = 0.01;  // [s]

}  // namespace

StickLog::StickLog(const model::Mechanism& mechanism) : mechanism_(mechanism) {
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    if (!joint.friction.is_dry()) continue;
    const int count = model::is_ball(joint.type) ? 1 : model::coordinate_count(joint.type);
    for (int c = 0; c < count; ++c) {
      const model::JointIndex index(static_cast<int>(j));
      joints_.push_back(
          {.coordinate = {index, c},
           .name = count == 1 ? "joint '" + joint.name + "'"
                              : model::name(mechanism, {model::VariableKind::kJointPosition, index, c})});
    }
  }
}

double StickLog::speed(const Rubbing& rubbing, const coordinates::MechanismMotion& bodies) const {
  const model::Joint& joint = mechanism_.joint(rubbing.coordinate.joint);
  if (model::is_ball(joint.type))
    return (bodies[joint.second().slot()].w_WB_W - bodies[joint.first().slot()].w_WB_W).norm();
  return coordinates::joint_coordinate(joint, rubbing.coordinate.component, bodies).velocity;
}

double StickLog::value(std::size_t k, const coordinates::MechanismMotion& bodies) const {
  const Rubbing& rubbing = joints_[k];
  return std::abs(speed(rubbing, bodies)) / mechanism_.joint(rubbing.coordinate.joint).friction.creep_speed -
         1.0;
}

void StickLog::pass(std::size_t k, bool slows, double t, const coordinates::MechanismMotion& bodies) {
  Rubbing& rubbing = joints_[k];
  if (!slows) {
    rubbing.may_hold = false;
    if (rubbing.holds) said_.push_back({t, rubbing.name + " begins to slide"});
    rubbing.holds = false;
    return;
  }
  const model::Joint& joint = mechanism_.joint(rubbing.coordinate.joint);
  const double slowing =
      model::is_ball(joint.type)
          ? (bodies[joint.second().slot()].alpha_WB_W - bodies[joint.first().slot()].alpha_WB_W).norm()
          : std::abs(coordinates::joint_coordinate(joint, rubbing.coordinate.component, bodies).acceleration);
  rubbing.may_hold = true;
  rubbing.since = t;
  rubbing.certain_at = t + std::min(kLongestDoubt, kTurningRound * joint.friction.creep_speed / slowing);
}

void StickLog::collect(double t, std::vector<Sentence>& out) {
  for (Rubbing& rubbing : joints_) {
    if (!rubbing.may_hold || t < rubbing.certain_at) continue;
    said_.push_back({rubbing.since, rubbing.name + " begins to hold"});
    rubbing.may_hold = false;
    rubbing.holds = true;
  }
  out.insert(out.end(), said_.begin(), said_.end());
  said_.clear();
}

}  // namespace eslabon::integration
