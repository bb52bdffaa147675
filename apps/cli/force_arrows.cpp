#include "force_arrows.hpp"

#include <algorithm>

namespace eslabon::cli {

namespace {

using Kind = report::Arrow::Kind;

/// Of the largest: what is below it is roundoff.
constexpr double kNothing = 1e-9;

int rows_of_joints(const model::Mechanism& mechanism) {
  int rows = 0;
  for (const model::Joint& joint : mechanism.joints())
    rows += model::constraint_rows(joint.type, mechanism.is_planar());
  return rows;
}

/// A force or torque of the user, world axes.
Eigen::Vector3d load_vector(const std::array<model::TimeFunction, 3>& components, bool is_in_body_axes,
                            double t, const coordinates::BodyMotion& body) {
  const Eigen::Vector3d vector(components[0].evaluate(t), components[1].evaluate(t),
                               components[2].evaluate(t));
  return is_in_body_axes ? body.direction(vector) : vector;
}

}  // namespace

ForceArrows::ForceArrows(const dynamics::DynamicModel& model)
    : model_(model),
      has_reactions_(rows_of_joints(model.mechanism()) <= kMostRows),
      was_unique_(model.mechanism().joints().size(), true) {
  const model::Mechanism& mechanism = model.mechanism();
  const auto add_pair = [&](const auto& element) {
    const auto* pair = std::get_if<model::PointPair>(&element.connection);
    if (pair == nullptr) return;
    for (const model::PointRef& point : {pair->first, pair->second})
      add(element.name, Kind::kForce, point.body, mechanism.point(point).p_BP_B);
  };
  for (const model::Spring& spring : mechanism.springs()) add_pair(spring);
  for (const model::Damper& damper : mechanism.dampers()) add_pair(damper);
  for (const model::Load& load : mechanism.loads()) {
    if (const auto* force = std::get_if<model::PointForce>(&load.action))
      add(load.name, Kind::kForce, force->point.body, mechanism.point(force->point).p_BP_B);
    else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action))
      add(load.name, Kind::kTorque, torque->body, mechanism.body(torque->body).mass_properties.p_BC_B);
  }
  const std::size_t others = arrows_.size();
  if (has_reactions_)
    for (const model::Joint& joint : mechanism.joints())
      for (const Kind kind : {Kind::kReaction, Kind::kTorque})
        add(joint.name, kind, joint.second(), joint.ends[1].X_BF.p_AB_A);
  num_of_reactions_ = arrows_.size() - others;
  vectors_.reserve(arrows_.size());
}

std::int64_t ForceArrows::rows_per_solution(std::int64_t rows) {
  std::int64_t every = 1;
  while (rows > every * kMostSolutions) every *= 2;
  return every;
}

void ForceArrows::add(const std::string& name, Kind kind, model::BodyIndex body,
                      const Eigen::Vector3d& p_BP_B) {
  arrows_.push_back({name, kind, body, p_BP_B, {}});
}

void ForceArrows::add_pull(const model::Connection& connection, double force,
                           const coordinates::MechanismMotion& bodies) {
  const auto* pair = std::get_if<model::PointPair>(&connection);
  if (pair == nullptr) return;
  const auto place = [&](const model::PointRef& point) {
    return bodies[point.body.slot()].point_position(model_.mechanism().point(point).p_BP_B);
  };
  const Eigen::Vector3d apart = place(pair->second) - place(pair->first);
  const double length = apart.norm();
  const Eigen::Vector3d pull =
      length > 0.0 ? Eigen::Vector3d(force / length * apart) : Eigen::Vector3d::Zero();
  vectors_.push_back(pull);
  vectors_.push_back(-pull);
}

std::span<const Eigen::Vector3d> ForceArrows::evaluate(double t, const coordinates::MechanismMotion& bodies,
                                                       const dynamics::ForceMemory& memory,
                                                       const std::vector<dynamics::JointReaction>* joints) {
  const model::Mechanism& mechanism = model_.mechanism();
  vectors_.clear();
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
    add_pull(mechanism.springs()[s].connection, model_.forces().spring_force(s, bodies, memory), bodies);
  for (std::size_t d = 0; d < mechanism.dampers().size(); ++d)
    add_pull(mechanism.dampers()[d].connection, model_.forces().damper_force(d, bodies), bodies);
  for (const model::Load& load : mechanism.loads()) {
    if (const auto* force = std::get_if<model::PointForce>(&load.action))
      vectors_.push_back(
          load_vector(force->components, force->in_body_axes, t, bodies[force->point.body.slot()]));
    else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action))
      vectors_.push_back(
          load_vector(torque->components, torque->in_body_axes, t, bodies[torque->body.slot()]));
  }
  if (!has_reactions_ || joints == nullptr) return vectors_;
  for (std::size_t j = 0; j < joints->size(); ++j) {
    const dynamics::JointReaction& joint = (*joints)[j];
    vectors_.push_back(joint.force);
    vectors_.push_back(joint.moment);
    if (!joint.is_unique) was_unique_[j] = false;
  }
  return vectors_;
}

std::vector<std::string> ForceArrows::not_unique() const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < was_unique_.size(); ++j)
    if (!was_unique_[j]) names.push_back(model_.mechanism().joints()[j].name);
  return names;
}

void remove_idle_arrows(std::vector<report::Arrow>& arrows) {
  const auto largest_of = [](const report::Arrow& arrow) {
    double largest = 0.0;
    for (const Eigen::Vector3d& vector : arrow.vector_W) largest = std::max(largest, vector.norm());
    return largest;
  };
  double force = 0.0, torque = 0.0;
  for (const report::Arrow& arrow : arrows) {
    double& largest = arrow.kind == Kind::kTorque ? torque : force;
    largest = std::max(largest, largest_of(arrow));
  }
  std::erase_if(arrows, [&](const report::Arrow& arrow) {
    return largest_of(arrow) <= kNothing * (arrow.kind == Kind::kTorque ? torque : force);
  });
}

}  // namespace eslabon::cli
