#include "eslabon/kinematics/global/jacobian_solver.hpp"

#include <cmath>
#include <limits>
#include <ostream>
#include <set>
#include <string>

#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Dense>
#include <gmock/gmock.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::SparsePattern;
using core::ContractError;
using core::Rng;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A Jacobian with a fixed pattern and values that a test may change.
struct Jacobian {
  SparsePattern pattern;
  std::vector<double> values;

  MatrixXd dense() const {
    MatrixXd J = MatrixXd::Zero(pattern.rows, pattern.columns);
    for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.columns); ++j)
      for (auto k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
        J(pattern.row_of_entry[static_cast<std::size_t>(k)], static_cast<Eigen::Index>(j)) =
            values[static_cast<std::size_t>(k)];
    return J;
  }
  void multiply_row(int row, double factor) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (pattern.row_of_entry[k] == row) values[k] *= factor;
  }
};

/// The entries of J that are not zero.
Jacobian jacobian_of(const MatrixXd& J) {
  Jacobian result;
  result.pattern.rows = static_cast<int>(J.rows());
  result.pattern.columns = static_cast<int>(J.cols());
  result.pattern.column_start.push_back(0);
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      if (J(i, j) == 0.0) continue;
      result.pattern.row_of_entry.push_back(static_cast<int>(i));
      result.values.push_back(J(i, j));
    }
    result.pattern.column_start.push_back(result.pattern.num_entries());
  }
  return result;
}

int index_below(int n, Rng& rng) {
  return static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(n)));
}

/// A regular n × n matrix with about four entries per row: one on a random permutation, so that no row or column
/// is empty and zeros stand on the diagonal, and three anywhere.
MatrixXd random_sparse(int n, Rng& rng) {
  std::vector<int> column(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = i;
  for (int i = n - 1; i > 0; --i)
    std::swap(column[static_cast<std::size_t>(i)], column[static_cast<std::size_t>(index_below(i + 1, rng))]);
  MatrixXd A = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) A(i, index_below(n, rng)) = rng.normal();
    A(i, column[static_cast<std::size_t>(i)]) = 2.0 + rng.uniform();
  }
  return A;
}

std::vector<int> all_rows(int n) {
  std::vector<int> rows;
  for (int i = 0; i < n; ++i) rows.push_back(i);
  return rows;
}

/// Sign of det A by a decomposition that shares no code with the solvers; no overflow for large n.
int sign_of_determinant(const MatrixXd& A) {
  const Eigen::FullPivLU<MatrixXd> lu(A);
  const auto pivots = lu.matrixLU().diagonal();
  int sign = static_cast<int>(lu.permutationP().determinant() * lu.permutationQ().determinant());
  for (Eigen::Index k = 0; k < pivots.size(); ++k)
    if (pivots(k) < 0.0) sign = -sign;
  return sign;
}

VectorXd solution(JacobianSolver& solver, const VectorXd& b, Eigen::Index n) {
  VectorXd x(n);
  solver.solve({b.data(), static_cast<std::size_t>(b.size())}, {x.data(), static_cast<std::size_t>(n)});
  return x;
}

VectorXd random_vector(Eigen::Index n, Rng& rng) {
  VectorXd b(n);
  for (double& value : b) value = rng.normal();
  return b;
}

/// A made of the rows that were chosen, each divided by its largest entry: what conditions are measured on.
MatrixXd scaled_rows(const MatrixXd& J, const std::vector<int>& rows) {
  MatrixXd A = J(rows, Eigen::all);
  for (Eigen::Index i = 0; i < A.rows(); ++i) A.row(i) /= A.row(i).cwiseAbs().maxCoeff();
  return A;
}

/// ‖x − x_ref‖ against FullPivLU of the scaled rows, in units of what the condition allows; n for the growth.
void expect_solves(JacobianSolver& solver, const MatrixXd& J, const std::vector<int>& rows, Rng& rng) {
  const Eigen::Index n = J.cols();
  const VectorXd b = random_vector(J.rows(), rng);
  const MatrixXd A = J(rows, Eigen::all);
  const MatrixXd A_scaled = scaled_rows(J, rows);
  const VectorXd b_scaled = (b(rows).array() / A.cwiseAbs().rowwise().maxCoeff().array()).matrix();
  const VectorXd expected = A_scaled.fullPivLu().solve(b_scaled);
  const VectorXd x = solution(solver, b, n);
  EXPECT_LE((x - expected).norm(),
            static_cast<double>(n) * test::solve_tolerance(A_scaled) * expected.norm());
  // Row by row the residual is a matter of roundoff, whatever the condition; 100 for the growth of the pivots.
  const VectorXd residual = (A_scaled * x - b_scaled).cwiseAbs();
  EXPECT_LE(residual.maxCoeff(),
            test::roundoff(100.0 * static_cast<double>(n), A_scaled.rowwise().norm().maxCoeff() * x.norm()));
  EXPECT_EQ(solver.determinant_sign(), sign_of_determinant(A));
}

