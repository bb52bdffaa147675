#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::codegen {

/// What is written down of a motion.
struct TracedState {
  dynamics::TracedVector q, v;              ///< (n)
  dynamics::TracedMotion::Drivers drivers;  ///< what they prescribe
  dynamics::TracedVector efforts;           ///< of the unknowns of the motion: efforts, then factors
};

/// The parts of  M a + Jᵀ λ = f,  J a = γ  at a state.
struct TracedParts {
  dynamics::TracedVector Phi;      ///< (m) independent rows
  dynamics::TracedVector Phi_dot;  ///< (m) J v + Phi_t
  dynamics::TracedVector gamma;    ///< (m)
  dynamics::TracedMatrix J;        ///< (m × n)
  dynamics::TracedMatrix M;        ///< (n × n)
  dynamics::TracedVector f;        ///< (n) of all that acts, and of what masses ask for when a = 0
  core::Traced constraint_error;   ///< of all rows [m]
};

/// The equations of motion of a mechanism in one kind of coordinates, in traced numbers.
class TracedEquations {
 public:
  virtual ~TracedEquations() = default;
  virtual std::string description() const = 0;
  /// How M and f are put together, for readers; formulas between backquotes.
  virtual std::string says_of_masses() const = 0;
  virtual std::string says_of_forces() const = 0;
  virtual const coordinates::ConstraintSystem& system() const = 0;
  virtual const std::vector<int>& independent_rows() const = 0;  ///< (m)
  virtual double augmentation() const = 0;                       ///< ρ with which M + ρ Jᵀ J is regular
  virtual TracedParts write(const TracedState& state) const = 0;
  virtual coordinates::MechanismMotionOf<core::Traced> bodies(const TracedState& state,
                                                              const dynamics::TracedVector& a) const = 0;
};

/// Relative coordinates, masses along the spanning tree: dynamics::TracedMotion. Looks at `motion`. `length`: what angles are
/// measured by in constraint errors, the size of the mechanism [m].
std::unique_ptr<TracedEquations> make_tree_equations(const dynamics::ReducedMotion& motion, double length);
/// Any kind of coordinates, masses by the features that bodies carry: of reference points with Euler parameters those of
/// [Seed002, eqs. (1)–(27)]. Looks at `motion`, which tells model and unknown forces.
std::unique_ptr<TracedEquations> make_feature_equations(const dynamics::ReducedMotion& motion,
                                                        const std::string& kind, double length);

/// The maximum of |x|; no number where one of them is none.
core::Traced max_abs(const dynamics::TracedVector& list);

}  // namespace eslabon::codegen
