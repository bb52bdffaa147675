// Dense decompositions by what defines them: products of the factors are the matrix, solutions leave no residual.
#include <cmath>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/random_matrix.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/linalg/cholesky.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/core/linalg/singular_values.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::core {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::random_matrix;

/// Symmetric, with eigenvalues of 1 and more.
MatrixXd random_positive(Rng& rng, Index n) {
  const MatrixXd A = random_matrix(rng, n, n);
  return A * A.transpose() + MatrixXd::Identity(n, n);
}

/// Roundoff of products of n × n matrices of this size.
double product_tolerance(const MatrixXd& A) {
  return test::roundoff(32.0 * static_cast<double>(A.rows() + A.cols()), A.norm());
}

// invariant
TEST(Lu, SolvesWhatItIsGiven) {
  Rng rng(1);
  for (const Index n : {1, 2, 5, 12, 40}) {
    const MatrixXd A = random_positive(rng, n), B = random_matrix(rng, n, 3);
    const Lu lu(A);
    EXPECT_LE((A * lu.solve(B) - B).norm(), test::solve_tolerance(A) * A.norm() * lu.solve(B).norm());
    const VectorXd b = B.col(0);
    VectorXd x;
    lu.solve(b, x);
    EXPECT_LE((A * x - b).norm(), test::solve_tolerance(A) * A.norm() * x.norm());
    EXPECT_EQ((x - lu.solve(b)).norm(), 0.0);
  }
}

// analytic: of permuted diagonals pivots and determinant are known.
TEST(Lu, TellsItsPivotsAndTheSignOfTheDeterminant) {
  MatrixXd A = MatrixXd::Zero(3, 3);
  A(0, 1) = 4.0, A(1, 0) = 2.0, A(2, 2) = 8.0;  // one exchange: det = −64
  EXPECT_EQ(Lu(A).smallest_pivot(), 2.0);
  EXPECT_EQ(Lu(A).largest_pivot(), 8.0);
  EXPECT_EQ(Lu(A).sign_of_determinant(), -1);
  const FullPivots pivots = full_pivots(A);
  EXPECT_EQ(pivots.smallest, 2.0);
  EXPECT_EQ(pivots.largest, 8.0);
  EXPECT_EQ(pivots.sign_of_determinant, -1);
  A(0, 1) = -4.0;
  EXPECT_EQ(Lu(A).sign_of_determinant(), 1);
  EXPECT_EQ(full_pivots(A).sign_of_determinant, 1);
  A(2, 2) = 0.0;
  EXPECT_EQ(Lu(A).sign_of_determinant(), 0);
  EXPECT_EQ(full_pivots(A).sign_of_determinant, 0);
  // A determinant that no double holds has a sign all the same.
  EXPECT_EQ(Lu(1e-200 * MatrixXd::Identity(4, 4)).sign_of_determinant(), 1);
}

// invariant
TEST(Lu, CopiesShareNothing) {
  Lu first(MatrixXd(2.0 * MatrixXd::Identity(2, 2)));
  const Lu second = first;
  first.compute(MatrixXd(4.0 * MatrixXd::Identity(2, 2)));
  EXPECT_EQ(second.largest_pivot(), 2.0);
  EXPECT_EQ(first.largest_pivot(), 4.0);
}

// alloc: of the same size nothing is taken from the heap.
TEST(Decompositions, TakeNoMemory_OnceTheyHadRoom) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  Rng rng(2);
  const MatrixXd A = random_positive(rng, 9);
  const VectorXd b = random_matrix(rng, 9, 1);
  VectorXd x(9);
  Lu lu(9);
  Ldlt ldlt(9);
  Cholesky cholesky(9);
  bool all = true;
  int sign = 0;
  EXPECT_EQ(test::count_allocations([&] {
              lu.compute(A);
              lu.solve(b, x);
              sign = lu.sign_of_determinant();
              all = ldlt.compute(A) && cholesky.compute(A);
              ldlt.solve_in_place(x);
              cholesky.whiten(x);
            }),
            0);
  EXPECT_TRUE(all);
  EXPECT_EQ(sign, 1);
}

// invariant
TEST(Cholesky, WhitensByItsRoot) {
  Rng rng(3);
  const MatrixXd A = random_positive(rng, 6);
  const VectorXd b = random_matrix(rng, 6, 1);
  Cholesky root;
  ASSERT_TRUE(root.compute(A));
  VectorXd white = b, solved = b;
  root.whiten(white);
  Ldlt ldlt;
  ASSERT_TRUE(ldlt.compute(A));
  ldlt.solve_in_place(solved);
  EXPECT_LE((A * solved - b).norm(), test::solve_tolerance(A) * A.norm() * solved.norm());
  EXPECT_NEAR(white.squaredNorm(), b.dot(solved), test::solve_tolerance(A) * b.squaredNorm());  // bᵀ A⁻¹ b
  EXPECT_NEAR(2.0 * root.log_of_root(), symmetric_eigenvalues(A).array().log().sum(), 1e-12);  // ln det A
  EXPECT_GT(ldlt.smallest_pivot(), 0.0);
  EXPECT_FALSE(root.compute(-A));
}

