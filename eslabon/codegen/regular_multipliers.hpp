#pragma once

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/codegen/graph/derivative.hpp"
#include "eslabon/codegen/traced_equations.hpp"

namespace eslabon::codegen {

/// Tells the numbers of a matrix where a model starts.
using AtStart = std::function<Eigen::MatrixXd(const dynamics::TracedMatrix&)>;

/// The multipliers of a motion, eliminated in an order that is fixed, and the smallest of their pivots.
struct RegularMultipliers {
  dynamics::TracedMultipliers factors;
  core::Traced margin;  ///< 1 far from singular, 0 there
};
/// Where M alone is singular, as along the length of Euler parameters, it is  M + ρ Σ J_rᵀ J_r  with few rows r. Pivots of M are measured by its
/// diagonal, those of S = J M⁻¹ Jᵀ by the maximum that its diagonal has at the start in rows of the same unit: by its own, which vanishes with
/// a row of J, a pivot would not tell of that. `equations`: whose rows these are.
RegularMultipliers regular_multipliers(const TracedEquations& equations, const TracedParts& parts,
                                       const AtStart& at_start);

/// ∂a/∂inputs of  M a + Jᵀ λ = f,  J a = γ  from factors that stand already: differentiated,
///   M a' + Jᵀ λ' = f' − M' a − J'ᵀ λ,   J a' = γ' − J' a                                                               (1)
/// is a system with the same matrix. `gamma`: that of the solution, stabilised or not.
std::vector<KnownDerivative> differentiate_multipliers(core::Trace& trace, const TracedParts& parts,
                                                       const dynamics::TracedVector& gamma,
                                                       const dynamics::TracedMultipliers& factors,
                                                       const dynamics::TracedMultipliers::Solution& solution,
                                                       std::span<const core::Traced> inputs);

}  // namespace eslabon::codegen
