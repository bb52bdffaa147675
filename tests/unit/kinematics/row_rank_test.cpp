// Rank, null space and repeated rows of mechanisms against an SVD and least squares, which share nothing with Gram and Schmidt.
#include "eslabon/kinematics/freedoms/row_rank.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/known_mobility.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/QR>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "eslabon/kinematics/assembly/assembly.hpp"

namespace eslabon::kinematics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The Jacobian of a mechanism where it stands, with lengths in units of its size as RowRank has them.
struct Jacobian {
  Jacobian(const model::Mechanism& mechanism, const std::string& kind)
      : structure(structure::analyse_structure(mechanism)), system(kind, mechanism, structure, {}) {
    const AssemblyReport assembly = assemble(mechanism, structure);
    EXPECT_TRUE(assembly.usable());
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(assembly.bodies, {q, v, a});
    system.evaluate_positions(q, {}, positions);
    A = system.dense(positions.Phi_q);
    for (int c = 0; c < system.num_coordinates(); ++c)
      if (system.coordinates()[static_cast<std::size_t>(c)].dimension == core::kLength)
        A.col(c) *= coordinates::length_scale(mechanism);
    // Rows of roundoff are rows of zeros.
    for (Eigen::Index r = 0; r < A.rows(); ++r)
      A.row(r) *= A.row(r).norm() > 1e-10 ? 1.0 / A.row(r).norm() : 0.0;
  }
  structure::Structure structure;
  coordinates::ConstraintSystem system;
  coordinates::PositionLevel positions;
  MatrixXd A;
};

MatrixXd rows_of(const MatrixXd& A, const std::vector<int>& rows) {
  MatrixXd chosen(static_cast<Eigen::Index>(rows.size()), A.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) chosen.row(static_cast<Eigen::Index>(i)) = A.row(rows[i]);
  return chosen;
}

/// All mechanisms of known_mobility.hpp in one kind of coordinates.
class RankInEveryKind : public testing::TestWithParam<std::string> {
 protected:
  template <class Check>
  void for_all(Check check) const {
    for (const test::KnownMobility& known : test::known_mobility_mechanisms()) {
      SCOPED_TRACE(known.name);
      const Jacobian jacobian(known.mechanism, GetParam());
      check(jacobian, rank_rows_in_order(jacobian.system, jacobian.positions.Phi_q));
    }
  }
};

TEST_P(RankInEveryKind, EqualsSvd_AndSplitsTheRows) {
  for_all([](const Jacobian& jacobian, const RowRank& rank) {
    if (jacobian.A.size() > 0) {
      Eigen::JacobiSVD<MatrixXd> svd(jacobian.A);
      svd.setThreshold(1e-9);
      EXPECT_EQ(rank.rank, svd.rank());
    } else {
      EXPECT_EQ(rank.rank, 0);
    }
    EXPECT_EQ(rank.independent_rows.size(), static_cast<std::size_t>(rank.rank));
    EXPECT_EQ(rank.independent_rows.size() + rank.repeated_rows.size(),
              static_cast<std::size_t>(jacobian.A.rows()));
    EXPECT_TRUE(std::ranges::is_sorted(rank.independent_rows));
    // The verdict is sure: between what counts and what does not lie many powers of ten.
    EXPECT_GT(rank.least_independent, 1e-5);
    EXPECT_LT(rank.largest_repeated, 1e-11);
  });
}

TEST_P(RankInEveryKind, NullSpaceIsOrthonormalAndMovesNoRow) {
  for_all([](const Jacobian& jacobian, const RowRank& rank) {
    const MatrixXd& Z = rank.null_space;
    ASSERT_EQ(Z.rows(), jacobian.A.cols());
    ASSERT_EQ(Z.cols(), jacobian.A.cols() - rank.rank);
    if (Z.cols() == 0) return;
    const double n = static_cast<double>(Z.rows());
    EXPECT_LE((Z.transpose() * Z - MatrixXd::Identity(Z.cols(), Z.cols())).cwiseAbs().maxCoeff(),
              test::roundoff(32 * n, 1.0));
    if (jacobian.A.rows() == 0) return;
    EXPECT_LE((jacobian.A * Z).cwiseAbs().maxCoeff(), test::roundoff(64 * n / rank.least_independent, 1.0));
  });
}

TEST_P(RankInEveryKind, RepeatedRowIsACombinationOfExactlyTheRowsNamed_AllBeforeIt) {
  for_all([](const Jacobian& jacobian, const RowRank& rank) {
    for (const RepeatedRow& repeated : rank.repeated_rows) {
      const VectorXd row = jacobian.A.row(repeated.row).transpose();
      if (repeated.rows.empty()) {
        EXPECT_LE(row.norm(), 1e-12);
        continue;
      }
      EXPECT_LT(repeated.rows.back(), repeated.row);
      const MatrixXd others = rows_of(jacobian.A, repeated.rows).transpose();
      const VectorXd x = others.colPivHouseholderQr().solve(row);
      EXPECT_LE((others * x - row).norm(), 1e-5) << "what is left out is below a millionth";
      for (const double factor : x) EXPECT_GT(std::abs(factor), 1e-7) << "each row named takes part";
    }
  });
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, RankInEveryKind, testing::Values("natural", "reference-point", "relative"),
                         name_of);

// A door on two hinges: what the second hinge repeats is found at the second hinge, never at the first.
TEST(RowRank, RepeatsAreFoundWhereTheLoopCloses) {
  for (const test::KnownMobility& known : test::known_mobility_mechanisms()) {
    if (known.name != "door on two hinges") continue;
    const Jacobian jacobian(known.mechanism, "reference-point");
    const RowRank rank = rank_rows_in_order(jacobian.system, jacobian.positions.Phi_q);
    ASSERT_EQ(rank.repeated_rows.size(), 5u);
    const auto closing = jacobian.structure.tree.loops.at(0).closing_joint;
    for (const RepeatedRow& repeated : rank.repeated_rows)
      EXPECT_EQ(std::get<model::JointIndex>(jacobian.system.label(repeated.row).source), closing);
    return;
  }
  FAIL() << "the door is gone from known_mobility.cpp";
}

}  // namespace
}  // namespace eslabon::kinematics
