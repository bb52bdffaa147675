#include "eslabon/dynamics/reactions/powers.hpp"

#include "eslabon/dynamics/forces/bushing_force.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

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
  const double speed =
      (side.is_upper ? -1.0 : 1.0) * model.forces().stopped_value(side.stop, bodies, memory).velocity;
  powers.springs -= stored;
  powers.dampers -= push * gap->rate + stored;
  powers.loads += push * (speed - gap->rate);
  return true;
}

}  // namespace

double power_of(const std::vector<Wrench>& wrenches, const MechanismMotion& bodies) {
  double power = 0.0;
  for (std::size_t b = 1; b < bodies.size(); ++b)
    power += wrenches[b].force.dot(bodies[b].v_WB_W) + wrenches[b].torque.dot(bodies[b].w_WB_W);
  return power;
}

double power_of_load(const model::Mechanism& mechanism, const model::Load& load, const Vector3d& value,
                     const MechanismMotion& bodies) {
  if (const auto* force = std::get_if<model::PointForce>(&load.action))
    return bodies[force->point.body.slot()].point_velocity(mechanism.point(force->point).p_BP_B).dot(value);
  if (const auto* torque = std::get_if<model::BodyTorque>(&load.action))
    return bodies[torque->body.slot()].w_WB_W.dot(value);
  const auto& effort = std::get<model::JointEffort>(load.action);
  const model::Variable rate{model::VariableKind::kJointVelocity, effort.coordinate.joint,
                             effort.coordinate.component};
  return value.x() * kinematics::value_of(mechanism, rate, bodies);
}

std::optional<Powers> evaluate_exchanges(const DynamicModel& model, double t, const MechanismMotion& bodies,
                                         const ForceMemory& memory) {
  const model::Mechanism& mechanism = model.mechanism();
  const auto rate_of = [&](const model::Connection& connection) {
    return kinematics::connection_value(mechanism, connection, bodies).rate;
  };
  Powers powers;
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s) {
    const model::Spring& spring = mechanism.springs()[s];
    if (spring.damping == 0.0 && !spring.law) continue;
    const double rate = rate_of(spring.connection);
    powers.dampers += spring.damping * rate * rate;
    if (spring.law) powers.loads -= model.forces().spring_force(s, t, bodies, memory) * rate;
  }
  for (std::size_t d = 0; d < mechanism.dampers().size(); ++d)
    powers.dampers +=
        model.forces().damper_force(d, t, bodies, memory) * rate_of(mechanism.dampers()[d].connection);
  for (const model::Bushing& bushing : mechanism.bushings()) {
    const BushingStrainOf<double> strain = bushing_strain<double>(bushing, mechanism.is_planar(), bodies);
    for (std::size_t k = 0; k < 6; ++k)
      powers.dampers += bushing.damping[k] * strain.rate[k] * strain.rate[k];
  }
  for (std::size_t k = 0; k < mechanism.tyres().size(); ++k) {
    std::vector<Wrench> alone(bodies.size());
    model.forces().add_tyre<double>(k, bodies, memory, alone);
    powers.dampers -= power_of(alone, bodies);
  }
  for (const StopSide& side : model.forces().soft_sides())
    if (!add_stop(model, side, t, bodies, memory, powers)) return std::nullopt;
  for (std::size_t l = 0; l < mechanism.loads().size(); ++l)
    powers.loads += power_of_load(mechanism, mechanism.loads()[l],
                                  model.forces().load_value(l, t, bodies, memory), bodies);
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
    if (spring.law) continue;
    const double rate = kinematics::connection_value(mechanism, spring.connection, bodies).rate;
    powers.springs -= (model.forces().spring_force(s, t, bodies, memory) - spring.damping * rate) * rate;
  }
  for (const model::Bushing& bushing : mechanism.bushings()) {
    const BushingStrainOf<double> strain = bushing_strain<double>(bushing, mechanism.is_planar(), bodies);
    for (std::size_t k = 0; k < 6; ++k)
      powers.springs -= bushing.stiffness[k] * strain.value[k] * strain.rate[k];
  }
  powers.friction =
      power_of(needs.applied(), bodies) - (powers.weights + powers.springs + powers.loads - powers.dampers);
  return exchanged;
}

}  // namespace eslabon::dynamics
