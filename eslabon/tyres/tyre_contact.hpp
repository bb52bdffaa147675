#pragma once

#include "eslabon/core/scalar/scalar.hpp"

/// What a tyre feels where it touches the road, in ISO-W axes: x along the wheel's plane, y to its left, z away from the road, at the
/// contact point (docs/notation.md).
namespace eslabon::tyres {

/// How the tyre stands on the road.
template <core::Scalar T>
struct TyreContact {
  T F_z{};          ///< load, not negative               [N]
  T gamma{};        ///< camber: positive turns the top to the right, about x [rad]
  T pressure{};     ///< inflation pressure                [Pa]
  T friction{1.0};  ///< of the road by that of the measurement
};

/// How it moves over the road.
template <core::Scalar T>
struct TyreSlip {
  T kappa{};          ///< −V_sx/|V_x|; −1 for a locked wheel
  T alpha{};          ///< atan(V_y/|V_x|)                                      [rad]
  T V_x{};            ///< speed of the contact point along x                   [m/s]
  T rolling_speed{};  ///< effective radius times the wheel's speed of rotation [m/s]
  T shifts{1.0};      ///< how much of the forces without slip there is: all of them but at low speed
};

/// A wheel that turns as its slip says, κ = −(V_x − ω R_e)/|V_x|.
template <core::Scalar T>
TyreSlip<T> steady_slip(const T& kappa, const T& alpha, const T& V_x) {
  using std::abs;
  return {kappa, alpha, V_x, V_x + kappa * abs(V_x)};
}

/// What the road does to the wheel at the contact point.
template <core::Scalar T>
struct TyreForces {
  T F_x{};  ///< [N]
  T F_y{};  ///< [N]
  T M_x{};  ///< overturning moment        [N m]
  T M_y{};  ///< rolling resistance moment [N m]
  T M_z{};  ///< aligning moment           [N m]
};

/// The same contact seen in a mirror that stands along x.
template <core::Scalar T>
TyreContact<T> mirrored(const TyreContact<T>& contact) {
  return {contact.F_z, -contact.gamma, contact.pressure, contact.friction};
}
template <core::Scalar T>
TyreSlip<T> mirrored(const TyreSlip<T>& slip) {
  return {slip.kappa, -slip.alpha, slip.V_x, slip.rolling_speed, slip.shifts};
}
template <core::Scalar T>
TyreForces<T> mirrored(const TyreForces<T>& forces) {
  return {forces.F_x, -forces.F_y, -forces.M_x, forces.M_y, -forces.M_z};
}

}  // namespace eslabon::tyres
