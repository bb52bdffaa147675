#include <cmath>
#include <limits>

#include "eslabon/dynamics/forces/applied_forces.hpp"
#include "eslabon/dynamics/forces/tyre_places.hpp"

/// What tyres do, and how their slips change. The kernels are in layer tyres.
namespace eslabon::dynamics {

using coordinates::MechanismMotionOf;
using core::Vector3;

template <core::Scalar T>
tyres::TyreActionOf<T> AppliedForces::tyre_action(std::size_t index, const MechanismMotionOf<T>& bodies,
                                                  MemoryOf<T> memory) const {
  const model::Tyre& tyre = mechanism_.tyres()[index];
  tyres::TyreActionOf<T> action =
      tyres::tyre_in_run<T>(tyre.fitted, mechanism_.road(), wheel_motion<T>(mechanism_, index, bodies),
                            {memory.state(tyre.slip.slot()), memory.state(tyre.slip_angle.slot())},
                            half_of_road(mechanism_, index, *memory), standstill_of_tyre_[index]);
  // A wheel without a contact point has no load. Nor, in a run, has one that is pressed flat: who looks for a start may come by there.
  if constexpr (core::NumericScalar<T>) {
    const double radius = core::value_of(action.contact.radius);
    if (std::isnan(radius) || (radius <= 0.0 && !memory->choices.empty()))
      action.load = T(std::numeric_limits<double>::quiet_NaN());
  }
  return action;
}

template <core::Scalar T>
tyres::FeltSlipOf<T> AppliedForces::add_tyre(std::size_t index, const MechanismMotionOf<T>& bodies,
                                             MemoryOf<T> memory, WrenchSpan<T> wrenches) const {
  const tyres::TyreActionOf<T> action = tyre_action<T>(index, bodies, memory);
  const tyres::WheelContactOf<T>& at = action.contact;
  const tyres::TyreForces<T>& f = action.forces;
  const std::size_t wheel = mechanism_.tyres()[index].center.body.slot();
  wrenches[wheel].add_force(f.F_x * at.ahead + f.F_y * at.left + action.load * at.normal,
                            at.point - bodies[wheel].X_WB.p_AB_A);
  wrenches[wheel].torque += f.M_x * at.ahead + f.M_y * at.left + f.M_z * at.normal;
  return action.rate;
}

template <core::Scalar T>
T AppliedForces::tyre_value(std::size_t index, model::TyreQuantity quantity,
                            const MechanismMotionOf<T>& bodies, MemoryOf<T> memory) const {
  const tyres::TyreActionOf<T> action = tyre_action<T>(index, bodies, memory);
  const Vector3<T> point = action.contact.point - mechanism_.road().origin_W;
  switch (quantity) {
    using enum model::TyreQuantity;
    case kForceX:
      return action.forces.F_x;
    case kForceY:
      return action.forces.F_y;
    case kForceZ:
      return action.load;
    case kMomentX:
      return action.forces.M_x;
    case kMomentY:
      return action.forces.M_y;
    case kMomentZ:
      return action.forces.M_z;
    case kSlip:
      return action.kappa;
    case kSlipAngle:
      return action.alpha;
    case kCamber:
      return action.gamma;
    case kDeflection:
      return action.deflection;
    case kContactX:
      return point.x();
    case kContactY:
      return point.y();
    case kContactZ:
      return point.z();
  }
  return T(0.0);
}

template <core::Scalar T>
void AppliedForces::write_slips(std::size_t index, const tyres::FeltSlipOf<T>& slips,
                                std::span<T> out) const {
  const model::Tyre& tyre = mechanism_.tyres()[index];
  out[tyre.slip.slot()] = slips.kappa;
  out[tyre.slip_angle.slot()] = slips.tan_alpha;
}

#define ESLABON_INSTANTIATE(T)                                                                         \
  template tyres::TyreActionOf<T> AppliedForces::tyre_action(std::size_t, const MechanismMotionOf<T>&, \
                                                             MemoryOf<T>) const;                       \
  template tyres::FeltSlipOf<T> AppliedForces::add_tyre(std::size_t, const MechanismMotionOf<T>&,      \
                                                        MemoryOf<T>, WrenchSpan<T>) const;             \
  template T AppliedForces::tyre_value(std::size_t, model::TyreQuantity, const MechanismMotionOf<T>&,  \
                                       MemoryOf<T>) const;                                             \
  template void AppliedForces::write_slips(std::size_t, const tyres::FeltSlipOf<T>&, std::span<T>) const;
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
