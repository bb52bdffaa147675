#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::benchmarks {

/// The rows that close the loops of a mechanism as [Seed004, eqs. (20)–(22)] writes them: of a cut revolute three of its point and three of its axis,
/// of a cut ball three of its point, of a rod one; by the coordinates of the tree.
struct LoopRows {
  int revolutes = 0, balls = 0, rods = 0;  ///< that are cut
  Eigen::MatrixXd Phi_z;                   ///< (rows × coordinates of the tree)
  std::vector<int> dependent;  ///< (rank) columns that Gaussian elimination with complete pivoting takes

  int rows() const { return static_cast<int>(Phi_z.rows()); }
  int rank() const { return static_cast<int>(dependent.size()); }
  /// Part of the entries of Φ_z^d, its dependent columns, that are not zero.
  double density() const;
};

/// At q, coordinates of the tree. Throws core::ModelError where something else than revolutes, balls and rods is cut.
LoopRows loop_rows(const model::Mechanism& mechanism, const structure::Structure& structure,
                   std::span<const double> q);

}  // namespace eslabon::benchmarks