struct Kind {
  std::string name;
  std::unique_ptr<JacobianSolver> (*make)(const SparsePattern&, const std::vector<int>&);
  friend std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }
};

class BothSolvers : public testing::TestWithParam<Kind> {
 protected:
  static std::unique_ptr<JacobianSolver> make(const SparsePattern& pattern, const std::vector<int>& rows) {
    return GetParam().make(pattern, rows);
  }
};

INSTANTIATE_TEST_SUITE_P(JacobianSolver, BothSolvers,
                         testing::Values(Kind{"global", &make_dense_solver},
                                         Kind{"sparse", &make_sparse_solver}),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(BothSolvers, HaveTheNameTheyAreAskedForBy) {
  EXPECT_EQ(make(jacobian_of(MatrixXd::Identity(2, 2)).pattern, {0, 1})->name(), GetParam().name);
}

// 1 … 130 covers less than one block of the dense solver, several, and several that are not full.
TEST_P(BothSolvers, AgreeWithFullPivoting_ForRandomMatrices) {
  Rng rng(11);
  std::set<int> signs;
  for (const int n : {1, 2, 3, 7, 8, 9, 20, 47, 48, 49, 97, 130}) {
    SCOPED_TRACE(n);
    const Jacobian J = jacobian_of(random_sparse(n, rng));
    const auto solver = make(J.pattern, all_rows(n));
    ASSERT_TRUE(solver->factor(J.values));
    expect_solves(*solver, J.dense(), all_rows(n), rng);
    signs.insert(solver->determinant_sign());
  }
  EXPECT_EQ(signs.size(), 2u) << "these matrices do not try both signs";
}

// 300 columns make more than one tile of a product.
TEST_P(BothSolvers, AgreeWithFullPivoting_ForALargeFullMatrix) {
  Rng rng(12);
  MatrixXd A(300, 300);
  for (double& entry : A.reshaped()) entry = rng.normal();
  const Jacobian J = jacobian_of(A);
  const auto solver = make(J.pattern, all_rows(300));
  ASSERT_TRUE(solver->factor(J.values));
  expect_solves(*solver, A, all_rows(300), rng);
}

TEST_P(BothSolvers, ReadTheChosenRowsOnly) {
  Rng rng(13);
  for (const int n : {1, 4, 30, 60}) {
    SCOPED_TRACE(n);
    const MatrixXd A = random_sparse(n, rng);
    MatrixXd redundant = MatrixXd::Zero(2 * n + 1, n);
    std::vector<int> rows;
    for (int i = 0; i < n; ++i) {
      rows.push_back(2 * i + index_below(2, rng));
      redundant.row(4 * i + 1 - rows.back()).setConstant(5.0);  // the other one of the pair 2 i, 2 i + 1
      redundant.row(rows.back()) = A.row(i);
    }
    Jacobian J = jacobian_of(redundant);
    const auto solver = make(J.pattern, rows);
    const std::set<int> chosen(rows.begin(), rows.end());
    for (std::size_t k = 0; k < J.values.size(); ++k)
      if (!chosen.contains(J.pattern.row_of_entry[k])) J.values[k] = std::nan("");
    ASSERT_TRUE(solver->factor(J.values));
    VectorXd b = random_vector(redundant.rows(), rng);
    const VectorXd x = solution(*solver, b, n);
    for (Eigen::Index i = 0; i < b.size(); ++i)
      if (!chosen.contains(static_cast<int>(i))) b(i) = std::nan("");
    EXPECT_EQ(solution(*solver, b, n), x);
    expect_solves(*solver, redundant, rows, rng);
  }
}

// Entries from 10⁻² to 10²: nothing of the old pivots is good any more.
TEST_P(BothSolvers, AgreeWithFullPivoting_EachTimeTheValuesChange) {
  Rng rng(14);
  Jacobian J = jacobian_of(random_sparse(20, rng));
  const auto solver = make(J.pattern, all_rows(20));
  std::set<int> signs;
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    for (double& value : J.values) value = rng.normal() * std::pow(10.0, 4.0 * rng.uniform() - 2.0);
    const MatrixXd A = J.dense();
    if (scaled_rows(A, all_rows(20)).partialPivLu().rcond() < 1e-10) continue;  // either verdict is right
    ASSERT_TRUE(solver->factor(J.values));
    expect_solves(*solver, A, all_rows(20), rng);
    signs.insert(solver->determinant_sign());
  }
  EXPECT_EQ(signs.size(), 2u) << "these matrices do not try both signs";
}

