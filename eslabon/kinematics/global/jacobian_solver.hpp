#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/sparse_pattern.hpp"

namespace eslabon::kinematics {

/// Solves  A x = b,  where A (n × n) is made of n rows of a Jacobian (m × n, m ≥ n) whose pattern never changes.
/// Factor as often as the values change; solve as often as needed after it.
///
/// Rows may measure different things (metres, radians, pure numbers), so each is divided by its largest entry
/// before pivots are compared; columns are left as they are. With u_ii the pivots of the rows so scaled,
///
///   A is singular to working precision  when  min |u_ii| / max |u_ii| < n ε                                   (1)
///
/// or when an entry is not finite. After the first factor() no call allocates, unless the sparse solver has to
/// look for new pivots. The last bits of its x depend on which values its pivots were chosen for.
/// One object per thread. Misuse (sizes, order of calls) throws core::ContractError.
class JacobianSolver {
 public:
  virtual ~JacobianSolver() = default;
  virtual std::string_view name() const = 0;  ///< "global" or "sparse"

  /// Factors the chosen rows of the Jacobian with these entries, in the order of the pattern; entries of other
  /// rows are not read. False when A is singular, see (1); then only factor and pivot_ratio may be called.
  [[nodiscard]] virtual bool factor(std::span<const double> values) = 0;

  /// Writes the solution to `x` (n numbers) for `b` (m numbers, one for each row of the Jacobian; those of rows
  /// that were not chosen are not read). The two may overlap.
  virtual void solve(std::span<const double> b, std::span<double> x) = 0;

  /// Sign of det A, +1 or −1 (+1 for n = 0), the same whichever pivots were taken: it changes only where A is
  /// singular, hence on the way to another branch.
  virtual int determinant_sign() = 0;

  /// Sign of the determinant of each diagonal block of A, which can be brought to block triangular form: one per set of
  /// unknowns that must be solved together. Their product is the sign of det A but for one that never changes. Two
  /// branches that differ in two blocks have the same determinant_sign; here they show. The dense solver knows of
  /// one block only.
  virtual void block_signs(std::vector<signed char>& signs) = 0;

  /// The left side of (1): a rough, cheap estimate of the reciprocal of the condition number of the scaled A.
  /// 1 for n = 0; 0 when a pivot is zero or an entry is not finite. Known after any factor, also a failed one.
  virtual double pivot_ratio() const = 0;
};

/// Dense LU with partial pivoting, name "global". `rows`: the chosen rows of the Jacobian, n numbers, ascending.
std::unique_ptr<JacobianSolver> make_dense_solver(const coordinates::SparsePattern& pattern,
                                                  const std::vector<int>& rows);

/// KLU of SuiteSparse [DavisNatarajan2010], name "sparse": the order of elimination is found once, each factor()
/// reuses it and the pivots; new pivots are looked for when the old ones have become bad.
std::unique_ptr<JacobianSolver> make_sparse_solver(const coordinates::SparsePattern& pattern,
                                                   const std::vector<int>& rows);

}  // namespace eslabon::kinematics
