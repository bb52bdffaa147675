#include "eslabon/dynamics/mass/energy.hpp"

#include <algorithm>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/bushing_force.hpp"
#include "eslabon/dynamics/forces/gas_force.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Vector3d;
using model::Mechanism;

void check_count(std::size_t count, std::size_t expected, const char* what) {
  if (count == expected) return;
  throw core::ContractError({.what = "the energy of another mechanism",
                             .where = what,
                             .expected = std::to_string(expected),
                             .actual = std::to_string(count),
                             .next = "Give one for each, in the order of the mechanism."});
}

/// The position, or the velocity, of both ends of a rod.
struct Ends {
  Vector3d first;
  Vector3d second;
};

Ends end_positions(const model::Joint& rod, const MechanismMotion& motion) {
  return {motion[rod.first().slot()].point_position(rod.ends[0].X_BF.p_AB_A),
          motion[rod.second().slot()].point_position(rod.ends[1].X_BF.p_AB_A)};
}

Ends end_velocities(const model::Joint& rod, const MechanismMotion& motion) {
  return {motion[rod.first().slot()].point_velocity(rod.ends[0].X_BF.p_AB_A),
          motion[rod.second().slot()].point_velocity(rod.ends[1].X_BF.p_AB_A)};
}

/// Of weights and bushings.
double held_energy(const Mechanism& mechanism, const MechanismMotion& motion) {
  check_count(motion.size(), mechanism.bodies().size(), "number of bodies");
  const Vector3d& g_W = mechanism.gravity_W();
  double V = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const model::MassProperties& body = mechanism.bodies()[b].mass_properties;
    if (!body.is_massless()) V -= body.mass * g_W.dot(motion[b].point_position(body.p_BC_B));  // (2)
  }
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.rod_mass == 0.0) continue;
    const auto [p1, p2] = end_positions(joint, motion);
    V -= 0.5 * joint.rod_mass * g_W.dot(p1 + p2);  // (2)
  }
  for (const model::Bushing& bushing : mechanism.bushings())
    V += bushing_energy(bushing, bushing_strain<double>(bushing, mechanism.is_planar(), motion));
  return V;
}

/// ∫ of a line through (x₀, f₀) with this slope, from x₀ to x.
double integral_of_line(double x0, double f0, double slope, double x) {
  return (x - x0) * (f0 + 0.5 * slope * (x - x0));
}

/// ∫ of the table from its first argument to x; negative when x is smaller.
double integral_of_table(const model::ForceTable& table, double x) {
  double sum = 0.0;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const auto& [x0, f0] = table[k - 1];
    const auto& [x1, f1] = table[k];
    const bool is_last = k + 1 == table.size();
    const double end = is_last ? x : std::min(x, x1);
    sum += integral_of_line(x0, f0, (f1 - f0) / (x1 - x0), end);
    if (x <= x1) break;
  }
  return sum;
}

}  // namespace

// Seed000 eq. 39
// Seed002 eq. 7, eq. 13
double kinetic_energy(const Mechanism& mechanism, const MechanismMotion& motion) {
  check_count(motion.size(), mechanism.bodies().size(), "number of bodies");
  double T = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const model::MassProperties& body = mechanism.bodies()[b].mass_properties;
    if (body.is_massless()) continue;
    const Vector3d w_WB_B = motion[b].X_WB.R_AB.inverse() * motion[b].w_WB_W;
    T += 0.5 * body.mass * motion[b].point_velocity(body.p_BC_B).squaredNorm() +
         0.5 * w_WB_B.dot(body.I_BC_B * w_WB_B);  // (1)
  }
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.rod_mass == 0.0) continue;
    const auto [v1, v2] = end_velocities(joint, motion);
    T += joint.rod_mass / 6.0 * (v1.squaredNorm() + v1.dot(v2) + v2.squaredNorm());  // (1)
  }
  return T;
}

double potential_energy(const Mechanism& mechanism, const MechanismMotion& motion) {
  double V = held_energy(mechanism, motion);
  for (const model::Spring& spring : mechanism.springs())
    V += spring_energy(spring, kinematics::connection_value(mechanism, spring.connection, motion).length);
  return V;
}

double potential_energy(const Mechanism& mechanism, const MechanismMotion& motion,
                        std::span<const double> spring_lengths) {
  check_count(spring_lengths.size(), mechanism.springs().size(), "number of springs");
  double V = held_energy(mechanism, motion);
  for (std::size_t k = 0; k < spring_lengths.size(); ++k)
    V += spring_energy(mechanism.springs()[k], spring_lengths[k]);
  return V;
}

double mechanical_energy(const Mechanism& mechanism, const MechanismMotion& motion) {
  return kinetic_energy(mechanism, motion) + potential_energy(mechanism, motion);
}

double mechanical_energy(const Mechanism& mechanism, const MechanismMotion& motion,
                         std::span<const double> spring_lengths) {
  return kinetic_energy(mechanism, motion) + potential_energy(mechanism, motion, spring_lengths);
}

double origin_energy(const Mechanism& mechanism) {
  double mass = 0.0;
  for (const model::Body& body : mechanism.bodies()) mass += body.mass_properties.mass;
  for (const model::Joint& joint : mechanism.joints()) mass += joint.rod_mass;
  return -mass * mechanism.gravity_W().dot(mechanism.origin_W());
}

// Seed002 eq. 15
double spring_energy(const model::Spring& spring, double length) {
  const double d = length - spring.free_length;
  const double of_preload = spring.preload * d;
  if (spring.gas) return of_preload + gas_energy(*spring.gas, d);
  if (spring.table.empty()) return of_preload + 0.5 * spring.stiffness * d * d;                   // (3)
  return of_preload + integral_of_table(spring.table, d) - integral_of_table(spring.table, 0.0);  // (3)
}

}  // namespace eslabon::dynamics
