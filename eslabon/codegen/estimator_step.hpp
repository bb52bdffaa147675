#pragma once

#include <functional>

#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/estimation/mechanism/step_rule.hpp"

namespace eslabon::codegen {

/// What a filter's model does in a step, as estimation::MechanismSystem::step:  x⁺ of x = (z, ż, θ), and F = ∂x⁺/∂x.
struct EstimatorStep {
  dynamics::TracedVector z, z_dot;   ///< (f) after the step
  dynamics::TracedMatrix F;          ///< (2 f × (2 f + p)) rows of z and ż
  dynamics::TracedVector positions;  ///< (positions) found in the last stage
  core::Traced closure_error;        ///< [m] of all stages
  core::Traced margin;               ///< the smallest of all stages
};

/// What drivers prescribe at a time, which then is that of the trace.
using DriversAt = std::function<dynamics::TracedMotion::Drivers(const core::Traced& t)>;

/// The stages of an explicit rule, and their derivatives: of each by its own state, chained as  k_i' = A_i x_i',  x_i' = 1 + h Σ a_ij k_j'.
/// `theta`: efforts and unknowns; `parameters`: p, unknowns and parameters of the mechanism.
EstimatorStep write_step(estimation::StepRule rule, const core::Traced& t, const core::Traced& h,
                         const dynamics::ReducedMotion& motion, const TracedKinematics& kinematics,
                         const TracedFreedoms& start, const dynamics::TracedVector& theta,
                         const dynamics::TracedVector& parameters, const DriversAt& drivers);

}  // namespace eslabon::codegen
