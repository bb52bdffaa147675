#include "eslabon/dynamics/applied_forces.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"
#include "eslabon/dynamics/friction_law.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Vector3d;
using model::JointType;

/// The value of a table: linear between its rows, and beyond them by the slope of the last two.
double look_up(const model::ForceTable& table, double x) {
  if (table.size() == 1) return table.front().second;
  std::size_t k = 1;
  while (k + 1 < table.size() && x > table[k].first) ++k;
  const auto& [x0, f0] = table[k - 1];
  const auto& [x1, f1] = table[k];
  return f0 + (f1 - f0) / (x1 - x0) * (x - x0);
}

/// The axis of a scalar coordinate of a joint, and whether it is a rotation.
struct CoordinateAxis {
  int end;   ///< 0: an axis of the first body's frame, 1: of the second's
  int axis;  ///< x, y or z
  bool is_turn;
};

CoordinateAxis coordinate_axis(JointType type, int component) {
  switch (type) {
    case JointType::kRevolute:
      return {0, 2, true};
    case JointType::kPrismatic:
      return {0, 0, false};
    case JointType::kCylindrical:
      return {0, 2, component == 0};
    case JointType::kUniversal:
      return component == 0 ? CoordinateAxis{0, 0, true} : CoordinateAxis{1, 1, true};
    default:  // planar
      return component == 2 ? CoordinateAxis{0, 2, true} : CoordinateAxis{0, component, false};
  }
}

bool is_rotation(const model::Mechanism& mechanism, const model::JointCoordinate& coordinate) {
  return coordinate_axis(mechanism.joint(coordinate.joint).type, coordinate.component).is_turn;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

Vector3d point_of(const model::Mechanism& mechanism, const model::PointRef& point) {
  return mechanism.point(point).p_BP_B;
}

[[noreturn]] void fail(const std::string& element, double t, const std::string& expected,
                       const std::string& actual, const std::string& next) {
  throw core::ModelError({.what = "a force cannot be computed",
                          .where = element + ", t = " + core::number_text(t) + " s",
                          .expected = expected,
                          .actual = actual,
                          .next = next});
}

}  // namespace

AppliedForces::AppliedForces(const model::Mechanism& mechanism)
    : mechanism_(mechanism),
      rigid_sides_(stop_sides(mechanism, true)),
      soft_sides_(stop_sides(mechanism, false)) {
  const auto follow = [&](const model::JointCoordinate* coordinate) {
    if (coordinate == nullptr || !is_rotation(mechanism, *coordinate)) return kNone;
    angles_.push_back(*coordinate);
    return angles_.size() - 1;
  };
  for (const model::Spring& spring : mechanism.springs())
    angle_of_spring_.push_back(follow(std::get_if<model::JointCoordinate>(&spring.connection)));
  for (const model::Stop& stop : mechanism.stops()) {
    const auto* joint = std::get_if<model::JointIndex>(&stop.target.element);
    const model::JointCoordinate coordinate{joint ? *joint : model::JointIndex(0), stop.target.component};
    angle_of_stop_.push_back(follow(joint ? &coordinate : nullptr));
  }
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    if (joint.rod_mass != 0.0) rods_.push_back(j);
    if (!joint.friction.is_none()) rubbing_.push_back(j);
    if (joint.friction.depends_on_load()) loaded_.emplace_back(static_cast<int>(j));
  }
}

ForceMemory AppliedForces::empty_memory() const {
  return {.angles = std::vector<double>(angles_.size(), 0.0),
          .loads = std::vector<double>(loaded_.size(), 0.0),
          .rests = std::vector<bool>(rigid_sides_.size(), false),
          .holds = std::vector<double>(rigid_sides_.size(), 0.0)};
}

void AppliedForces::follow_angles(const MechanismMotion& bodies, std::span<double> angles) const {
  for (std::size_t k = 0; k < angles_.size(); ++k)
    angles[k] = coordinates::unwrapped(kinematics::connection_value(mechanism_, angles_[k], bodies).length,
                                       angles[k]);
}

