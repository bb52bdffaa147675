#pragma once

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/forces/applied_forces.hpp"

namespace eslabon::dynamics {

/// Whether a motion and the memory of its forces tell a variable: auxiliary states, forces of springs, dampers, stops and loads, friction, and
/// formulas of these. Reactions of joints, efforts of drivers and couplings, and formulas of those, follow from accelerations alone.
bool is_told_by_state(const model::Mechanism& mechanism, const model::Variable& variable);

/// The value of such a variable; of one of the motion as kinematics::value_of. Does not allocate.
template <core::Scalar T>
T value_at_state(const model::Mechanism& mechanism, const AppliedForces& forces,
                 const model::Variable& variable, double t, const coordinates::MechanismMotionOf<T>& bodies,
                 MemoryOf<T> memory);

#define ESLABON_DECLARE(T)                                                                                 \
  extern template T value_at_state(const model::Mechanism&, const AppliedForces&, const model::Variable&, \
                                   double, const coordinates::MechanismMotionOf<T>&, MemoryOf<T>);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::dynamics
