#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/sparse_pattern.hpp"
#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::dynamics {

using TracedVector = std::vector<core::Traced>;
using TracedMatrix = Eigen::Matrix<core::Traced, Eigen::Dynamic, Eigen::Dynamic>;

TracedVector product(const TracedMatrix& A, const TracedVector& x);
TracedVector transposed_product(const TracedMatrix& A, const TracedVector& x);
/// (rows × n) of the entries of a pattern, these rows alone.
TracedMatrix dense_rows(const coordinates::SparsePattern& pattern, const std::vector<int>& rows,
                        const TracedVector& entries);

/// In which order a matrix is eliminated: as it stands, or such that few entries become other than 0: those first that have the fewest
/// neighbours left.
enum class Elimination { kAsItStands, kFewestFirst };

/// A = L D Lᵀ of a symmetric matrix that is positive definite, without choices of pivots: P A Pᵀ where the order is another.
class TracedFactors {
 public:
  TracedFactors() = default;
  /// Pivots below `least` (k), where it is given, are held there.
  explicit TracedFactors(const TracedMatrix& A, Elimination elimination = Elimination::kAsItStands,
                         const TracedVector& least = {});
  TracedVector solve(const TracedVector& b) const;
  /// Each pivot by the entry of A on its place: 1 where what comes before does not matter, 0 where A is singular.
  const TracedVector& margins() const { return margins_; }
  const TracedMatrix& L() const { return L_; }                       ///< what stands below its diagonal
  const std::vector<Eigen::Index>& order() const { return order_; }  ///< (k) row of A that is eliminated at k
  const TracedVector& reciprocals() const { return reciprocals_; }   ///< 1/D
  const TracedVector& pivots() const { return pivots_; }             ///< (k) D

 private:
  std::vector<Eigen::Index> order_;
  TracedMatrix L_;
  TracedVector reciprocals_;  ///< of D
  TracedVector pivots_, margins_;
};

/// Lagrange multipliers of motions with a mass matrix and constraints,
///   M a + Jᵀ λ = f,  J a = γ:    Y = M⁻¹ Jᵀ,  (J Y) λ = J M⁻¹ f − γ,  a = M⁻¹ f − Y λ                                  (1)
/// with M + ρ Jᵀ J instead of M where M alone is singular: the same a and λ. Rows of J that M does not need may be left out of that. All
/// factors, for any number of f and γ.
struct TracedMultipliers {
  TracedMultipliers() = default;
  /// `augmented_`: the rows that M needs; without them all.
  TracedMultipliers(const TracedMatrix& M_, const TracedMatrix& J_, double augmentation_,
                    Elimination elimination = Elimination::kAsItStands,
                    const std::optional<std::vector<Eigen::Index>>& augmented_ = std::nullopt);

  struct Solution {
    TracedVector a;       ///< (n)
    TracedVector lambda;  ///< (m)
  };
  Solution solve(const TracedVector& gamma, TracedVector f) const;

  TracedMatrix J;             ///< (m × n)
  double augmentation = 0.0;  ///< ρ
  TracedMatrix augmented;     ///< the rows of J that M has been augmented with; the others are 0
  TracedFactors M;            ///< with ρ Jᵀ J
  TracedMatrix Y;             ///< (n × m) M⁻¹ Jᵀ
  TracedFactors S;            ///< J Y
};

}  // namespace eslabon::dynamics