void AppliedForces::evaluate(double t, const MechanismMotion& bodies, const ForceMemory& memory,
                             std::span<Wrench> wrenches) const {
  evaluate_without_weights(t, bodies, memory, wrenches);
  add_weights(bodies, wrenches);
  add_rod_weights(bodies, wrenches);
}

bool AppliedForces::has_weights_only() const {
  return mechanism_.springs().empty() && mechanism_.dampers().empty() && mechanism_.loads().empty() &&
         mechanism_.stops().empty() && rubbing_.empty() && user_.empty();
}

void AppliedForces::evaluate_without_weights(double t, const MechanismMotion& bodies,
                                             const ForceMemory& memory, std::span<Wrench> wrenches) const {
  for (Wrench& wrench : wrenches) wrench = {};
  add_springs(t, bodies, memory, wrenches);
  add_dampers(t, bodies, wrenches);
  for (const model::Load& load : mechanism_.loads()) add_load(load, t, bodies, wrenches);
  add_stops(t, bodies, memory, wrenches);
  add_friction(bodies, memory, wrenches);
  for (const UserForce& force : user_) force(t, bodies, wrenches);
  for (std::size_t b = 1; b < wrenches.size(); ++b)
    if (!wrenches[b].force.allFinite() || !wrenches[b].torque.allFinite())
      fail(culprit(t, bodies, memory, b), t, "a finite force", "one that is not a number",
           "Look at what it is computed from at this time.");
}

std::string AppliedForces::culprit(double t, const MechanismMotion& bodies, const ForceMemory& memory,
                                   std::size_t body) const {
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s)
    if (!std::isfinite(spring_force(s, bodies, memory)))
      return "spring '" + mechanism_.springs()[s].name + "'";
  for (std::size_t d = 0; d < mechanism_.dampers().size(); ++d)
    if (!std::isfinite(damper_force(d, bodies))) return "damper '" + mechanism_.dampers()[d].name + "'";
  for (const model::Load& load : mechanism_.loads()) {
    std::vector<Wrench> alone(bodies.size());
    add_load(load, t, bodies, alone);
    for (const Wrench& wrench : alone)
      if (!wrench.force.allFinite() || !wrench.torque.allFinite()) return "force '" + load.name + "'";
  }
  return "a user's force on body '" + mechanism_.bodies()[body].name + "'";
}

void AppliedForces::add_weights(const MechanismMotion& bodies, std::span<Wrench> wrenches) const {
  const Vector3d& g = mechanism_.gravity_W();
  if (g.isZero(0.0)) return;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const model::MassProperties& body = mechanism_.bodies()[b].mass_properties;
    if (!body.is_massless()) wrenches[b].add_force(body.mass * g, bodies[b].X_WB.R_AB * body.p_BC_B);
  }
}

void AppliedForces::add_rod_weights(const MechanismMotion& bodies, std::span<Wrench> wrenches) const {
  const Vector3d& g = mechanism_.gravity_W();
  for (const std::size_t j : rods_)
    for (const model::JointEnd& end : mechanism_.joints()[j].ends)
      wrenches[end.body.slot()].add_force(0.5 * mechanism_.joints()[j].rod_mass * g,
                                          bodies[end.body.slot()].X_WB.R_AB * end.X_BF.p_AB_A);
}

void AppliedForces::add_joint_effort(const model::JointCoordinate& coordinate, double effort,
                                     const MechanismMotion& bodies, std::span<Wrench> wrenches) const {
  const model::Joint& joint = mechanism_.joint(coordinate.joint);
  const CoordinateAxis axis = coordinate_axis(joint.type, coordinate.component);
  const model::JointEnd& end = joint.ends[static_cast<std::size_t>(axis.end)];
  const Vector3d e = bodies[end.body.slot()].X_WB.R_AB * Vector3d(end.X_BF.R_AB.matrix().col(axis.axis));
  const std::size_t first = joint.first().slot(), second = joint.second().slot();
  if (axis.is_turn) {
    wrenches[second].torque += effort * e;
    wrenches[first].torque -= effort * e;
    return;
  }
  const Vector3d P = bodies[second].point_position(joint.ends[1].X_BF.p_AB_A);
  wrenches[second].add_force(effort * e, P - bodies[second].X_WB.p_AB_A);
  wrenches[first].add_force(-effort * e, P - bodies[first].X_WB.p_AB_A);
}

