#include "eslabon/dynamics/formulations/body_needs.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

std::array<Vector3d, 2> rod_needs(const model::Joint& joint, const MechanismMotion& bodies) {
  std::array<Vector3d, 2> a;
  for (std::size_t e = 0; e < 2; ++e)
    a[e] = bodies[joint.ends[e].body.slot()].point_acceleration(joint.ends[e].X_BF.p_AB_A);
  return {joint.rod_mass / 6.0 * (2.0 * a[0] + a[1]), joint.rod_mass / 6.0 * (2.0 * a[1] + a[0])};
}

BodyNeeds::BodyNeeds(const DynamicModel& model)
    : model_(model),
      inertial_(model.mechanism().bodies().size()),
      applied_(inertial_.size()),
      needed_(inertial_.size()) {}

// Seed000 eq. 13
bool BodyNeeds::evaluate(double t, const MechanismMotion& bodies, const ForceMemory& memory) {
  const model::Mechanism& mechanism = model_.mechanism();
  if (!model_.forces().evaluate(t, bodies, memory, applied_)) return false;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    inertial_[b] = {};
    if (b == 0 || mass.is_massless()) continue;
    const Eigen::Matrix3d& R = bodies[b].X_WB.R_AB.matrix();
    const Eigen::Matrix3d I = R * mass.I_BC_B * R.transpose();
    const Vector3d& w = bodies[b].w_WB_W;
    inertial_[b].torque = I * bodies[b].alpha_WB_W + w.cross(I * w);
    inertial_[b].add_force(mass.mass * bodies[b].point_acceleration(mass.p_BC_B), R * mass.p_BC_B);
  }
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.rod_mass == 0.0) continue;
    const std::array<Vector3d, 2> forces = rod_needs(joint, bodies);
    for (std::size_t e = 0; e < 2; ++e)
      inertial_[joint.ends[e].body.slot()].add_force(
          forces[e], bodies[joint.ends[e].body.slot()].X_WB.R_AB * joint.ends[e].X_BF.p_AB_A);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b)
    needed_[b] = {inertial_[b].force - applied_[b].force, inertial_[b].torque - applied_[b].torque};  // (1)
  return true;
}

}  // namespace eslabon::dynamics
