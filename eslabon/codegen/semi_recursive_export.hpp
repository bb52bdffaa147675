#pragma once

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::codegen {

/// The semi-recursive formulation: x are all relative coordinates q with their rates, M and f by recursion along the spanning tree, and a
/// second velocity transformation at the q that is given,
///   Rᵀ M R z̈ = Rᵀ (f − M b),   a = R z̈ + b,   R = [−S⁻¹ Phi_z; 1]          [Seed004, eqs. (26)–(29)]                       (1)
/// with the fixed order of CoordinatePartition. No positions are looked for: those of x satisfy the constraints as far as they drift.
/// Functions: residual, basis (R), mass (Rᵀ M R), accelerations a with their derivatives by x and u, outputs and readings.
/// Throws core::ModelError as export_motion does.
ExportedModel export_semi_recursive(const dynamics::DynamicModel& model, const MotionExportOptions& options);

}  // namespace eslabon::codegen
