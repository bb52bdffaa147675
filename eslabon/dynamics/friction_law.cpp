#include "eslabon/dynamics/friction_law.hpp"

#include <cmath>

namespace eslabon::dynamics {

namespace {

/// What a unit of load makes for each unit of a coefficient: the pin's radius, or 1 where nothing turns.
double reach(const model::JointFriction& friction) { return friction.radius > 0.0 ? friction.radius : 1.0; }

}  // namespace

double holding_effort(const model::JointFriction& friction, double load) {
  return friction.stiction + friction.static_coefficient * reach(friction) * load;
}

double friction_effort(const model::JointFriction& friction, double load, double v) {
  const double viscous = friction.viscous * v;
  if (!friction.is_dry()) return viscous;
  const double F_s = holding_effort(friction, load);
  const double x = v / friction.creep_speed;
  if (std::abs(x) <= 1.0) return F_s * 0.5 * x * (3.0 - x * x) + viscous;  // (1)
  double F = friction.coulomb + friction.coefficient * reach(friction) * load;
  if (friction.stribeck_speed > 0.0) {
    const double beyond = (std::abs(v) - friction.creep_speed) / friction.stribeck_speed;
    F += (F_s - F) * std::exp(-beyond * beyond);  // (2)
  }
  return std::copysign(F, v) + viscous;
}

}  // namespace eslabon::dynamics
