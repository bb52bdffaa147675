#pragma once

#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/model/elements/joint.hpp"

namespace eslabon::dynamics {

/// What friction resists a motion with, against it, by the speed v and by the load that presses the joint:
///   f(v) = F(|v|) s(v/v_c) + c v,     s(x) = x (3 − x²)/2 for |x| ≤ 1, the sign of x beyond                   (1)
///   F(|v|) = F_s                                            for |v| ≤ v_c
///          = F_c + (F_s − F_c) exp(−((|v| − v_c)/v_s)²)     beyond   [Stribeck1902]                           (2)
///   F_c = coulomb + coefficient r N,   F_s = stiction + static_coefficient r N                                (3)
/// Dry friction is a force at rest, whatever it takes, which no function of the speed is. (1) is one: a joint that is pushed with
/// less than F_s does not stand still but creeps, slower than the creep speed v_c, and one that is pushed with more leaves it behind.
/// So "holds" and "slides" are |v| < v_c and |v| > v_c, and what separates them is F_s exactly.
/// `load`: N [N]. Returns [N m] or [N].
template <core::Scalar T>
T friction_effort(const model::JointFriction& friction, double load, const T& v);
extern template double friction_effort(const model::JointFriction&, double, const double&);
extern template core::Dual<double> friction_effort(const model::JointFriction&, double,
                                                   const core::Dual<double>&);
extern template core::Traced friction_effort(const model::JointFriction&, double, const core::Traced&);

/// F_s of (3): the largest effort that it can hold.
double holding_effort(const model::JointFriction& friction, double load);

}  // namespace eslabon::dynamics
