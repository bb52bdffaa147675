#include "eslabon/structure/grashof.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::structure {
namespace {

using std::numbers::pi;

struct TableRow {
  FourBarLengths lengths;
  const char* name;
  bool is_grashof;
};

class Table4 : public ::testing::TestWithParam<TableRow> {};

TEST_P(Table4, ClassFollowsFromTheSigns) {
  EXPECT_EQ(name(classify(GetParam().lengths)), GetParam().name);
  EXPECT_EQ(is_grashof(GetParam().lengths), GetParam().is_grashof);
}

// Seed 000, Table 4, a set of lengths (g, a, h, b) for each row; the first two are the seed's own.
INSTANTIATE_TEST_SUITE_P(NineRows, Table4,
                         ::testing::Values(TableRow{{2, 4, 3, 4}, "crank-crank", true},
                                           TableRow{{4, 2, 3, 4}, "crank-rocker", true},
                                           TableRow{{4, 4, 3, 2}, "rocker-crank", true},
                                           TableRow{{4, 4, 2, 3}, "rocker-rocker", true},
                                           TableRow{{3, 5, 3, 2.5}, "0-rocker-0-rocker", false},
                                           TableRow{{2.5, 3, 3, 5}, "pi-rocker-pi-rocker", false},
                                           TableRow{{2.5, 3, 5, 3}, "pi-rocker-0-rocker", false},
                                           TableRow{{5, 3, 3, 2.5}, "0-rocker-pi-rocker", false},
                                           TableRow{{3, 3, 3, 3}, "folding", true}));

/// Whether the four-bar closes with the input at θ: circles about its tip and about the output's pivot meet.
bool closes_at(const FourBarLengths& l, double theta) {
  const double s = std::hypot(l.ground - l.input * std::cos(theta), l.input * std::sin(theta));
  return s <= l.floating + l.output && s >= std::abs(l.floating - l.output);
}

bool is_in(const std::vector<AngleRange>& ranges, double theta) {
  for (const AngleRange& range : ranges)
    for (const double turn : {-2.0 * pi, 0.0, 2.0 * pi})
      if (theta + turn >= range.first && theta + turn <= range.last) return true;
  return false;
}

TEST(InputRange, IsWhereTheCirclesMeet_ForRandomFourBars) {
  core::Rng rng(1234);
  int seen[9] = {};
  for (int trial = 0; trial < 2000; ++trial) {
    const FourBarLengths lengths{0.2 + rng.uniform(), 0.2 + rng.uniform(), 0.2 + rng.uniform(),
                                 0.2 + rng.uniform()};
    const auto ranges = input_ranges(lengths);
    if (!ranges.empty()) ++seen[static_cast<int>(classify(lengths))];
    for (int i = 0; i < 90; ++i) {
      const double theta = -pi + 2.0 * pi * (i + 0.37) / 90.0;
      EXPECT_EQ(is_in(ranges, theta), closes_at(lengths, theta)) << "trial " << trial << " theta " << theta;
    }
  }
  for (int row = 0; row < 8; ++row) EXPECT_GT(seen[row], 0) << "no four-bar of row " << row;
}

TEST(InputRange, RockersHaveTwoMirroredRanges_AndCranksOneFullTurn) {
  EXPECT_EQ(input_ranges({4, 4, 2, 3}).size(), 2u);
  const auto crank = input_ranges({4, 2, 3, 4});
  ASSERT_EQ(crank.size(), 1u);
  EXPECT_DOUBLE_EQ(crank[0].last - crank[0].first, 2.0 * pi);
}

TEST(InputRange, OfBarsThatCannotMeet_IsEmpty) {
  EXPECT_TRUE(input_ranges({10, 2, 3, 4}).empty());
  EXPECT_FALSE(can_close({10, 2, 3, 4}));
}

/// Where a bar can be says what it is: full turn, or which of 0 and π its swing holds.
std::string kind_of(const FourBarLengths& lengths) {
  const auto ranges = input_ranges(lengths);
  if (ranges.size() == 2) return "rocker";
  if (ranges.front().last - ranges.front().first > 2.0 * pi - 1e-9) return "crank";
  return ranges.front().first < 0.0 ? "0-rocker" : "pi-rocker";
}

// The table says what input and output do; the ranges, computed from circles, must say the same. Seen from
// the output, lengths are mirrored: its own angle counts from the line to the input's pivot, so 0 and π
// change places.
TEST(GrashofClass, NamesInputAndOutputAsTheirRangesDo) {
  core::Rng rng(77);
  for (int trial = 0; trial < 3000; ++trial) {
    const FourBarLengths l{0.2 + rng.uniform(), 0.2 + rng.uniform(), 0.2 + rng.uniform(),
                           0.2 + rng.uniform()};
    if (!can_close(l) || classify(l) == GrashofClass::kFolding) continue;
    std::string output = kind_of({l.ground, l.output, l.floating, l.input});
    if (output == "0-rocker")
      output = "pi-rocker";
    else if (output == "pi-rocker")
      output = "0-rocker";
    EXPECT_EQ(name(classify(l)), kind_of(l) + "-" + output) << "trial " << trial;
  }
}

}  // namespace
}  // namespace eslabon::structure