void AppliedForces::add_connection_force(const model::Connection& connection, double f, const char* kind,
                                         const std::string& name, double t, const MechanismMotion& bodies,
                                         std::span<Wrench> wrenches) const {
  if (const auto* joint = std::get_if<model::JointCoordinate>(&connection)) {
    add_joint_effort(*joint, -f, bodies, wrenches);
    return;
  }
  if (f == 0.0) return;
  const auto& pair = std::get<model::PointPair>(connection);
  const BodyMotion &first = bodies[pair.first.body.slot()], &second = bodies[pair.second.body.slot()];
  const Vector3d p1 = first.point_position(point_of(mechanism_, pair.first)),
                 p2 = second.point_position(point_of(mechanism_, pair.second));
  const double length = (p2 - p1).norm();
  if (!(length > 0.0))
    fail(kind + (" '" + name + "'"), t, "two points apart from each other",
         "points that coincide, so that the force has no direction",
         "Start somewhere else, or choose other points.");
  const Vector3d pull = f / length * (p2 - p1);
  wrenches[pair.first.body.slot()].add_force(pull, p1 - first.X_WB.p_AB_A);
  wrenches[pair.second.body.slot()].add_force(-pull, p2 - second.X_WB.p_AB_A);
}

double AppliedForces::spring_force(std::size_t s, const MechanismMotion& bodies,
                                   const ForceMemory& memory) const {
  const model::Spring& spring = mechanism_.springs()[s];
  auto [length, rate] = kinematics::connection_value(mechanism_, spring.connection, bodies);
  if (angle_of_spring_[s] != kNone)
    length = coordinates::unwrapped(length, memory.angles[angle_of_spring_[s]]);
  const double d = length - spring.free_length;
  return spring.preload + (spring.table.empty() ? spring.stiffness * d : look_up(spring.table, d)) +
         spring.damping * rate;
}

double AppliedForces::damper_force(std::size_t d, const MechanismMotion& bodies) const {
  const model::Damper& damper = mechanism_.dampers()[d];
  const double rate = kinematics::connection_value(mechanism_, damper.connection, bodies).rate;
  return damper.table.empty() ? damper.damping * rate : look_up(damper.table, rate);
}

void AppliedForces::add_springs(double t, const MechanismMotion& bodies, const ForceMemory& memory,
                                std::span<Wrench> wrenches) const {
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s)
    add_connection_force(mechanism_.springs()[s].connection, spring_force(s, bodies, memory), "spring",
                         mechanism_.springs()[s].name, t, bodies, wrenches);
}

void AppliedForces::add_dampers(double t, const MechanismMotion& bodies, std::span<Wrench> wrenches) const {
  for (std::size_t d = 0; d < mechanism_.dampers().size(); ++d)
    add_connection_force(mechanism_.dampers()[d].connection, damper_force(d, bodies), "damper",
                         mechanism_.dampers()[d].name, t, bodies, wrenches);
}

void AppliedForces::add_load(const model::Load& load, double t, const MechanismMotion& bodies,
                             std::span<Wrench> wrenches) const {
  const auto vector_at = [&](const std::array<model::TimeFunction, 3>& components) {
    return Vector3d(components[0].evaluate(t), components[1].evaluate(t), components[2].evaluate(t));
  };
  if (const auto* force = std::get_if<model::PointForce>(&load.action)) {
    const BodyMotion& body = bodies[force->point.body.slot()];
    Vector3d f = vector_at(force->components);
    if (force->in_body_axes) f = body.X_WB.R_AB * f;
    wrenches[force->point.body.slot()].add_force(f, body.X_WB.R_AB * point_of(mechanism_, force->point));
  } else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action)) {
    const Vector3d m = vector_at(torque->components);
    wrenches[torque->body.slot()].torque +=
        torque->in_body_axes ? Vector3d(bodies[torque->body.slot()].X_WB.R_AB * m) : m;
  } else {
    const auto& effort = std::get<model::JointEffort>(load.action);
    add_joint_effort(effort.coordinate, effort.effort.evaluate(t), bodies, wrenches);
  }
}

