#include "eslabon/codegen/planned_factors.hpp"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::codegen {
namespace {

using dynamics::TracedMatrix;
using dynamics::TracedVector;

Eigen::MatrixXd random_matrix(Eigen::Index n, core::Rng& rng) {
  return Eigen::MatrixXd::NullaryExpr(n, n, [&] { return rng.normal(); });
}

Eigen::Matrix2d turned(double angle) {
  return (Eigen::Matrix2d() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle))
      .finished();
}

/// S⁻¹ b by a plan; constants are computed as they are written.
Eigen::VectorXd solved(const Eigen::MatrixXd& S, const EliminationPlan& plan, const Eigen::VectorXd& b) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const PlannedFactors factors(TracedMatrix(S.cast<core::Traced>()), plan);
  const TracedVector x = factors.solve(TracedVector(b.begin(), b.end()));
  Eigen::VectorXd out(b.size());
  for (Eigen::Index k = 0; k < b.size(); ++k) out[k] = x[static_cast<std::size_t>(k)].constant();
  return out;
}

double margin(const Eigen::MatrixXd& S, const EliminationPlan& plan) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  return PlannedFactors(TracedMatrix(S.cast<core::Traced>()), plan).margin().constant();
}

TEST(PlannedFactors, SolveAsAnotherFactorizationDoes) {
  core::Rng rng(7);
  for (int k = 0; k < 20; ++k) {
    const Eigen::MatrixXd S = random_matrix(6, rng);
    const Eigen::VectorXd b = random_matrix(6, rng).col(0), expected = S.partialPivLu().solve(b);
    EliminationPlan plan = plan_elimination({S}, {1.0, 1.0, 0.2, 1.0, 3.0, 1.0});
    const double tolerance = 1e-13 * (1.0 + expected.norm()) / S.partialPivLu().rcond();
    plan.method = EliminationPlan::Method::kPivots;
    EXPECT_LE((solved(S, plan, b) - expected).norm(), tolerance) << k;
    plan.method = EliminationPlan::Method::kOrthogonal;
    EXPECT_LE((solved(S, plan, b) - expected).norm(), tolerance) << k;
  }
}

TEST(PlannedFactors, TakePivotsThatAreLargeAtAllSamples) {
  // The first entry of the first column is larger at one sample, and 0 at the other.
  Eigen::Matrix2d first, second;
  first << 5.0, 1.0, 2.0, -1.5;
  second << 0.0, 1.0, 2.0, 0.3;
  const EliminationPlan plan = plan_elimination({first, second}, {1.0, 1.0});
  EXPECT_EQ(plan.method, EliminationPlan::Method::kPivots);
  EXPECT_NE(plan.pivots.front(), (std::pair<Eigen::Index, Eigen::Index>{0, 0}));
  EXPECT_GT(plan.smallest_pivot, 0.3);
}

TEST(PlannedFactors, NeedNoPivotsWhereNoOrderIsSafe) {
  // Every entry of a rotation is 0 somewhere.
  std::vector<Eigen::MatrixXd> samples;
  for (int k = 0; k < 64; ++k) samples.emplace_back(turned(0.1 * k));
  const EliminationPlan plan = plan_elimination(samples, {1.0, 1.0});
  EXPECT_EQ(plan.method, EliminationPlan::Method::kOrthogonal);
  const Eigen::Vector2d b(0.3, -1.2);
  for (const Eigen::MatrixXd& S : samples) {
    EXPECT_LE((solved(S, plan, b) - S.transpose() * b).norm(), 1e-15 * 10.0);
    EXPECT_NEAR(margin(S, plan), 1.0, 1e-14);
  }
}

TEST(PlannedFactors, TellHowFarFromSingularTheyAre) {
  Eigen::Matrix2d sample, S;
  sample << 1.0, 1.0, 1.0, -1.0;
  S << 1.0, 1.0, 1.0, 1.0 + 1e-6;
  EliminationPlan plan = plan_elimination({sample}, {1.0, 1.0});
  EXPECT_NEAR(margin(S, plan), 0.5e-6, 1e-8);  // the pivot 1e-6 in a column of size 2
  plan.method = EliminationPlan::Method::kOrthogonal;
  plan.column_sizes = {std::sqrt(2.0), std::sqrt(2.0)};
  EXPECT_NEAR(margin(S, plan), 0.5e-6, 1e-8);  // 1e-6/√2 beside the first column, of size √2
}

TEST(PlannedFactors, SeeAColumnThatVanishes) {
  const EliminationPlan plan = plan_elimination({Eigen::MatrixXd::Constant(1, 1, 2.0)}, {1.0});
  EXPECT_NEAR(margin(Eigen::MatrixXd::Constant(1, 1, 1e-9), plan), 0.5e-9, 1e-20);
  EXPECT_EQ(margin(Eigen::MatrixXd::Zero(1, 1), plan), 0.0);
}

TEST(PlannedFactors, EliminateWhatStandsAloneFirst) {
  // An arrow: with the full row and column first all entries would fill.
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(5, 5) * 2.0;
  S.row(0).setOnes();
  S.col(0).setOnes();
  const EliminationPlan plan = plan_elimination({S}, std::vector<double>(5, 1.0));
  for (std::size_t k = 0; k + 2 < plan.pivots.size(); ++k) {
    EXPECT_NE(plan.pivots[k].first, 0);
    EXPECT_NE(plan.pivots[k].second, 0);
  }
}

}  // namespace
}  // namespace eslabon::codegen
