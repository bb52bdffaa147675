#include "eslabon/dynamics/reactions/powers.hpp"

#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

double power_of(const std::vector<Wrench>& wrenches, const MechanismMotion& bodies) {
  double power = 0.0;
  for (std::size_t b = 1; b < bodies.size(); ++b)
    power += wrenches[b].force.dot(bodies[b].v_WB_W) + wrenches[b].torque.dot(bodies[b].w_WB_W);
  return power;
}

double power_of_weights(const model::Mechanism& mechanism, const MechanismMotion& bodies) {
  const Vector3d& g = mechanism.gravity_W();
  double power = 0.0;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    if (!mass.is_massless()) power += mass.mass * g.dot(bodies[b].point_velocity(mass.p_BC_B));
  }
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.rod_mass == 0.0) continue;
    for (const model::JointEnd& end : joint.ends)
      power += 0.5 * joint.rod_mass * g.dot(bodies[end.body.slot()].point_velocity(end.X_BF.p_AB_A));
  }
  return power;
}

/// What a soft limit stores is a spring's, what it loses a damper's, and what its motion gives a load's. False where it has no value.
bool add_stop(const DynamicModel& model, const StopSide& side, double t, const MechanismMotion& bodies,
              const ForceMemory& memory, Powers& powers) {
  const model::Stop& stop = model.mechanism().stops()[side.stop];
  const std::optional<Gap> gap = model.forces().find_gap(side, t, bodies, memory);
  if (!gap) return false;
  if (gap->gap >= 0.0) return true;
  const double push = soft_push(stop, *gap), stored = stop.stiffness * gap->gap * gap->rate;  // dV/dt
  const double speed = (side.is_upper ? -1.0 : 1.0) * stopped_value(model.mechanism(), stop, bodies).velocity;
  powers.springs -= stored;
  powers.dampers -= push * gap->rate + stored;
  powers.loads += push * (speed - gap->rate);
  return true;
}

}  // namespace

double power_of_load(const model::Mechanism& mechanism, const model::Load& load, double t,
                     const MechanismMotion& bodies) {
  const auto vector_at = [&](const std::array<model::TimeFunction, 3>& components) {
    return Vector3d(components[0].evaluate(t), components[1].evaluate(t), components[2].evaluate(t));
  };
  if (const auto* force = std::get_if<model::PointForce>(&load.action)) {
    const coordinates::BodyMotion& body = bodies[force->point.body.slot()];
    const Vector3d f = vector_at(force->components);
    return body.point_velocity(mechanism.point(force->point).p_BP_B)
        .dot(force->in_body_axes ? Vector3d(body.X_WB.R_AB * f) : f);
  }
  if (const auto* torque = std::get_if<model::BodyTorque>(&load.action)) {
    const coordinates::BodyMotion& body = bodies[torque->body.slot()];
    const Vector3d m = vector_at(torque->components);
    return body.w_WB_W.dot(torque->in_body_axes ? Vector3d(body.X_WB.R_AB * m) : m);
  }
  const auto* effort = std::get_if<model::JointEffort>(&load.action);
  if (effort == nullptr) return 0.0;
  const model::Variable rate{model::VariableKind::kJointVelocity, effort->coordinate.joint,
                             effort->coordinate.component};
  return effort->effort.evaluate(t) * kinematics::value_of(mechanism, rate, bodies);
}

std::optional<Powers> evaluate_exchanges(const DynamicModel& model, double t, const MechanismMotion& bodies,
                                         const ForceMemory& memory) {
  const model::Mechanism& mechanism = model.mechanism();
  const auto rate_of = [&](const model::Connection& connection) {
    return kinematics::connection_value(mechanism, connection, bodies).rate;
  };
  Powers powers;
  for (const model::Spring& spring : mechanism.springs()) {
    if (spring.damping == 0.0) continue;
    const double rate = rate_of(spring.connection);
    powers.dampers += spring.damping * rate * rate;
  }
  for (std::size_t d = 0; d < mechanism.dampers().size(); ++d)
    powers.dampers += model.forces().damper_force(d, bodies) * rate_of(mechanism.dampers()[d].connection);
  for (const StopSide& side : model.forces().soft_sides())
    if (!add_stop(model, side, t, bodies, memory, powers)) return std::nullopt;
  for (const model::Load& load : mechanism.loads()) powers.loads += power_of_load(mechanism, load, t, bodies);
  return powers;
}

// Seed002 eq. 18
std::optional<Powers> evaluate_powers(const DynamicModel& model, double t, const MechanismMotion& bodies,
                                      const ForceMemory& memory, const BodyNeeds& needs) {
  const model::Mechanism& mechanism = model.mechanism();
  std::optional<Powers> exchanged = evaluate_exchanges(model, t, bodies, memory);
  if (!exchanged) return std::nullopt;
  Powers& powers = *exchanged;
  powers.weights = power_of_weights(mechanism, bodies);
  powers.kinetic = power_of(needs.inertial(), bodies);
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s) {
    const model::Spring& spring = mechanism.springs()[s];
    const double rate = kinematics::connection_value(mechanism, spring.connection, bodies).rate;
    powers.springs -= (model.forces().spring_force(s, bodies, memory) - spring.damping * rate) * rate;
  }
  powers.friction =
      power_of(needs.applied(), bodies) - (powers.weights + powers.springs + powers.loads - powers.dampers);
  return exchanged;
}

}  // namespace eslabon::dynamics
