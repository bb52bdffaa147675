#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/reduced/traced_factors.hpp"

namespace eslabon::codegen {

/// How  S x = b  of a square matrix is solved by operations that are the same wherever it is called.
struct EliminationPlan {
  enum class Method {
    kPivots,     ///< S = L U, with pivots that are safe at all sampled positions
    kOrthogonal  ///< S = Q R, where no order of pivots is
  };
  Method method = Method::kPivots;
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pivots;  ///< row and column, in the order of elimination
  std::vector<double> row_scales;                             ///< (rows) that make all rows lengths
  std::vector<double>
      column_sizes;  ///< (columns) the maximum over the samples, rows scaled: what pivots are measured by
  double smallest_pivot = 1.0;  ///< over the samples, by its column; of kOrthogonal: of the best order
};

/// Pivots by Markowitz with a threshold: of entries that are large in their column at the worst of the samples, the one whose
/// elimination can make the fewest others different from 0. `samples`: the matrix at positions all over the range that is used,
/// all of which can be reached from the first: an entry that changes its sign is 0 between them.
EliminationPlan plan_elimination(std::vector<Eigen::MatrixXd> samples, std::vector<double> row_scales);

/// Factors of a traced matrix by a plan, one reciprocal for each pivot.
class PlannedFactors {
 public:
  PlannedFactors(const dynamics::TracedMatrix& S, const EliminationPlan& plan);
  dynamics::TracedVector solve(const dynamics::TracedVector& b) const;
  /// The smallest pivot by the size that its column has in the plan: 0 where S is singular, also where a whole column vanishes.
  core::Traced margin() const;

 private:
  void factor_by_pivots(const dynamics::TracedMatrix& S);
  void factor_by_columns(const dynamics::TracedMatrix& S);
  dynamics::TracedVector solve_back(dynamics::TracedVector y) const;

  const EliminationPlan& plan_;
  dynamics::TracedMatrix L_;            ///< below the diagonal; of kOrthogonal: Q, columns not normalised
  dynamics::TracedMatrix U_;            ///< above the diagonal, unit diagonal of kOrthogonal
  dynamics::TracedVector reciprocals_;  ///< of pivots
  dynamics::TracedVector pivots_;       ///< by the sizes of their columns
};

}  // namespace eslabon::codegen
