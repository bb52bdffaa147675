#pragma once

#include <span>
#include <vector>

#include "eslabon/codegen/graph/derivative.hpp"
#include "eslabon/codegen/traced_kinematics.hpp"

namespace eslabon::codegen {

/// Derivatives of numbers by themselves: what `derivative` starts from, when they are no inputs of the trace but computed.
std::vector<KnownDerivative> by_themselves(std::span<const core::Traced> numbers);

/// Those of what was found for some freedoms, by the numbers whose derivatives are known already.
std::vector<KnownDerivative> known_positions(core::Trace& trace, const TracedFreedoms& freedoms,
                                             const TracedBodies& at,
                                             const std::vector<KnownDerivative>& known);

/// What acts in a motion: that of the model, and unknowns.
class MotionForces {
 public:
  /// Throws core::ModelError for what equations do not say: dynamics::check_smooth. Looks at the model.
  MotionForces(const dynamics::DynamicModel& model, std::vector<dynamics::Unknown> unknowns);
  const dynamics::DynamicModel& model() const { return model_; }
  const std::vector<dynamics::Unknown>& unknowns() const { return unknowns_; }

 private:
  const dynamics::DynamicModel& model_;
  std::vector<dynamics::Unknown> unknowns_;
};

/// Forward dynamics of a mechanism in as many equations as it has degrees of freedom, summed over the bodies b,
///   (Σ K_bᵀ M_b K_b) z̈ = Σ K_bᵀ (W_b − M_b b_b − …)         [Seed003, eqs. (13)–(15)]                                   (1)
/// with K_b the motion of b for unit ż and b_b its acceleration for z̈ = 0, and exact derivatives: with a_b = K_b z̈ + b_b,
///   (Σ K_bᵀ M_b K_b) z̈' = (Σ K_bᵀ (W_b − M_b a_b − …))'      where z̈ is taken for constant                              (2)
class ReducedEquations {
 public:
  /// Of these forces with these unknowns. Looks at nothing afterwards.
  ReducedEquations(const MotionForces& motion, const TracedBodies& at, const dynamics::TracedVector& theta);
  ReducedEquations(const dynamics::ReducedMotion& motion, const TracedBodies& at,
                   const dynamics::TracedVector& theta)
      : ReducedEquations(MotionForces(motion.model(), motion.unknowns()), at, theta) {}

  const dynamics::TracedMatrix& mass() const { return mass_; }      ///< (f × f)
  const dynamics::TracedVector& force() const { return force_; }    ///< (f) right-hand side of (1)
  const dynamics::TracedVector& z_ddot() const { return z_ddot_; }  ///< (f)
  const TracedBodies::Bodies& bodies() const { return bodies_; }    ///< with their accelerations
  /// The smallest pivot of the mass, and of what kinematics has solved.
  const core::Traced& margin() const { return margin_; }

  /// Derivatives of z̈ by what those of positions, rates and unknowns are known by.
  std::vector<KnownDerivative> differentiate(core::Trace& trace,
                                             const std::vector<KnownDerivative>& known) const;

 private:
  dynamics::TracedMatrix mass_;
  dynamics::TracedVector force_, z_ddot_;
  dynamics::TracedVector held_;      ///< z̈ as the residual sees it: to_be_held
  dynamics::TracedVector residual_;  ///< what is differentiated in (2); its value is 0
  dynamics::TracedFactors factors_;
  TracedBodies::Bodies bodies_;
  core::Traced margin_;
};

/// Accelerations z̈ that derivatives of a residual may take for constant, of equations with this mass. Where a mass is constant z̈ is the
/// force times a number, and the mass times z̈ would be simplified to the force, which is not constant: there they are Trace::whole.
dynamics::TracedVector to_be_held(const dynamics::TracedMatrix& mass, const dynamics::TracedVector& z_ddot);

/// Derivatives of numbers x with  A x = b  from the factors of A and the entries of  b' − A' x.
std::vector<KnownDerivative> solve_derivatives(const dynamics::TracedFactors& factors,
                                               const dynamics::TracedVector& x,
                                               const std::vector<Entry>& right_hand_sides);

/// The bodies with these accelerations of the degrees of freedom.
TracedBodies::Bodies accelerated(const TracedBodies& at, const dynamics::TracedVector& z_ddot);

/// The smallest of them and 1.
core::Traced smallest_margin(const dynamics::TracedVector& list);

}  // namespace eslabon::codegen
