#pragma once

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::codegen {

/// Factors of masses and springs, (bodies) and (springs); none: all are 1.
struct EnergyFactors {
  dynamics::TracedVector bodies, springs;
};

/// Kinetic energy, and that of weights, springs and soft stops, in traced numbers [J]:
///   E = Σ ½ m v_WC² + ½ ωᵀ I ω − Σ m g·p_WC + Σ V_spring + Σ ½ k depth²                                              (1)
/// as dynamics::mechanical_energy has it, weights from the user's origin. For mechanisms without rods that have mass.
core::Traced traced_energy(const dynamics::DynamicModel& model,
                           const coordinates::MechanismMotionOf<core::Traced>& bodies,
                           const EnergyFactors& factors);

/// Names of elements with forces that (1) does not account for: dampers, springs that damp, friction, loads.
std::vector<std::string> elements_without_potential(const model::Mechanism& mechanism);

}  // namespace eslabon::codegen
