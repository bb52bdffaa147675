#include "eslabon/dynamics/forces/friction_law.hpp"

#include <cmath>

namespace eslabon::dynamics {

namespace {

/// What a unit of load makes for each unit of a coefficient: the pin's radius, or 1 where nothing turns.
double reach(const model::JointFriction& friction) { return friction.radius > 0.0 ? friction.radius : 1.0; }

}  // namespace

double holding_effort(const model::JointFriction& friction, double load) {
  return friction.stiction + friction.static_coefficient * reach(friction) * load;
}

template <core::Scalar T>
T friction_effort(const model::JointFriction& friction, double load, const T& v) {
  using std::abs;
  using std::exp;
  const T viscous = friction.viscous * v;
  if (!friction.is_dry()) return viscous;
  const double F_s = holding_effort(friction, load);
  const T x = v / friction.creep_speed;
  const T creeping = F_s * 0.5 * x * (3.0 - x * x) + viscous;  // (1)
  if constexpr (core::NumericScalar<T>)
    if (std::abs(core::value_of(x)) <= 1.0) return creeping;
  T F = friction.coulomb + friction.coefficient * reach(friction) * load;
  if (friction.stribeck_speed > 0.0) {
    const T beyond = (abs(v) - friction.creep_speed) / friction.stribeck_speed;
    F += (F_s - F) * exp(-beyond * beyond);  // (2)
  }
  return core::select_less(T(1.0), T(abs(x)), T(core::select_less(v, T(0.0), T(-F), F) + viscous), creeping);
}

template double friction_effort(const model::JointFriction&, double, const double&);
template core::Dual<double> friction_effort(const model::JointFriction&, double, const core::Dual<double>&);
template core::Traced friction_effort(const model::JointFriction&, double, const core::Traced&);

}  // namespace eslabon::dynamics
