#include "eslabon/recording/pages/force_arrows.hpp"

#include <algorithm>
#include <utility>

#include "eslabon/dynamics/forces/friction_law.hpp"

namespace eslabon::recording {

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

const model::JointEnd& second_end(const model::Mechanism& mechanism, const model::Variable& along) {
  return mechanism.joint(std::get<model::JointIndex>(along.element)).ends[1];
}

/// The body on which an effort along a coordinate of a joint or of a point is drawn.
model::BodyIndex moved_body(const model::Mechanism& mechanism, const model::Variable& along) {
  if (const auto* point = std::get_if<model::PointRef>(&along.element)) return point->body;
  return second_end(mechanism, along).body;
}

}  // namespace

std::int64_t ForceArrows::rows_per_solution(std::int64_t rows) {
  std::int64_t every = 1;
  while (rows > every * kMostSolutions) every *= 2;
  return every;
}

std::vector<ForceArrows::Actuator> ForceArrows::drivers_of(const model::Mechanism& mechanism) {
  std::vector<Actuator> actuators;
  for (const model::Driver& driver : mechanism.drivers()) actuators.push_back({driver.name, driver.target});
  return actuators;
}

ForceArrows::ForceArrows(const dynamics::DynamicModel& model, std::vector<Actuator> actuators)
    : model_(model),
      actuators_(std::move(actuators)),
      has_reactions_(rows_of_joints(model.mechanism()) <= kMostRows),
      was_joint_unique_(model.mechanism().joints().size(), true),
      was_effort_unique_(actuators_.size(), true),
      wrenches_(model.mechanism().bodies().size()) {
  const model::Mechanism& mechanism = model_.mechanism();
  const dynamics::AppliedForces& forces = model_.forces();
  add_weights();
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
    add_pull(mechanism.springs()[s].name, mechanism.springs()[s].connection,
             [&forces, s](const Instant& at) { return forces.spring_force(s, at.t, at.bodies, at.memory); });
  for (std::size_t d = 0; d < mechanism.dampers().size(); ++d)
    add_pull(mechanism.dampers()[d].name, mechanism.dampers()[d].connection,
             [&forces, d](const Instant& at) { return forces.damper_force(d, at.t, at.bodies, at.memory); });
  for (std::size_t l = 0; l < mechanism.loads().size(); ++l) add_load(l);
  for (std::size_t s = 0; s < mechanism.stops().size(); ++s) add_stop(s);
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (!mechanism.joints()[j].friction.is_none()) add_friction(model::JointIndex(static_cast<int>(j)));
  num_others_ = arrows_.size();
  if (has_reactions_) add_reactions();
  vectors_.reserve(arrows_.size());
}

void ForceArrows::add(const std::string& name, Kind kind, model::BodyIndex body,
                      const Eigen::Vector3d& p_BP_B, Vector vector) {
  arrows_.push_back({name, kind, body, p_BP_B, {}});
  tellers_.push_back(std::move(vector));
}

void ForceArrows::add_weights() {
  const model::Mechanism& mechanism = model_.mechanism();
  const Eigen::Vector3d g = mechanism.gravity_W();
  if (g.isZero(0.0)) return;
  const auto add_weight = [&](const std::string& name, model::BodyIndex body, const Eigen::Vector3d& p_BP_B,
                              const Eigen::Vector3d& weight) {
    add("weight of " + name, Kind::kForce, body, p_BP_B, [weight](const Instant&) { return weight; });
  };
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
    const model::MassProperties& of = mechanism.bodies()[b].mass_properties;
    if (!of.is_massless())
      add_weight(mechanism.bodies()[b].name, model::BodyIndex(static_cast<int>(b)), of.p_BC_B, of.mass * g);
  }
  for (const model::Joint& joint : mechanism.joints())  // rods: half of it at either end
    if (joint.rod_mass > 0.0)
      for (const model::JointEnd& end : joint.ends)
        add_weight(joint.name, end.body, end.X_BF.p_AB_A, 0.5 * joint.rod_mass * g);
}

