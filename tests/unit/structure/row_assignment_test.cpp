#include "eslabon/structure/row_assignment.hpp"

#include <algorithm>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::structure {
namespace {

struct Bar {
  int first;
  int second;
};

/// A random multigraph of bars between links; some between the same two links, so that redundancy is common.
std::vector<Bar> random_bars(core::Rng& rng, int links, int bars) {
  std::vector<Bar> list;
  for (int i = 0; i < bars; ++i) {
    const int first = static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(links)));
    int second = static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(links - 1)));
    if (second >= first) ++second;
    list.push_back({first, second});
  }
  return list;
}

/// Rank of the Jacobian of the bars, whose end points are random in the world: the row of a bar along the
/// unit vector u through the point p is (u, p × u) for one body and its negative for the other; link 0 is
/// fixed. By Tay's theorem the count is exact for such points, and nothing here knows how the count is made.
int numerical_rank(core::Rng& rng, const std::vector<Bar>& bars, int links, bool is_planar) {
  const int k = is_planar ? 3 : 6;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<int>(bars.size()), k * links);
  for (std::size_t r = 0; r < bars.size(); ++r) {
    Eigen::Vector3d p, u;
    for (int i = 0; i < 3; ++i) {
      p(i) = 2.0 * rng.uniform() - 1.0;
      u(i) = 2.0 * rng.uniform() - 1.0;
    }
    if (is_planar) p.z() = u.z() = 0.0;
    u.normalize();
    const Eigen::Vector3d moment = p.cross(u);
    Eigen::VectorXd row(k);
    if (is_planar)
      row << u.x(), u.y(), moment.z();
    else
      row << u, moment;
    J.block(static_cast<int>(r), k * bars[r].first, 1, k) = row.transpose();
    J.block(static_cast<int>(r), k * bars[r].second, 1, k) = -row.transpose();
  }
  if (J.rows() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J.rightCols(k * (links - 1)));
  qr.setThreshold(1e-9);  // random rows of unit size: independent ones stand far above roundoff
  return static_cast<int>(qr.rank());
}

class RandomFrameworks : public ::testing::TestWithParam<bool> {};

TEST_P(RandomFrameworks, CountedRankIsTheRankOfTheJacobian) {
  const bool is_planar = GetParam();
  const int k = is_planar ? 3 : 6;
  core::Rng rng(20240611);
  for (int trial = 0; trial < 600; ++trial) {
    const int links = 2 + static_cast<int>(rng.uniform_index(7));
    const int bars = static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(k * links + 4)));
    const auto list = random_bars(rng, links, bars);
    RowAssignment assignment(links, k);
    int counted = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
      counted +=
          assignment.add_rows(static_cast<int>(i), LinkIndex(list[i].first), LinkIndex(list[i].second), 1);
    ASSERT_EQ(counted, numerical_rank(rng, list, links, is_planar)) << "trial " << trial;
    EXPECT_EQ(assignment.total_free_freedoms(), k * (links - 1) - counted);
  }
}

/// Rank of rows between any number of links: a random vector of each link, so that their sum is 0; what moves as one body moves none.
int numerical_rank_of_sets(core::Rng& rng, const std::vector<std::vector<LinkIndex>>& rows, int links,
                           int k) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<int>(rows.size()), k * links);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(k);
    for (std::size_t i = 0; i + 1 < rows[r].size(); ++i) {
      Eigen::RowVectorXd own(k);
      for (int c = 0; c < k; ++c) own[c] = 2.0 * rng.uniform() - 1.0;
      sum += own;
      J.block(static_cast<int>(r), k * rows[r][i].value(), 1, k) = own;
    }
    J.block(static_cast<int>(r), k * rows[r].back().value(), 1, k) = -sum;
  }
  if (J.rows() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J.rightCols(k * (links - 1)));
  qr.setThreshold(1e-9);
  return static_cast<int>(qr.rank());
}

// Rows of couplings hold three and more links; mixed with those of joints the count is still the rank of general position.
TEST_P(RandomFrameworks, CountedRankIsTheRankOfTheJacobian_WithRowsBetweenManyLinks) {
  const int k = GetParam() ? 3 : 6;
  core::Rng rng(20261119);
  for (int trial = 0; trial < 400; ++trial) {
    const int links = 3 + static_cast<int>(rng.uniform_index(5));
    const int count = static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(k * links + 4)));
    std::vector<std::vector<LinkIndex>> rows;
    RowAssignment assignment(links, k);
    int counted = 0;
    for (int i = 0; i < count; ++i) {
      const std::size_t size = 2 + rng.uniform_index(static_cast<std::uint64_t>(std::min(links, 4) - 1));
      std::vector<LinkIndex> row;
      while (row.size() < size) {
        const LinkIndex link(static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(links))));
        if (std::ranges::find(row, link) == row.end()) row.push_back(link);
      }
      counted += size == 2 ? assignment.add_rows(i, row[0], row[1], 1) : assignment.add_row(i, row) ? 1 : 0;
      rows.push_back(std::move(row));
    }
    ASSERT_EQ(counted, numerical_rank_of_sets(rng, rows, links, k)) << "trial " << trial;
    EXPECT_EQ(assignment.total_free_freedoms(), k * (links - 1) - counted);
    assignment.settle();
    EXPECT_EQ(assignment.free_freedoms(kFrame), k);
  }
}

TEST_P(RandomFrameworks, FrameOwnsNoRow_AndNoLinkMoreThanItsFreedoms) {
  const int k = GetParam() ? 3 : 6;
  core::Rng rng(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int links = 2 + static_cast<int>(rng.uniform_index(9));
    RowAssignment assignment(links, k);
    for (const Bar& bar : random_bars(rng, links, k * links))
      (void)assignment.add_rows(0, LinkIndex(bar.first), LinkIndex(bar.second),
                                1 + static_cast<int>(rng.uniform_index(static_cast<std::uint64_t>(k))));
    assignment.settle();
    EXPECT_TRUE(assignment.rows_of(kFrame).empty());
    EXPECT_EQ(assignment.free_freedoms(kFrame), k);
    for (int link = 1; link < links; ++link) {
      const auto owned = static_cast<int>(assignment.rows_of(LinkIndex(link)).size());
      EXPECT_EQ(owned + assignment.free_freedoms(LinkIndex(link)), k);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, RandomFrameworks, ::testing::Values(true, false));

TEST(RowAssignment, RowsWithinOneLink_AreNeverIndependent) {
  RowAssignment assignment(3, 3);
  EXPECT_EQ(assignment.add_rows(0, LinkIndex(1), LinkIndex(1), 2), 0);
}

TEST(RowAssignment, MoreRowsThanFreedomsBetweenTwoLinks_KeepsOnlyThoseThatCount) {
  RowAssignment assignment(2, 6);
  EXPECT_EQ(assignment.add_rows(0, kFrame, LinkIndex(1), 5), 5);
  EXPECT_EQ(assignment.add_rows(1, LinkIndex(1), kFrame, 5), 1);
}

}  // namespace
}  // namespace eslabon::structure
