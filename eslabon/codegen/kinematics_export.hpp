#pragma once

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::codegen {

/// Positions, velocities and accelerations of all bodies as functions of z, ż and z̈, without forces: see TracedKinematics. x as in
/// export_reduced; z̈ are the last numbers of u. With φ̇ of one body after the other v_x, v_y, ω in the plane and v, ω in space,
///   φ̇ = K ż + …,   φ̈ = K z̈ + Σ_i Σ_j L_ij ż_i ż_j + …,   L_ij = L_ji          [Seed001, eqs. (2.12), (2.13)]                 (1)
/// where … is what drivers add. Functions: positions, poses, velocity_coefficients (K), second_coefficients (L), velocities,
/// body_accelerations, outputs.
/// Throws core::ModelError near singular positions.
ExportedModel export_kinematics(const dynamics::DynamicModel& model, const MotionExportOptions& options);

}  // namespace eslabon::codegen