// analytic: rotation by φ; the entries that are pivots at φ = 0 vanish, exactly or nearly, at φ = π/2.
TEST_P(BothSolvers, FindNewPivots_WhenTheOldOnesVanish) {
  for (const double old_pivot : {0.0, 1e-300, 1e-17, 1e-10, 1e-6}) {
    SCOPED_TRACE(old_pivot);
    Jacobian J = jacobian_of((MatrixXd(3, 3) << 2.0, -1.0, 0.5, 1.0, 2.0, 0.5, 0.5, 0.5, 3.0).finished());
    const auto solver = make(J.pattern, all_rows(3));
    ASSERT_TRUE(solver->factor(J.values));
    EXPECT_EQ(solver->determinant_sign(), 1);
    const MatrixXd turned =
        (MatrixXd(3, 3) << old_pivot, -1.0, 0.25, 1.0, old_pivot, 0.5, 0.5, 0.75, old_pivot).finished();
    J.values.assign(turned.data(), turned.data() + turned.size());
    ASSERT_TRUE(solver->factor(J.values));
    Rng rng(15);
    expect_solves(*solver, turned, all_rows(3), rng);
  }
}

// A small old pivot in the first column makes L large, not U: the last row gets 1e10 in its second place, and
// nothing of it comes to the third column.
TEST_P(BothSolvers, FindNewPivots_WhenOnlyTheLowerFactorWouldGrow) {
  MatrixXd A =
      (MatrixXd(4, 4) << 1.0, 0.7, 0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.2, 0.3, 1.0, 0.4, 0.1, 0.2, 0.3, 1.0)
          .finished();
  for (Eigen::Index i = 0; i < 2; ++i) A.row(i).tail(2).setConstant(1e-3);
  Jacobian J = jacobian_of(A);
  const auto solver = make(J.pattern, all_rows(4));
  ASSERT_TRUE(solver->factor(J.values));
  for (Eigen::Index i = 0; i < 4; ++i) {
    MatrixXd changed = A;
    changed(i, i) = 1e-11;
    J.values.assign(changed.data(), changed.data() + changed.size());
    SCOPED_TRACE(i);
    ASSERT_TRUE(solver->factor(J.values));
    Rng rng(16);
    expect_solves(*solver, changed, all_rows(4), rng);
  }
}

TEST_P(BothSolvers, GiveTheSameSign_WithOldPivotsAndWithNew) {
  Rng rng(17);
  Jacobian J = jacobian_of(random_sparse(25, rng));
  const auto used = make(J.pattern, all_rows(25));
  ASSERT_TRUE(used->factor(J.values));
  for (int round = 0; round < 20; ++round) {
    for (double& value : J.values) value *= 1.0 + 0.2 * rng.normal();
    const auto fresh = make(J.pattern, all_rows(25));
    const bool is_regular = fresh->factor(J.values);
    ASSERT_EQ(used->factor(J.values), is_regular);
    if (!is_regular) continue;
    EXPECT_EQ(used->determinant_sign(), fresh->determinant_sign());
    EXPECT_EQ(used->determinant_sign(), sign_of_determinant(J.dense()));
  }
}

