#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "tests/allocation_counter.hpp"
#include <Eigen/Core>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/kinematics/global/jacobian_solver.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::SparsePattern;

/// A band of 2 · width + 1 diagonals, at most.
SparsePattern band(int n, int width) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = n;
  pattern.column_start.push_back(0);
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - width); i < std::min(n, j + width + 1); ++i)
      pattern.row_of_entry.push_back(i);
    pattern.column_start.push_back(pattern.num_entries());
  }
  return pattern;
}

std::vector<int> all_rows(int n) {
  std::vector<int> rows;
  for (int i = 0; i < n; ++i) rows.push_back(i);
  return rows;
}

/// Allocations of three rounds of factor and solve after the first, with values that change by 1 % each time.
long count_after_the_first(JacobianSolver& solver, const SparsePattern& pattern) {
  core::Rng rng(31);
  std::vector<double> values(pattern.row_of_entry.size());
  for (double& value : values) value = rng.normal();
  std::vector<double> b(static_cast<std::size_t>(pattern.rows), 1.0);
  std::vector<double> x(static_cast<std::size_t>(pattern.columns));
  bool is_regular = solver.factor(values);
  const long count = test::count_allocations([&] {
    for (int round = 0; round < 3; ++round) {
      for (double& value : values) value *= 1.0 + 0.01 * rng.normal();
      is_regular = solver.factor(values) && is_regular;
      solver.solve(b, x);
      is_regular = solver.determinant_sign() != 0 && solver.pivot_ratio() > 0.0 && is_regular;
    }
  });
  EXPECT_TRUE(is_regular);
  return count;
}

class JacobianSolverHeap : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::kCanCountAllocations) GTEST_SKIP() << "this build has a malloc of its own";
  }
};

TEST_F(JacobianSolverHeap, CounterSeesNewMallocAndEigen) {
  static std::unique_ptr<int> number;  // static: else the compiler may leave the pair of new and delete out
  EXPECT_EQ(test::count_allocations([] { number = std::make_unique<int>(1); }), 1);
  EXPECT_EQ(test::count_allocations([] { Eigen::VectorXd::Zero(100).eval(); }), 1);
  void* volatile block = nullptr;
  EXPECT_EQ(test::count_allocations([&] { block = std::malloc(10); }), 1);
  std::free(block);
}

// 600: Eigen's own decomposition goes to the heap there.
TEST_F(JacobianSolverHeap, DenseSolverTakesNothing_AfterTheFirstFactor) {
  for (const int n : {1, 10, 50, 200, 600}) {
    const SparsePattern pattern = band(n, n);
    EXPECT_EQ(count_after_the_first(*make_dense_solver(pattern, all_rows(n)), pattern), 0) << n;
  }
}

TEST_F(JacobianSolverHeap, SparseSolverTakesNothing_WhileItsPivotsAreGood) {
  for (const int n : {1, 10, 50, 200, 600}) {
    const SparsePattern pattern = band(n, 2);
    EXPECT_EQ(count_after_the_first(*make_sparse_solver(pattern, all_rows(n)), pattern), 0) << n;
  }
}

}  // namespace
}  // namespace eslabon::kinematics
