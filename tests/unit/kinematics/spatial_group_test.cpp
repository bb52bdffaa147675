// Groups in space that have a closed form, against Newton on constraint rows and against the joints themselves: for any
// motion of the links that a group hangs on. Their rates against central differences: spatial_group_rates_test.cpp.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/spatial_group_bench.hpp"
#include "tests/tolerances.hpp"
#include "tests/traced_group.hpp"
#include <gtest/gtest.h>

namespace eslabon::kinematics {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::JointType;
using test::Dice;
using test::driven_link;
using test::GroupBench;
using test::GroupCase;

/// Configurations of one case: what a test of every day can afford, or as many as the requirement asks for.
int num_configurations() { return std::getenv("ESLABON_FULL_SWEEPS") == nullptr ? 20'000 : 100'000; }

bool is_same_to_the_bit(const SpatialLink& a, const SpatialLink& b) {
  return a.R == b.R && a.p == b.p && a.w == b.w && a.v == b.v && a.alpha == b.alpha && a.a == b.a;
}

class SpatialDyad : public testing::TestWithParam<GroupCase> {
 protected:
  SpatialDyad() : bench(GetParam()) {}
  std::vector<GroupBranch> branches() const {
    return GetParam().is_concurrent ? std::vector<GroupBranch>{1, -1}
                                    : std::vector<GroupBranch>{1, -1, 2, -2};
  }
  /// The wanted branch alone, from links that tell nothing about it.
  bool solve_closed(GroupBranch wanted, std::vector<SpatialLink>& links) {
    GroupBranch branch = wanted;
    if (bench.closed().solve(bench.inputs, branch, links, bench.scratch) != GroupStatus::kSolved)
      return false;
    EXPECT_EQ(branch, wanted);
    return !is_near_toggle(bench, links);
  }
  GroupBench<SpatialLink> bench;
  Dice dice{core::Rng(11)};
};

TEST_P(SpatialDyad, HasAClosedFormAndAGeneralSolver) {
  EXPECT_EQ(bench.group().type, GetParam().type);
  EXPECT_EQ(bench.group().links.size(), 2u);
  EXPECT_TRUE(bench.groups.is_closed_form(bench.groups.num_groups() - 1));
  EXPECT_NE(bench.general, nullptr);
}

// The two sides share no formula: circles and lines on the one, Newton on constraint rows on the other.
TEST_P(SpatialDyad, ClosedFormEqualsTheGeneralSolver_OnEveryBranchForRandomMotionsOfTheOuterLinks) {
  std::vector<int> solved(branches().size(), 0);
  for (int k = 0; k < num_configurations(); ++k) {
    SCOPED_TRACE(k);
    std::vector<SpatialLink> links = bench.start;
    move_outer_links(bench, GetParam().is_concurrent, dice, links);
    const std::size_t which = dice.rng.uniform_index(solved.size());
    if (!solve_closed(branches()[which], links)) continue;
    ++solved[which];
    ASSERT_EQ(bench.closed().branch_at(bench.inputs, links, bench.scratch), branches()[which]);
    const std::vector<SpatialLink> begin = disturbed(bench, dice, links);

    std::vector<SpatialLink> newton = begin;
    GroupBranch general_branch = kNearestBranch;
    ASSERT_EQ(bench.general->solve(bench.inputs, general_branch, newton, bench.scratch),
              GroupStatus::kSolved);
    expect_same(bench, links, newton);
    ASSERT_EQ(bench.general->branch_at(bench.inputs, newton, bench.scratch), general_branch);
    if (general_branch != 0 && k % 16 == 0) {
      GroupBranch other = static_cast<GroupBranch>(-general_branch);
      newton = begin;
      ASSERT_NE(bench.general->solve(bench.inputs, other, newton, bench.scratch), GroupStatus::kSolved);
    }

    std::vector<SpatialLink> nearest = begin;
    GroupBranch branch = kNearestBranch;
    ASSERT_EQ(bench.closed().solve(bench.inputs, branch, nearest, bench.scratch), GroupStatus::kSolved);
    ASSERT_EQ(branch, branches()[which]);
    for (const structure::LinkIndex own : bench.group().links)
      ASSERT_TRUE(is_same_to_the_bit(nearest[own.slot()], links[own.slot()]));
    if (HasFatalFailure()) return;
  }
  for (std::size_t i = 0; i < solved.size(); ++i)
    EXPECT_GT(solved[i], num_configurations() / (20 * static_cast<int>(solved.size()))) << int{branches()[i]};
}

TEST_P(SpatialDyad, IsWrittenDownAsItIsSolved) {
  int compared = 0;
  for (int k = 0; k < 500; ++k) {
    std::vector<SpatialLink> begin = bench.start;
    move_outer_links(bench, GetParam().is_concurrent, dice, begin);
    for (const GroupBranch wanted : branches()) {
      std::vector<SpatialLink> links = begin;
      if (!solve_closed(wanted, links)) continue;
      ASSERT_LT(test::difference_when_written(bench.closed(), bench.inputs, wanted, begin, links), 1e-11);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST_P(SpatialDyad, AllBranchesCloseAndDiffer_ForRandomPositionsOfTheOuterLinks) {
  int compared = 0;
  for (int k = 0; k < num_configurations(); ++k) {
    SCOPED_TRACE(k);
    std::vector<SpatialLink> begin = bench.start;
    move_outer_links(bench, GetParam().is_concurrent, dice, begin);
    std::vector<std::vector<SpatialLink>> found;
    for (const GroupBranch wanted : branches()) {
      std::vector<SpatialLink> links = begin;
      if (!solve_closed(wanted, links)) continue;
      expect_closed(bench, links);
      ASSERT_EQ(bench.closed().branch_at(bench.inputs, links, bench.scratch), wanted);
      for (const auto& other : found) {
        ASSERT_GT(distance(bench, links, other), 1e-3);
        ++compared;
      }
      found.push_back(std::move(links));
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, num_configurations() / 10);
}

std::string name_of(const testing::TestParamInfo<GroupCase>& info) { return info.param.name; }

// Axes that no longer meet leave no position: three rows that repeated others do not any more.
TEST(SphericalDyad, IsOutOfReachWhenTheOuterAxesNoLongerMeet) {
  GroupBench<SpatialLink> bench(test::spherical_dyad("fff"));
  std::vector<SpatialLink> links = bench.start;
  links[bench.outer[1]].p += Vector3d(1e-3, 2e-3, -1e-3);
  GroupBranch branch = kNearestBranch;
  EXPECT_EQ(bench.closed().solve(bench.inputs, branch, links, bench.scratch), GroupStatus::kOutOfReach);
  links = bench.start;
  links[bench.outer[1]].p += Vector3d(1e-3, 2e-3, -1e-3);
  branch = kNearestBranch;
  EXPECT_EQ(bench.general->solve(bench.inputs, branch, links, bench.scratch), GroupStatus::kOutOfReach);
}

INSTANTIATE_TEST_SUITE_P(Types, SpatialDyad, testing::ValuesIn(test::spatial_dyads()), name_of);

// ---- Driven links ----------------------------------------------------------------------------------------------------

class SpatialDrivenLink : public testing::TestWithParam<GroupCase> {};

TEST_P(SpatialDrivenLink, ClosedFormEqualsTheGeneralSolver_ForRandomMotionsOfItsBaseAndInput) {
  GroupBench<SpatialLink> bench(GetParam());
  ASSERT_EQ(bench.group().type, GetParam().type);
  ASSERT_TRUE(bench.groups.is_closed_form(1));
  ASSERT_NE(bench.general, nullptr);
  Dice dice{core::Rng(12)};
  const int input = bench.group().inputs[0];
  const std::size_t own = bench.group().links[0].slot();
  for (int k = 0; k < num_configurations(); ++k) {
    SCOPED_TRACE(k);
    std::vector<SpatialLink> links = bench.start;
    move_outer_links(bench, false, dice, links);
    bench.inputs[static_cast<std::size_t>(input)] = {dice.number(3.0), dice.number(2.0), dice.number(2.0)};
    GroupBranch branch = kNearestBranch;
    ASSERT_EQ(bench.closed().solve(bench.inputs, branch, links, bench.scratch), GroupStatus::kSolved);
    ASSERT_EQ(branch, 0);
    expect_closed(bench, links);
    std::vector<SpatialLink> newton = disturbed(bench, dice, links);
    ASSERT_EQ(bench.general->solve(bench.inputs, branch, newton, bench.scratch), GroupStatus::kSolved);
    expect_same(bench, links, newton);
    // The pose of the second frame in the first, by what the coordinate is.
    const model::Joint& joint = bench.mechanism.joint(bench.group().joints[0]);
    const std::size_t first = static_cast<std::size_t>(bench.tree.link_of(joint.first())),
                      second = first == own ? bench.outer[0] : own;
    const Matrix3d R_WF1 = links[first].R * joint.ends[0].X_BF.R_AB.matrix(),
                   R_WF2 = links[second].R * joint.ends[1].X_BF.R_AB.matrix();
    const Vector3d across =
        links[second].position(joint.ends[1].X_BF.p_AB_A) - links[first].position(joint.ends[0].X_BF.p_AB_A);
    const double q = bench.inputs[static_cast<std::size_t>(input)].position;
    if (joint.type == JointType::kRevolute) {
      ASSERT_NEAR(R_WF1.col(0).dot(R_WF2.col(0)), std::cos(q), test::tolerance_scale() * 1e-13);
      ASSERT_NEAR(R_WF1.col(1).dot(R_WF2.col(0)), std::sin(q), test::tolerance_scale() * 1e-13);
    } else {
      ASSERT_NEAR(R_WF1.col(0).dot(across), q, test::tolerance_scale() * 1e-13);
    }
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SpatialDrivenLink,
                         testing::Values(driven_link('R', false), driven_link('R', true),
                                         driven_link('P', false), driven_link('P', true)),
                         name_of);

}  // namespace
}  // namespace eslabon::kinematics