TEST_P(BothSolvers, RefuseASingularMatrix_AndRecover) {
  Rng rng(18);
  const MatrixXd A = random_sparse(12, rng);
  MatrixXd repeated = A;
  repeated.row(7) = -3.0 * A.row(2);
  MatrixXd J_union = A;  // the pattern holds both
  for (Eigen::Index j = 0; j < 12; ++j)
    if (J_union(7, j) == 0.0 && repeated(7, j) != 0.0) J_union(7, j) = 0.125;
  Jacobian J = jacobian_of(J_union);
  const std::vector<double> regular = J.values;
  std::vector<double> singular;
  for (std::size_t j = 0; j < 12; ++j)
    for (int k = J.pattern.column_start[j]; k < J.pattern.column_start[j + 1]; ++k)
      singular.push_back(
          repeated(J.pattern.row_of_entry[static_cast<std::size_t>(k)], static_cast<Eigen::Index>(j)));

  const auto solver = make(J.pattern, all_rows(12));
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(solver->factor(singular));
    EXPECT_LE(solver->pivot_ratio(), 12 * test::kEpsilon);
    EXPECT_THROW(static_cast<void>(solver->determinant_sign()), ContractError);
    ASSERT_TRUE(solver->factor(regular));
    expect_solves(*solver, J_union, all_rows(12), rng);
  }
}

TEST_P(BothSolvers, RefuseAMatrixThatIsSingularByItsPattern) {
  const Jacobian J = jacobian_of((MatrixXd(3, 3) << 1, 0, 0, 2, 0, 0, 3, 4, 5).finished());
  const auto solver = make(J.pattern, {0, 1, 2});
  EXPECT_FALSE(solver->factor(J.values));
  EXPECT_EQ(solver->pivot_ratio(), 0.0);
}

TEST_P(BothSolvers, RefuseZerosAndWhatIsNotFinite_AndRecover) {
  Rng rng(19);
  const Jacobian J = jacobian_of(random_sparse(6, rng));
  const auto solver = make(J.pattern, all_rows(6));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    ASSERT_TRUE(solver->factor(J.values));
    std::vector<double> one = J.values;
    one[3] = bad;
    EXPECT_FALSE(solver->factor(one)) << bad;
    EXPECT_EQ(solver->pivot_ratio(), 0.0);
  }
  EXPECT_FALSE(solver->factor(std::vector<double>(J.values.size(), 0.0)));
  EXPECT_EQ(solver->pivot_ratio(), 0.0);
  ASSERT_TRUE(solver->factor(J.values));
  expect_solves(*solver, J.dense(), all_rows(6), rng);
}

// What a row is measured in changes neither the verdict nor, beyond roundoff, the ratio of the pivots.
TEST_P(BothSolvers, DoNotMindTheUnitsOfTheRows) {
  Rng rng(20);
  const Jacobian J = jacobian_of(random_sparse(50, rng));
  const auto plain = make(J.pattern, all_rows(50));
  ASSERT_TRUE(plain->factor(J.values));
  Jacobian scaled = J;
  for (int i = 0; i < 50; ++i) scaled.multiply_row(i, std::pow(10.0, 12.0 * rng.normal()));
  const auto solver = make(J.pattern, all_rows(50));
  ASSERT_TRUE(solver->factor(scaled.values));
  expect_solves(*solver, scaled.dense(), all_rows(50), rng);
  EXPECT_EQ(solver->determinant_sign(), plain->determinant_sign());
  // 8: another pivot may be taken where two are nearly equal
  EXPECT_LE(std::abs(std::log(solver->pivot_ratio() / plain->pivot_ratio())), std::log(8.0));
}

TEST_P(BothSolvers, SeeASingularMatrixBehindTheUnitsOfItsRows) {
  MatrixXd A =
      (MatrixXd(3, 3) << 1.0, 2.0, 3.0, 0.5, -1.0, 0.25, 1.5, 1.0, 3.25).finished();  // row 2 = 0 + 1
  A.row(1) *= 1e-9;
  const Jacobian J = jacobian_of(A);
  const auto solver = make(J.pattern, all_rows(3));
  EXPECT_FALSE(solver->factor(J.values));
}

// analytic: triangular with pivots 1, 1/4, 1/2 after scaling.
TEST_P(BothSolvers, GiveTheRatioOfTheScaledPivots) {
  const Jacobian J =
      jacobian_of((MatrixXd(3, 3) << 3.0, 0.0, 0.0, 0.0, 0.25, 1.0, 0.0, 0.0, -2.0).finished());
  const auto solver = make(J.pattern, all_rows(3));
  ASSERT_TRUE(solver->factor(J.values));
  EXPECT_EQ(solver->determinant_sign(), -1);
  // the dense solver scales by powers of two, so by at most 2 less than the sparse one
  EXPECT_LE(std::abs(std::log2(solver->pivot_ratio() / 0.25)), 1.0);
}

