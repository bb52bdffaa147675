#include "eslabon/dynamics/applied_forces.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"
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

AppliedForces::AppliedForces(const model::Mechanism& mechanism) : mechanism_(mechanism) {
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
    if (const auto* joint = std::get_if<model::JointCoordinate>(&mechanism.springs()[s].connection))
      if (is_rotation(mechanism, *joint)) angle_springs_.push_back(s);
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    if (joint.rod_mass != 0.0) rods_.push_back(j);
    if (joint.friction.is_none()) continue;
    if (joint.friction.coulomb != 0.0 || joint.friction.stiction != 0.0)
      throw core::ModelError({.what = "dry friction is not simulated",
                              .where = "joint '" + joint.name + "'",
                              .expected = "viscous friction alone",
                              .actual = "coulomb or stiction",
                              .next = "Leave these out, or write a viscous coefficient."});
    rubbing_.push_back(j);
  }
}

const model::JointCoordinate& AppliedForces::angle_coordinate(std::size_t k) const {
  return std::get<model::JointCoordinate>(mechanism_.springs()[angle_springs_[k]].connection);
}

void AppliedForces::follow_angles(const MechanismMotion& bodies, std::span<double> angles) const {
  for (std::size_t k = 0; k < angle_springs_.size(); ++k)
    angles[k] = coordinates::unwrapped(
        kinematics::connection_value(mechanism_, mechanism_.springs()[angle_springs_[k]].connection, bodies)
            .length,
        angles[k]);
}

void AppliedForces::evaluate(double t, const MechanismMotion& bodies, std::span<const double> angles,
                             std::span<Wrench> wrenches) const {
  evaluate_without_weights(t, bodies, angles, wrenches);
  add_weights(bodies, wrenches);
  add_rod_weights(bodies, wrenches);
}

bool AppliedForces::has_weights_only() const {
  return mechanism_.springs().empty() && mechanism_.dampers().empty() && mechanism_.loads().empty() &&
         rubbing_.empty() && user_.empty();
}

void AppliedForces::evaluate_without_weights(double t, const MechanismMotion& bodies,
                                             std::span<const double> angles,
                                             std::span<Wrench> wrenches) const {
  for (Wrench& wrench : wrenches) wrench = {};
  add_springs(t, bodies, angles, wrenches);
  add_dampers(t, bodies, wrenches);
  for (const model::Load& load : mechanism_.loads()) add_load(load, t, bodies, wrenches);
  add_friction(bodies, wrenches);
  for (const UserForce& force : user_) force(t, bodies, wrenches);
  for (std::size_t b = 1; b < wrenches.size(); ++b)
    if (!wrenches[b].force.allFinite() || !wrenches[b].torque.allFinite())
      fail(culprit(t, bodies, angles, b), t, "a finite force", "one that is not a number",
           "Look at what it is computed from at this time.");
}

std::string AppliedForces::culprit(double t, const MechanismMotion& bodies, std::span<const double> angles,
                                   std::size_t body) const {
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s)
    if (!std::isfinite(spring_force(s, bodies, angles)))
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
                                   std::span<const double> angles) const {
  const model::Spring& spring = mechanism_.springs()[s];
  auto [length, rate] = kinematics::connection_value(mechanism_, spring.connection, bodies);
  const auto angle = std::ranges::lower_bound(angle_springs_, s);
  if (angle != angle_springs_.end() && *angle == s)
    length = coordinates::unwrapped(length, angles[static_cast<std::size_t>(angle - angle_springs_.begin())]);
  const double d = length - spring.free_length;
  return spring.preload + (spring.table.empty() ? spring.stiffness * d : look_up(spring.table, d)) +
         spring.damping * rate;
}

double AppliedForces::damper_force(std::size_t d, const MechanismMotion& bodies) const {
  const model::Damper& damper = mechanism_.dampers()[d];
  const double rate = kinematics::connection_value(mechanism_, damper.connection, bodies).rate;
  return damper.table.empty() ? damper.damping * rate : look_up(damper.table, rate);
}

void AppliedForces::add_springs(double t, const MechanismMotion& bodies, std::span<const double> angles,
                                std::span<Wrench> wrenches) const {
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s)
    add_connection_force(mechanism_.springs()[s].connection, spring_force(s, bodies, angles), "spring",
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

void AppliedForces::add_friction(const MechanismMotion& bodies, std::span<Wrench> wrenches) const {
  for (const std::size_t j : rubbing_) {
    const model::Joint& joint = mechanism_.joints()[j];
    const model::JointIndex index(static_cast<int>(j));
    if (joint.type == JointType::kSpherical) {
      const Vector3d torque = joint.friction.viscous *
                              (bodies[joint.second().slot()].w_WB_W - bodies[joint.first().slot()].w_WB_W);
      wrenches[joint.second().slot()].torque -= torque;
      wrenches[joint.first().slot()].torque += torque;
      continue;
    }
    const coordinates::RelativeMotion relative = coordinates::relative_motion(joint, bodies);
    for (int c = 0; c < model::coordinate_count(joint.type); ++c)
      add_joint_effort(
          {index, c},
          -joint.friction.viscous * coordinates::joint_coordinate(joint.type, c, relative).velocity, bodies,
          wrenches);
  }
}

}  // namespace eslabon::dynamics
