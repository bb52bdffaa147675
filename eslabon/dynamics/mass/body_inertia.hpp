#pragma once

#include <span>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/model/mechanism.hpp"

/// What the masses of single bodies do, for any scalar.
namespace eslabon::dynamics {

/// Adds to what acts on each body its weight and what its mass asks for when it accelerates as it does:
///   f = m (g − a_C),   a_C = a + α × r + ω × (ω × r),   τ = r × f − I α − ω × I ω,     r = R p_BC            (1)
/// so that no power is left along motions that the joints allow. `factors`: (bodies) of mass and inertia.
template <core::Scalar T>
void add_inertia(const model::Mechanism& mechanism, const coordinates::MechanismMotionOf<T>& bodies,
                 std::span<const T> factors, std::span<std::type_identity_t<WrenchOf<T>>> wrenches) {
  const core::Vector3<T> g = mechanism.gravity_W().template cast<T>();
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    if constexpr (std::is_same_v<T, core::Traced>) core::Trace::mark();
    const model::MassProperties& properties = mechanism.bodies()[b].mass_properties;
    if (properties.is_massless()) continue;
    const coordinates::BodyMotionOf<T>& body = bodies[b];
    const core::Matrix3<T>& R = body.X_WB.R_AB.matrix();
    const core::Vector3<T> f =
        (factors[b] * properties.mass) * (g - body.point_acceleration(properties.p_BC_B));
    wrenches[b].add_force(f, body.direction(properties.p_BC_B));
    // In body axes: I is constant there.
    const core::Vector3<T> w = R.transpose() * body.w_WB_W, alpha = R.transpose() * body.alpha_WB_W;
    const core::Vector3<T> Iw = properties.I_BC_B * w, turn = properties.I_BC_B * alpha + w.cross(Iw);
    wrenches[b].torque -= factors[b] * (R * turn);
  }
}

/// Σ K_iᵀ M K_j of two motions K of all bodies.
// Seed000 eq. 35
template <core::Scalar T>
T mass_product(const model::Mechanism& mechanism, const coordinates::MechanismMotionOf<T>& bodies,
               std::span<const std::type_identity_t<T>> factors,
               const coordinates::MechanismMotionOf<T>& first,
               const coordinates::MechanismMotionOf<T>& second) {
  T sum(0.0);
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    if constexpr (std::is_same_v<T, core::Traced>) core::Trace::mark();
    const model::MassProperties& properties = mechanism.bodies()[b].mass_properties;
    if (properties.is_massless()) continue;
    const core::Matrix3<T>& R = bodies[b].X_WB.R_AB.matrix();
    const core::Vector3<T> r = bodies[b].direction(properties.p_BC_B);
    const core::Vector3<T> w = R.transpose() * first[b].w_WB_W, w2 = R.transpose() * second[b].w_WB_W;
    const core::Vector3<T> v = first[b].v_WB_W + first[b].w_WB_W.cross(r),
                           v2 = second[b].v_WB_W + second[b].w_WB_W.cross(r), Iw2 = properties.I_BC_B * w2;
    sum += factors[b] * (properties.mass * v.dot(v2) + w.dot(Iw2));
  }
  return sum;
}

}  // namespace eslabon::dynamics
