#pragma once

#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::kinematics {

/// A row that says nothing new, and the rows before it that say the same together.
struct RepeatedRow {
  int row;
  std::vector<int> rows;  ///< ascending; empty for a row of zeros
};

/// Which rows of a Jacobian are independent, taken in their order.
struct [[nodiscard]] RowRank {
  int rank = 0;
  std::vector<int> independent_rows;       ///< (rank) ascending
  std::vector<RepeatedRow> repeated_rows;  ///< (rows − rank) ascending
  /// (n × (n − rank)) orthonormal basis of the motions that no row forbids, lengths in units of the mechanism's size.
  Eigen::MatrixXd null_space;
  /// Least part of an independent row that the rows before it do not have, and largest of a repeated one, both of rows
  /// of unit length. Far apart when the verdict is sure.
  double least_independent = 1.0;
  double largest_repeated = 0.0;
};

/// Takes rows one after the other and keeps those of which more than 1e-8 is not a combination of the rows kept before,
///   a ← a − B Bᵀ a   (twice),   B orthonormal,   kept when |a| > 1e-8                               (1)
/// so that a repeated row is always the later one: of bodies and joints in the order of the spanning tree, the one that
/// closes a loop. Rows are scaled to unit length, lengths of coordinates to the mechanism's size.
/// Cost: O(rows · rank · n), dense.
RowRank rank_rows_in_order(const coordinates::ConstraintSystem& system, const std::vector<double>& Phi_q);

/// Coordinates that some row has an entry for, ascending; no row says anything about the others, which are free.
std::vector<int> coordinates_in_rows(const coordinates::ConstraintSystem& system);

/// The same of these coordinates alone, which are all that are in rows: `null_space` has one row for each of them. An open chain of n
/// bodies has none, and costs nothing.
RowRank rank_rows_in_order(const coordinates::ConstraintSystem& system, const std::vector<double>& Phi_q,
                           const std::vector<int>& coordinates);

/// Number of rows up to which dense analyses are affordable.
inline constexpr int kDenseLimit = 1500;

}  // namespace eslabon::kinematics