void ForceArrows::add_pull(const std::string& name, const model::Connection& connection, const Effort& pull) {
  if (const auto* joint = std::get_if<model::JointCoordinate>(&connection)) {
    add_effort(name, model::variable_of(*joint), [pull](const Instant& at) { return -pull(at); });
    return;
  }
  if (const auto* both = std::get_if<model::CoordinatePair>(&connection)) {
    add_effort(name, model::variable_of(both->second), [pull](const Instant& at) { return -pull(at); });
    add_effort(name, model::variable_of(both->first), pull);
    return;
  }
  if (const auto* of_point = std::get_if<model::PointCoordinate>(&connection)) {
    add_effort(name, {model::VariableKind::kPointPosition, of_point->point, of_point->axis},
               [pull](const Instant& at) { return -pull(at); });
    return;
  }
  const auto& pair = std::get<model::PointPair>(connection);
  const auto add_end = [&](const model::PointRef& here, const model::PointRef& there) {
    const Eigen::Vector3d p_here = model_.mechanism().point(here).p_BP_B,
                          p_there = model_.mechanism().point(there).p_BP_B;
    add(name, Kind::kForce, here.body, p_here, [=](const Instant& at) -> Eigen::Vector3d {
      const Eigen::Vector3d apart = at.bodies[there.body.slot()].point_position(p_there) -
                                    at.bodies[here.body.slot()].point_position(p_here);
      const double length = apart.norm();
      if (!(length > 0.0)) return Eigen::Vector3d::Zero();
      return pull(at) / length * apart;
    });
  };
  add_end(pair.first, pair.second);
  add_end(pair.second, pair.first);
}

void ForceArrows::add_load(std::size_t index) {
  const model::Mechanism& mechanism = model_.mechanism();
  const model::Load& load = mechanism.loads()[index];
  const Vector value = [&forces = model_.forces(), index](const Instant& at) -> Eigen::Vector3d {
    return forces.load_value(index, at.t, at.bodies, at.memory);
  };
  if (const auto* force = std::get_if<model::PointForce>(&load.action))
    add(load.name, Kind::kForce, force->point.body, mechanism.point(force->point).p_BP_B, value);
  else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action))
    add(load.name, Kind::kTorque, torque->body, mechanism.body(torque->body).mass_properties.p_BC_B, value);
  else if (const auto* effort = std::get_if<model::JointEffort>(&load.action))
    add_effort(load.name, model::variable_of(effort->coordinate),
               [value](const Instant& at) { return value(at).x(); });
}

void ForceArrows::add_stop(std::size_t s) {
  const model::Stop& stop = model_.mechanism().stops()[s];
  const dynamics::AppliedForces& forces = model_.forces();
  const Effort push = [&forces, s](const Instant& at) {
    return forces.stop_force(s, at.t, at.bodies, at.memory);
  };
  if (!stop.coupling) {
    add_effort(stop.name, stop.target, push);
    return;
  }
  for (std::size_t k = 0; k < stop.coupling->terms.size(); ++k)
    add_effort(stop.name, model::variable_of(stop.coupling->terms[k].coordinate),
               [&forces, s, k, push](const Instant& at) {
                 return push(at) * forces.stop_share<double>(s, k, at.bodies, at.memory);
               });
}

void ForceArrows::add_effort(const std::string& name, const model::Variable& along, const Effort& effort) {
  const model::Mechanism& mechanism = model_.mechanism();
  if (const auto* body = std::get_if<model::BodyIndex>(&along.element)) {  // its angle in the plane
    add(name, Kind::kTorque, *body, mechanism.body(*body).mass_properties.p_BC_B,
        [effort](const Instant& at) -> Eigen::Vector3d { return effort(at) * Eigen::Vector3d::UnitZ(); });
    return;
  }
  const Eigen::Vector3d p_BP_B = std::holds_alternative<model::JointIndex>(along.element)
                                     ? second_end(mechanism, along).X_BF.p_AB_A
                                     : mechanism.point(std::get<model::PointRef>(along.element)).p_BP_B;
  if (is_force(along))
    add(name, Kind::kForce, moved_body(mechanism, along), p_BP_B,
        [=, this](const Instant& at) -> Eigen::Vector3d {
          return effort(at) * unit_force(along, at.bodies);
        });
  else
    add(name, Kind::kTorque, moved_body(mechanism, along), p_BP_B,
        [=, this](const Instant& at) -> Eigen::Vector3d {
          return effort(at) * unit_torque(along, at.bodies);
        });
}

void ForceArrows::add_friction(model::JointIndex index) {
  const model::Joint& joint = model_.mechanism().joint(index);
  const std::string name = "friction in " + joint.name;
  const Eigen::Vector3d& p_BP_B = joint.ends[1].X_BF.p_AB_A;
  if (model::is_ball(joint.type)) {  // against the direction in which it turns
    add(name, Kind::kTorque, joint.second(), p_BP_B, [&joint](const Instant& at) -> Eigen::Vector3d {
      const Eigen::Vector3d w =
          at.bodies[joint.second().slot()].w_WB_W - at.bodies[joint.first().slot()].w_WB_W;
      const double speed = w.norm();
      if (!(speed > 0.0)) return Eigen::Vector3d::Zero();
      return -dynamics::friction_effort(joint.friction, 0.0, speed) / speed * w;
    });
    return;
  }
  std::vector<int> forces, torques;
  for (int c = 0; c < model::coordinate_count(joint.type); ++c)
    (is_force(model::variable_of({index, c})) ? forces : torques).push_back(c);
  const auto add_sum = [&](Kind kind, const std::vector<int>& components) {
    if (components.empty()) return;
    add(name, kind, joint.second(), p_BP_B, [=, this](const Instant& at) {
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (const int c : components) {
        const model::Variable along = model::variable_of({index, c});
        sum += model_.forces().friction_effort(model::JointCoordinate{index, c}, at.bodies, at.memory) *
               (kind == Kind::kForce ? unit_force(along, at.bodies) : unit_torque(along, at.bodies));
      }
      return sum;
    });
  };
  add_sum(Kind::kForce, forces);
  add_sum(Kind::kTorque, torques);
}

