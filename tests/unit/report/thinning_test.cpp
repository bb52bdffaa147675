#include "eslabon/report/data/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::report {
namespace {

using Table = std::vector<std::vector<double>>;  // by columns

std::vector<std::size_t> kept(const Table& table, std::size_t most) {
  return kept_rows({table.begin(), table.end()}, table.front().size(), most);
}

/// Columns that wander, each with a spike of one row up and one down; some with steps, so that many rows are equal.
Table wandering(std::size_t columns, std::size_t rows, std::uint64_t seed) {
  core::Rng rng(seed);
  Table table(columns, std::vector<double>(rows));
  for (std::size_t c = 0; c < columns; ++c) {
    double x = 0.0;
    for (double& value : table[c])
      value = c % 3 == 2 ? std::floor(x += rng.uniform() - 0.5) : x += rng.uniform() - 0.5;
    table[c][static_cast<std::size_t>(rng.uniform() * static_cast<double>(rows))] = 1e6;
    table[c][static_cast<std::size_t>(rng.uniform() * static_cast<double>(rows))] = -1e6;
  }
  return table;
}

TEST(Thinning, KeepsAll_WhenThereAreFew) {
  EXPECT_THAT(kept({{3.0, 1.0, 2.0}}, 3), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(kept({{3.0, 1.0}}, 1), testing::ElementsAre(0, 1));
  EXPECT_THAT(kept({{3.0}}, 0), testing::ElementsAre(0));
  EXPECT_TRUE(kept_rows({}, 0, 10).empty());
}

// analytic: two runs of four rows, by hand. Runs are (5 9 5 5), (5 1 7 5).
TEST(Thinning, KeepsWhereEachRunIsLeastAndLargest) {
  EXPECT_THAT(kept({{5.0, 9.0, 5.0, 5.0, 5.0, 1.0, 7.0, 5.0}}, 5), testing::ElementsAre(0, 1, 5, 6, 7));
  EXPECT_THAT(kept({{5.0, 9.0, 5.0, 5.0, 5.0, 1.0, 7.0, 5.0}}, 4), testing::ElementsAre(0, 1, 5, 7));
}

// invariant: at most so many; increasing; first and last; no extreme of any column is lost, though it is one row wide.
TEST(Thinning, KeepsTheExtremesOfEveryColumn_WithSpikesOneRowWide) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::size_t columns = 1 + seed % 7;
    const std::size_t rows = 1000 + 37 * seed;
    const Table table = wandering(columns, rows, seed);
    for (const std::size_t most : {2 + 2 * columns, std::size_t{60}, std::size_t{333}, rows - 1}) {
      const std::vector<std::size_t> rows_kept = kept(table, most);
      EXPECT_LE(rows_kept.size(), most);
      EXPECT_TRUE(std::is_sorted(rows_kept.begin(), rows_kept.end()));
      EXPECT_EQ(std::adjacent_find(rows_kept.begin(), rows_kept.end()), rows_kept.end());
      EXPECT_EQ(rows_kept.front(), 0u);
      EXPECT_EQ(rows_kept.back(), rows - 1);
      for (const std::vector<double>& column : table) {
        double least = HUGE_VAL, largest = -HUGE_VAL;
        for (const std::size_t row : rows_kept) {
          least = std::min(least, column[row]);
          largest = std::max(largest, column[row]);
        }
        EXPECT_EQ(least, *std::min_element(column.begin(), column.end()));
        EXPECT_EQ(largest, *std::max_element(column.begin(), column.end()));
      }
    }
  }
}

// invariant: the look of a column stays. Any 1/64 of the rows that lies between kept runs has the same extremes, whatever else moves.
TEST(Thinning, KeepsTheExtremesOfParts_NotOnlyOfTheWhole) {
  const std::size_t rows = 1 << 14;
  const Table table = wandering(3, rows, 99);
  const std::vector<std::size_t> rows_kept = kept(table, 2 + 2 * 3 * 64);  // as much as 64 runs can need
  for (const std::vector<double>& column : table)
    for (std::size_t part = 0; part < 64; ++part) {
      const auto begin = column.begin() + static_cast<std::ptrdiff_t>(part * rows / 64);
      const double largest = *std::max_element(begin, begin + rows / 64);
      double largest_kept = -HUGE_VAL;
      for (const std::size_t row : rows_kept)
        if (row / (rows / 64) == part) largest_kept = std::max(largest_kept, column[row]);
      EXPECT_EQ(largest_kept, largest) << part;
    }
}

// invariant: less room keeps a part of what more room keeps, and the rows kept do not become fewer.
TEST(Thinning, KeepsAPartOfWhatMoreRoomKeeps) {
  const Table table = wandering(4, 3001, 7);
  std::vector<std::size_t> before = kept(table, 10);
  for (std::size_t most = 11; most <= 3001; most += 13) {
    const std::vector<std::size_t> now = kept(table, most);
    EXPECT_TRUE(std::includes(now.begin(), now.end(), before.begin(), before.end())) << most;
    before = now;
  }
  EXPECT_GT(before.size(), 1500u);
}

TEST(Thinning, UsesHalfOfTheRoomAtLeast_WhenRowsDifferEverywhere) {
  const Table table = wandering(2, 100000, 8);
  for (const std::size_t most : {100u, 1000u, 10000u, 50000u})
    EXPECT_GE(kept(table, most).size(), most / 2 - 4);
}

TEST(Thinning, KeepsFirstAndLast_WhenNothingChanges) {
  const std::vector<std::size_t> rows = kept({std::vector<double>(100, 1.0)}, 10);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 99u);
  EXPECT_LE(rows.size(), 10u);
  EXPECT_THAT(kept_rows({}, 100, 10), testing::ElementsAre(0, 99));
}

TEST(EvenlyKept, HasFirstAndLastAndEqualGaps) {
  EXPECT_THAT(evenly_kept(11, 6), testing::ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(evenly_kept(3, 5), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(evenly_kept(9, 1), testing::ElementsAre(0));
  EXPECT_THAT(evenly_kept(9, 0), testing::ElementsAre(0));
  EXPECT_TRUE(evenly_kept(0, 5).empty());
  const std::vector<std::size_t> positions = evenly_kept(1001, 300);
  for (std::size_t k = 1; k < positions.size(); ++k) {
    EXPECT_GE(positions[k] - positions[k - 1], 3u);
    EXPECT_LE(positions[k] - positions[k - 1], 4u);
  }
}

}  // namespace
}  // namespace eslabon::report