TEST_P(BothSolvers, SolveWhereRightSideAndSolutionAreTheSameMemory) {
  Rng rng(21);
  const Jacobian J = jacobian_of(random_sparse(10, rng));
  const auto solver = make(J.pattern, all_rows(10));
  ASSERT_TRUE(solver->factor(J.values));
  VectorXd b = random_vector(10, rng);
  const VectorXd x = solution(*solver, b, 10);
  solver->solve({b.data(), 10}, {b.data(), 10});
  EXPECT_EQ(b, x);
}

TEST_P(BothSolvers, SolveNothing_WhenThereAreNoColumns) {
  for (const int m : {0, 2}) {
    SparsePattern pattern;
    pattern.rows = m;
    pattern.column_start = {0};
    const auto solver = make(pattern, {});
    ASSERT_TRUE(solver->factor({}));
    EXPECT_EQ(solver->determinant_sign(), 1);
    EXPECT_EQ(solver->pivot_ratio(), 1.0);
    EXPECT_EQ(solution(*solver, VectorXd::Ones(m), 0).size(), 0);
  }
}

TEST_P(BothSolvers, RefuseToBeCalledInTheWrongOrder) {
  const Jacobian J = jacobian_of(MatrixXd::Identity(2, 2));
  const auto solver = make(J.pattern, {0, 1});
  std::vector<double> x(2);
  EXPECT_EQ(
      test::sentence_of<ContractError>([&] { solver->solve(J.values, x); }),
      "there is no factored matrix [JacobianSolver::solve]: expected a call of factor that returned true, "
      "got none, or one that returned false. Call factor first and look at what it returns.");
  EXPECT_THROW(static_cast<void>(solver->determinant_sign()), ContractError);
  EXPECT_THROW(static_cast<void>(solver->pivot_ratio()), ContractError);
}

TEST_P(BothSolvers, RefuseNumbersThatDoNotFit) {
  const Jacobian J = jacobian_of((MatrixXd(3, 2) << 1, 0, 0, 1, 1, 1).finished());
  const auto solver = make(J.pattern, {0, 2});
  EXPECT_EQ(
      test::sentence_of<ContractError>([&] { static_cast<void>(solver->factor(std::vector<double>(3))); }),
      "the entries do not fit the Jacobian [JacobianSolver::factor]: expected 4 numbers, one per entry of "
      "the pattern, got 3. Use the pattern that the solver was made for.");
  ASSERT_TRUE(solver->factor(J.values));
  std::vector<double> two(2);
  std::vector<double> three(3);
  EXPECT_EQ(
      test::sentence_of<ContractError>([&] { solver->solve(two, two); }),
      "the right-hand side does not fit the Jacobian [JacobianSolver::solve]: expected 3 numbers, one per "
      "row, got 2. Use the pattern that the solver was made for.");
  EXPECT_EQ(
      test::sentence_of<ContractError>([&] { solver->solve(three, three); }),
      "the solution does not fit the Jacobian [JacobianSolver::solve]: expected 2 numbers, one per column, "
      "got 3. Use the pattern that the solver was made for.");
}

TEST_P(BothSolvers, RefuseRowsThatMakeNoSquareMatrix) {
  const SparsePattern pattern = jacobian_of((MatrixXd(3, 2) << 1, 0, 0, 1, 1, 1).finished()).pattern;
  EXPECT_EQ(test::sentence_of<ContractError>([&] { make(pattern, {0}); }),
            "the chosen rows make no square matrix [JacobianSolver]: expected 2 rows, one per column, got 1. "
            "Choose as many independent rows as there are columns.");
  EXPECT_EQ(
      test::sentence_of<ContractError>([&] {
        make(pattern, {2, 1});
      }),
      "the chosen rows are not rows of the Jacobian [JacobianSolver]: expected ascending numbers from 0 to "
      "2, got 1 after 2. Sort the rows and name each once.");
  EXPECT_THROW(make(pattern, {1, 3}), ContractError);
  EXPECT_THROW(make(pattern, {-1, 1}), ContractError);
  EXPECT_THROW(make(pattern, {1, 1}), ContractError);
}

}  // namespace
}  // namespace eslabon::kinematics
