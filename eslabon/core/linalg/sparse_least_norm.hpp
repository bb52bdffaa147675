#pragma once

#include <span>

#include <Eigen/Core>

namespace eslabon::core {

/// One entry of a sparse matrix.
struct SparseEntry {
  int row = 0, column = 0;
  double value = 0.0;
};

/// Of all x with A x = b the shortest. Rows of A of which less than `tolerance` is not a combination of others are left out: where they
/// contradict those, A x − b shows it. A (b.size() × columns) by its entries, none of them twice, in any order; rows should be of like length.
///
/// Householder reflections, column by column of Aᵀ:  Aᵀ P = Q R,  Rᵀ y = Pᵀ b,  x = Q y  [GolubVanLoan2013, ch. 5]; P by COLAMD, for little
/// fill. Differs from Eigen::SparseQR: without memory it throws std::bad_alloc, where that ends in a null pointer (SparseMatrix::uncompress).
Eigen::VectorXd shortest_solution(std::span<const SparseEntry> A, Eigen::Index columns,
                                  const Eigen::VectorXd& b, double tolerance);

/// (columns × (columns − rank)) orthonormal: x that give A x = 0 for the same rows, the columns of Q beside those of y. Dense.
Eigen::MatrixXd sparse_null_space(std::span<const SparseEntry> A, Eigen::Index rows, Eigen::Index columns,
                                  double tolerance);

}  // namespace eslabon::core