Gap AppliedForces::gap(const StopSide& side, double t, const MechanismMotion& bodies,
                       const ForceMemory& memory) const {
  const model::Stop& stop = mechanism_.stops()[side.stop];
  coordinates::CoordinateValue value = stopped_value(mechanism_, stop, bodies);
  if (const std::size_t k = angle_of_stop_[side.stop]; k != kNone)
    value.position = coordinates::unwrapped(value.position, memory.angles[k]);
  const Gap found = gap_at(stop, side.is_upper, value, t, memory.limits_stand);
  if (!std::isfinite(found.gap) || !std::isfinite(found.rate))
    fail(side_name(mechanism_, side), t, "a limit that has a value and a rate", "one that is not a number",
         "Look at its function at this time.");
  return found;
}

double AppliedForces::stop_force(std::size_t stop, double t, const MechanismMotion& bodies,
                                 const ForceMemory& memory) const {
  double force = 0.0;
  for (const StopSide& side : soft_sides_)
    if (side.stop == stop)
      force +=
          (side.is_upper ? -1.0 : 1.0) * soft_push(mechanism_.stops()[stop], gap(side, t, bodies, memory));
  for (std::size_t k = 0; k < rigid_sides_.size(); ++k)
    if (rigid_sides_[k].stop == stop) force += (rigid_sides_[k].is_upper ? -1.0 : 1.0) * memory.holds[k];
  return force;
}

void AppliedForces::add_stops(double t, const MechanismMotion& bodies, const ForceMemory& memory,
                              std::span<Wrench> wrenches) const {
  for (std::size_t s = 0; s < mechanism_.stops().size(); ++s) {
    const double force = stop_force(s, t, bodies, memory);
    if (force == 0.0) continue;
    const model::Variable& target = mechanism_.stops()[s].target;
    if (const auto* joint = std::get_if<model::JointIndex>(&target.element)) {
      add_joint_effort({*joint, target.component}, force, bodies, wrenches);
      continue;
    }
    const auto& point = std::get<model::PointRef>(target.element);
    wrenches[point.body.slot()].add_force(force * Vector3d::Unit(target.component),
                                          bodies[point.body.slot()].X_WB.R_AB * point_of(mechanism_, point));
  }
}

double AppliedForces::load(model::JointIndex joint, const ForceMemory& memory) const {
  const auto at = std::ranges::lower_bound(loaded_, joint.value(), {}, &model::JointIndex::value);
  return at != loaded_.end() && *at == joint ? memory.loads[static_cast<std::size_t>(at - loaded_.begin())]
                                             : 0.0;
}

double AppliedForces::friction_effort(const model::JointCoordinate& coordinate, const MechanismMotion& bodies,
                                      const ForceMemory& memory) const {
  const model::Joint& joint = mechanism_.joint(coordinate.joint);
  if (joint.friction.is_none()) return 0.0;
  const double v = coordinates::joint_coordinate(joint.type, coordinate.component,
                                                 coordinates::relative_motion(joint, bodies))
                       .velocity;
  return -dynamics::friction_effort(joint.friction, load(coordinate.joint, memory), v);
}

void AppliedForces::add_friction(const MechanismMotion& bodies, const ForceMemory& memory,
                                 std::span<Wrench> wrenches) const {
  for (const std::size_t j : rubbing_) {
    const model::Joint& joint = mechanism_.joints()[j];
    const model::JointIndex index(static_cast<int>(j));
    if (joint.type == JointType::kSpherical) {  // against the direction in which it turns
      const Vector3d w = bodies[joint.second().slot()].w_WB_W - bodies[joint.first().slot()].w_WB_W;
      const double speed = w.norm();
      if (speed == 0.0) continue;
      const Vector3d torque = dynamics::friction_effort(joint.friction, 0.0, speed) / speed * w;
      wrenches[joint.second().slot()].torque -= torque;
      wrenches[joint.first().slot()].torque += torque;
      continue;
    }
    for (int c = 0; c < model::coordinate_count(joint.type); ++c)
      add_joint_effort({index, c}, friction_effort({index, c}, bodies, memory), bodies, wrenches);
  }
}

}  // namespace eslabon::dynamics
