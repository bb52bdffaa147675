#include "eslabon/codegen/traced_energy.hpp"

#include <algorithm>

#include "eslabon/dynamics/forces/bushing_force.hpp"
#include "eslabon/dynamics/forces/gas_force.hpp"

namespace eslabon::codegen {

namespace {

using coordinates::BodyMotionOf;
using core::Traced;
using core::Vector3;
using Moving = coordinates::MechanismMotionOf<Traced>;

Traced factor(const dynamics::TracedVector& factors, std::size_t k) {
  return factors.empty() ? Traced(1.0) : factors[k];
}

/// ½ m v² + ½ ωᵀ I ω − m g·p of a body.
Traced energy_of_body(const model::MassProperties& body, const BodyMotionOf<Traced>& motion,
                      const Vector3<Traced>& g_W) {
  const Vector3<Traced> w_WB_B = motion.X_WB.R_AB.matrix().transpose() * motion.w_WB_W;
  const Vector3<Traced> spin = body.I_BC_B.cast<Traced>() * w_WB_B;
  return 0.5 * body.mass * motion.point_velocity(body.p_BC_B).squaredNorm() + 0.5 * w_WB_B.dot(spin) -
         body.mass * g_W.dot(motion.point_position(body.p_BC_B));  // (1)
}

/// ∫ of the table from its first argument to x: trapezes between rows, and beyond by the slope of the last two.
Traced integral_of_table(const model::ForceTable& table, const Traced& x) {
  Traced sum = 0.0;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const auto& [x0, f0] = table[k - 1];
    const auto& [x1, f1] = table[k];
    const Traced end = k + 1 == table.size() ? x : core::select_less(x, Traced(x1), x, Traced(x1));
    const Traced part = (end - x0) * (f0 + 0.5 * ((f1 - f0) / (x1 - x0)) * (end - x0));
    sum += k == 1 ? part : core::select_less(Traced(x0), x, part, Traced(0.0));
  }
  return sum;
}

Traced energy_of_spring(const model::Spring& spring, const Traced& length) {
  const Traced d = length - spring.free_length, of_preload = spring.preload * d;
  if (spring.gas) return of_preload + dynamics::gas_energy(*spring.gas, d);
  if (spring.table.empty()) return of_preload + 0.5 * spring.stiffness * d * d;
  return of_preload + integral_of_table(spring.table, d) - integral_of_table(spring.table, Traced(0.0));
}

}  // namespace

Traced traced_energy(const dynamics::DynamicModel& model, const Moving& bodies,
                     const EnergyFactors& factors) {
  const model::Mechanism& mechanism = model.mechanism();
  const Vector3<Traced> g_W = mechanism.gravity_W().cast<Traced>(),
                        origin_W = mechanism.origin_W().cast<Traced>();
  Traced E = 0.0;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const model::MassProperties& body = mechanism.bodies()[b].mass_properties;
    if (body.is_massless()) continue;
    E += factor(factors.bodies, b) * (energy_of_body(body, bodies[b], g_W) - body.mass * g_W.dot(origin_W));
  }
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s) {
    const model::Spring& spring = mechanism.springs()[s];
    if (spring.law) continue;  // stores nothing
    E += factor(factors.springs, s) *
         energy_of_spring(spring, model.forces().spring_length(s, bodies, model.start_memory()));
  }
  for (const model::Bushing& bushing : mechanism.bushings())
    E += dynamics::bushing_energy(bushing,
                                  dynamics::bushing_strain<Traced>(bushing, mechanism.is_planar(), bodies));
  for (const dynamics::StopSide& side : model.forces().soft_sides()) {
    const Traced gap = model.forces().gap<Traced>(side, 0.0, bodies, model.start_memory()).gap;
    E += core::select_less(gap, Traced(0.0), 0.5 * mechanism.stops()[side.stop].stiffness * gap * gap,
                           Traced(0.0));
  }
  return E;
}

std::vector<std::string> elements_without_potential(const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const model::Damper& damper : mechanism.dampers()) names.push_back(damper.name);
  for (const model::Spring& spring : mechanism.springs())
    if (spring.damping != 0.0 || spring.law) names.push_back(spring.name);
  for (const model::Bushing& bushing : mechanism.bushings())
    if (std::ranges::any_of(bushing.damping, [](double c) { return c != 0.0; }))
      names.push_back(bushing.name);
  for (const model::Stop& stop : mechanism.stops())
    if (stop.damping != 0.0) names.push_back(stop.name);
  for (const model::Joint& joint : mechanism.joints())
    if (!joint.friction.is_none()) names.push_back(joint.name);
  for (const model::Load& load : mechanism.loads()) names.push_back(load.name);
  for (const model::Driver& driver : mechanism.drivers()) names.push_back(driver.name);
  return names;
}

}  // namespace eslabon::codegen
