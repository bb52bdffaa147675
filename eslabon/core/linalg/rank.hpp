#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

namespace eslabon::core {

/// The rank of a matrix, and how sure it is.
struct [[nodiscard]] RankReport {
  int rank = 0;
  /// |r_ii| at or below this counts as zero, in the units of A. Default ε max(m, n) |r₁₁|.
  double tolerance = 0.0;
  /// (smallest |r_ii| accepted) / (largest rejected), with the tolerance for the accepted one when the
  /// rank is 0; infinity when nothing but exact zeros was rejected. Near 1 the rank is a guess.
  double pivot_gap = 0.0;
  /// (rank) columns of A that span the others, ascending.
  std::vector<int> independent_columns;
  /// (n × (n − rank)) orthonormal basis of { x : A x = 0 }.
  Eigen::MatrixXd null_space;
};

/// A row that says nothing new:  A.row(row) = Σ coefficients[k] A.row(rows[k]).
struct DependentRow {
  int row;                           ///< index in A
  std::vector<int> rows;             ///< independent rows that it repeats, ascending; empty for a zero row
  std::vector<double> coefficients;  ///< same size as rows, none negligible
};

/// Which rows of a matrix carry its rank, and what the others repeat.
struct [[nodiscard]] RowReport {
  int rank = 0;
  double tolerance = 0.0;                    ///< as in RankReport
  double pivot_gap = 0.0;                    ///< as in RankReport
  std::vector<int> independent_rows;         ///< (rank) ascending
  std::vector<DependentRow> dependent_rows;  ///< (m − rank) ascending
};

/// Rank and null space of A (m × n, any sizes, 0 too).
/// `tolerance`, if given, is absolute: |r_ii| ≤ tolerance counts as zero. Rows of different units must be
/// scaled by the caller first: the rank of a matrix in doubles depends on its scaling.
/// Cost O(m n min(m, n)). Throws ContractError when an entry is not finite or the tolerance is negative.
RankReport analyse_rank(const Eigen::MatrixXd& A, std::optional<double> tolerance = std::nullopt);

/// The same for the rows. Which of several equivalent rows is called dependent is decided by the pivoting,
/// which prefers long rows: of two equal ones, either may be kept.
RowReport analyse_rows(const Eigen::MatrixXd& A, std::optional<double> tolerance = std::nullopt);

}  // namespace eslabon::core
