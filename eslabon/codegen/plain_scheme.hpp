#pragma once

#include "eslabon/codegen/graph/program.hpp"
#include "eslabon/codegen/traced_equations.hpp"

namespace eslabon::codegen {

/// What accelerations cost by the plain scheme of textbooks: coordinate partitioning with full matrices, z the n − m independent ones of the
/// n coordinates, d the m dependent ones,
///   J_d = L U,   R = (1; −J_d⁻¹ J_z),   b = (0; J_d⁻¹ γ),   (Rᵀ M R) z̈ = Rᵀ (f − M b),   a = R z̈ + b              (1)
/// Stages (J, γ, M, f) are computed one after the other, each with all that it needs, as separate routines do, and counted as the
/// trace has them: in one that keeps repetitions nothing is simplified but products and sums with what is always 0. Matrices are factored and multiplied whole, zeros included.
OperationCounts plain_scheme(core::Trace& trace, const TracedParts& parts,
                             const dynamics::TracedVector& gamma);

}  // namespace eslabon::codegen
