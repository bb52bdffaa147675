#include "eslabon/core/text/nearest_name.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

const std::vector<std::string> kBodies{"crank", "coupler", "rocker", "Wheel"};

// analytic: distances that can be counted by hand.
TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("crank", "crank"), 0);
  EXPECT_EQ(edit_distance("crank", "cranks"), 1);
  EXPECT_EQ(edit_distance("crank", "rank"), 1);
  EXPECT_EQ(edit_distance("crank", "crack"), 1);
  EXPECT_EQ(edit_distance("crank", "crnak"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
}

// A swapped pair may be edited further: ca → ac → abc. The common short form of the algorithm says 3.
TEST(EditDistance, AllowsAnInsertionBetweenASwappedPair) { EXPECT_EQ(edit_distance("ca", "abc"), 2); }

/// Every word over {a, b, c} of length ≤ 4 that one edit makes of `word`.
std::set<std::string> neighbours(const std::string& word) {
  std::set<std::string> out;
  for (std::size_t i = 0; i <= word.size(); ++i) {
    for (char c : {'a', 'b', 'c'}) {
      if (word.size() < 4) out.insert(word.substr(0, i) + c + word.substr(i));
      if (i < word.size()) out.insert(word.substr(0, i) + c + word.substr(i + 1));
    }
    if (i < word.size()) out.insert(word.substr(0, i) + word.substr(i + 1));
    if (i + 1 < word.size()) out.insert(word.substr(0, i) + word[i + 1] + word[i] + word.substr(i + 2));
  }
  return out;
}

// crosscheck, sharing no code: the distance is the length of the shortest path in the graph of single edits.
// A shortest path between words of length ≤ 3 needs no word longer than 4.
TEST(EditDistance, IsTheShortestPathOfSingleEdits) {
  for (const std::string start : {"", "a", "ab", "abc", "cab", "aab", "bca"}) {
    std::set<std::string> seen{start}, border{start};
    for (int distance = 0; !border.empty(); ++distance) {
      std::set<std::string> next;
      for (const std::string& word : border) {
        if (word.size() <= 3) {
          EXPECT_EQ(edit_distance(start, word), distance) << start << " to " << word;
        }
        for (const std::string& other : neighbours(word)) {
          if (seen.insert(other).second) next.insert(other);
        }
      }
      border = next;
    }
  }
}

TEST(EditDistance, IsSymmetric) {
  EXPECT_EQ(edit_distance("coupler", "rocker"), edit_distance("rocker", "coupler"));
  EXPECT_EQ(edit_distance("abc", "ca"), edit_distance("ca", "abc"));
}

TEST(NearestName, FindsAMisspeltName) {
  EXPECT_EQ(nearest_name("crnak", kBodies), "crank");
  EXPECT_EQ(nearest_name("couplr", kBodies), "coupler");
  EXPECT_EQ(nearest_name("ROCKR", kBodies), "rocker");
}

TEST(NearestName, PrefersTheNameThatDiffersInCaseOnly) {
  const std::vector<std::string> known{"p12", "P1"};
  EXPECT_EQ(nearest_name("p1", known), "P1");
  EXPECT_EQ(nearest_name("wheel", kBodies), "Wheel");
}

TEST(NearestName, TakesTheFirstOfSeveralEquallyNear) {
  const std::vector<std::string> known{"rod_2", "rod_3"};
  EXPECT_EQ(nearest_name("rod_1", known), "rod_2");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("spring", kBodies), std::nullopt);
  EXPECT_EQ(nearest_name("", kBodies), std::nullopt);
  EXPECT_EQ(nearest_name("crank", {}), std::nullopt);
  const std::vector<std::string> letters{"b"};
  EXPECT_EQ(nearest_name("a", letters), std::nullopt);
}

TEST(NearestName, AllowsOneEditInThreeLetters) {
  const std::vector<std::string> known{"abcdef"};
  EXPECT_EQ(nearest_name("abcdxy", known), "abcdef");
  EXPECT_EQ(nearest_name("abcxyz", known), std::nullopt);
}

}  // namespace
}  // namespace eslabon::core