// invariant: (A P)ᵀ (A P) = Rᵀ R, pivots descend.
TEST(PivotedQr, HasTheProductsOfItsColumns) {
  Rng rng(4);
  for (const auto& [rows, columns] : std::vector<std::pair<Index, Index>>{{4, 7}, {7, 4}, {5, 5}}) {
    const MatrixXd A = random_matrix(rng, rows, columns);
    const PivotedQr qr = pivoted_qr(A);
    ASSERT_EQ(qr.R.rows(), std::min(rows, columns));
    const MatrixXd AP = A(Eigen::all, qr.columns);
    EXPECT_LE((AP.transpose() * AP - qr.R.transpose() * qr.R).norm(), product_tolerance(AP.transpose() * AP));
    for (Index k = 1; k < qr.R.rows(); ++k)
      EXPECT_GE(std::abs(qr.R(k - 1, k - 1)), std::abs(qr.R(k, k)) * (1.0 - 1e-12));
  }
}

// invariant: residuals are orthogonal to the columns; of the shortest solution nothing lies in the null space.
TEST(LeastSquares, LeavesWhatNoColumnReaches) {
  Rng rng(5);
  const MatrixXd A = random_matrix(rng, 9, 4);
  const VectorXd b = random_matrix(rng, 9, 1);
  EXPECT_LE((A.transpose() * (A * solve_least_squares(A, b) - b)).norm(), 1e-12);
  EXPECT_LE((A.transpose() * (A * solve_least_norm(A, b) - b)).norm(), 1e-12);
  const MatrixXd wide = A.transpose();
  const VectorXd x = solve_least_norm(wide, b.head(4));
  EXPECT_LE((wide * x - b.head(4)).norm(), 1e-12);
  EXPECT_LE((orthogonal_complement(A).transpose() * x).norm(), 1e-12);
}

// invariant, at every rank between none and all.
TEST(OrthogonalComplement, IsOrthonormalAndOrthogonal) {
  Rng rng(6);
  for (Index k = 0; k <= 5; ++k) {
    const MatrixXd B = random_matrix(rng, 5, k), N = orthogonal_complement(B);
    ASSERT_EQ(N.rows(), 5);
    ASSERT_EQ(N.cols(), 5 - k);
    EXPECT_LE((N.transpose() * N - MatrixXd::Identity(5 - k, 5 - k)).norm(), test::roundoff(200, 1.0));
    EXPECT_LE((B.transpose() * N).norm(), product_tolerance(B));
  }
}

// invariant
TEST(SingularValues, MakeUpTheMatrix) {
  Rng rng(7);
  const MatrixXd A = random_matrix(rng, 6, 4);
  const SingularValues svd = full_singular_values(A);
  EXPECT_LE((svd.U.leftCols(4) * svd.values.asDiagonal() * svd.V.transpose() - A).norm(),
            product_tolerance(A));
  EXPECT_LE((svd.U.transpose() * svd.U - MatrixXd::Identity(6, 6)).norm(), test::roundoff(400, 1.0));
  EXPECT_LE((singular_values(A) - svd.values).norm(), product_tolerance(A));
}

// invariant
TEST(Eigenvalues, AreThoseOfTheirVectors) {
  Rng rng(8);
  const MatrixXd S = random_positive(rng, 7), B = random_positive(rng, 7), A = random_matrix(rng, 7, 7);
  const SymmetricEigen symmetric = symmetric_eigen(S);
  EXPECT_LE((S * symmetric.vectors - symmetric.vectors * symmetric.values.asDiagonal()).norm(),
            product_tolerance(S));
  EXPECT_LE((symmetric_eigenvalues(S) - symmetric.values).norm(), product_tolerance(S));
  const SymmetricEigen of_two = generalized_symmetric_eigen(S, B);
  EXPECT_LE((S * of_two.vectors - B * of_two.vectors * of_two.values.asDiagonal()).norm(),
            test::solve_tolerance(B) * S.norm());
  EXPECT_LE((of_two.vectors.transpose() * B * of_two.vectors - MatrixXd::Identity(7, 7)).norm(),
            test::solve_tolerance(B) * B.norm());
  const GeneralEigen general = general_eigen(A);
  const Eigen::MatrixXcd complex = A.cast<std::complex<double>>();
  EXPECT_LE((complex * general.vectors - general.vectors * general.values.asDiagonal()).norm(),
            10.0 * product_tolerance(A));
}

}  // namespace
}  // namespace eslabon::core
