#pragma once

#include <vector>

#include "eslabon/codegen/planned_factors.hpp"
#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::codegen {

/// Rates and accelerations of relative coordinates q from those of the degrees of freedom z, which are some of them: dynamics::ReducedMotion
/// with factors whose order is known beforehand. With S the columns of Phi_q that are not z,
///   R = ∂q/∂z:  S R_d = −Phi_z,     v = R ż + s:  S s_d = −Phi_t,     a = R z̈ + b:  S b_d = γ                         (1)
class CoordinatePartition {
 public:
  /// Pivots from sampled positions of `motion`, which is looked at later on.
  explicit CoordinatePartition(dynamics::ReducedMotion& motion);

  const std::vector<int>& dependent() const { return dependent_; }
  const EliminationPlan& plan() const { return plan_; }

  /// What (1) tells at a position.
  class At {
   public:
    At(const CoordinatePartition& partition, const dynamics::TracedMotion& traced,
       dynamics::TracedMotion::Position position);
    const dynamics::TracedMotion::Position& position() const { return position_; }
    core::Traced margin() const { return factors_.margin(); }
    /// (dependent) x with  S x = rhs  of the independent rows.
    dynamics::TracedVector solve(const dynamics::TracedVector& rhs) const { return factors_.solve(rhs); }
    dynamics::TracedMatrix R() const;  ///< (n × f)
    dynamics::TracedVector v(const dynamics::TracedMatrix& R,
                             const dynamics::TracedVector& z_dot) const;  ///< (n)
    dynamics::TracedVector b(const dynamics::TracedVector& v) const;      ///< (n)

   private:
    /// (n) of those of the dependent columns.
    dynamics::TracedVector spread(const dynamics::TracedVector& dependent) const;

    const CoordinatePartition& partition_;
    const dynamics::TracedMotion& traced_;
    dynamics::TracedMotion::Position position_;
    PlannedFactors factors_;
  };

 private:
  const dynamics::ReducedMotion& motion_;
  std::vector<int> dependent_;  ///< columns that are not z
  EliminationPlan plan_;        ///< of S
};

}  // namespace eslabon::codegen