void ForceArrows::add_reactions() {
  for (std::size_t j = 0; j < model_.mechanism().joints().size(); ++j) {
    const model::Joint& joint = model_.mechanism().joints()[j];
    const Eigen::Vector3d& p_BP_B = joint.ends[1].X_BF.p_AB_A;
    add(joint.name, Kind::kReaction, joint.second(), p_BP_B,
        [j](const Instant& at) { return at.solution->joints[j].force; });
    add(joint.name, Kind::kTorque, joint.second(), p_BP_B,
        [j](const Instant& at) { return at.solution->joints[j].moment; });
  }
  for (std::size_t k = 0; k < actuators_.size(); ++k)
    add_effort(actuators_[k].name, actuators_[k].along,
               [k](const Instant& at) { return at.solution->efforts[k]; });
}

const dynamics::Wrench& ForceArrows::unit_wrench(const model::Variable& along,
                                                 const coordinates::MechanismMotion& bodies) {
  std::ranges::fill(wrenches_, dynamics::Wrench());
  model_.forces().add_effort(along, 1.0, bodies, wrenches_);
  return wrenches_[moved_body(model_.mechanism(), along).slot()];
}

Eigen::Vector3d ForceArrows::unit_force(const model::Variable& along,
                                        const coordinates::MechanismMotion& bodies) {
  return unit_wrench(along, bodies).force;
}

Eigen::Vector3d ForceArrows::unit_torque(const model::Variable& along,
                                         const coordinates::MechanismMotion& bodies) {
  return unit_wrench(along, bodies).torque;
}

bool ForceArrows::is_force(const model::Variable& along) {
  return unit_force(along, model_.start()).norm() > 0.5;  // 1 or 0
}

std::span<const Eigen::Vector3d> ForceArrows::evaluate(double t, const coordinates::MechanismMotion& bodies,
                                                       const dynamics::ForceMemory& memory,
                                                       const Solution* solution) {
  const Instant at{t, bodies, memory, solution};
  const std::size_t told = solution != nullptr ? tellers_.size() : num_others_;
  vectors_.clear();
  for (std::size_t k = 0; k < told; ++k) vectors_.push_back(tellers_[k](at));
  if (solution == nullptr || !has_reactions_) return vectors_;
  for (std::size_t j = 0; j < was_joint_unique_.size(); ++j)
    if (!solution->joints[j].is_unique) was_joint_unique_[j] = false;
  for (std::size_t k = 0; k < was_effort_unique_.size(); ++k)
    if (!solution->are_efforts_unique[k]) was_effort_unique_[k] = false;
  return vectors_;
}

std::span<const report::Contact::Instant> ForceArrows::evaluate_contacts(
    const coordinates::MechanismMotion& bodies, const dynamics::ForceMemory& memory) {
  contacts_.clear();
  for (std::size_t k = 0; k < model_.mechanism().tyres().size(); ++k) {
    const tyres::TyreActionOf<double> action = model_.forces().tyre_action<double>(k, bodies, memory);
    const tyres::WheelContactOf<double>& at = action.contact;
    const Eigen::Vector3d along = action.forces.F_x * at.ahead + action.forces.F_y * at.left;
    if (at.point.allFinite() && along.allFinite()) {
      contacts_.push_back({at.point, action.load * at.normal, along});
      continue;
    }
    const model::PointRef& center = model_.mechanism().tyres()[k].center;
    contacts_.push_back({bodies[center.body.slot()].point_position(model_.mechanism().point(center).p_BP_B),
                         Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()});
  }
  return contacts_;
}

std::vector<std::string> ForceArrows::not_unique() const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < was_joint_unique_.size(); ++j)
    if (!was_joint_unique_[j]) names.push_back(model_.mechanism().joints()[j].name);
  for (std::size_t k = 0; k < was_effort_unique_.size(); ++k)
    if (!was_effort_unique_[k]) names.push_back(actuators_[k].name);
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

}  // namespace eslabon::recording
