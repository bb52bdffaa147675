#include "eslabon/core/text/name_list.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

TEST(QuotedList, ReadsAsASentence) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(quoted_list({}), "nothing");
  EXPECT_EQ(quoted_list(std::span(names).first(1)), "'a'");
  EXPECT_EQ(quoted_list(std::span(names).first(2)), "'a' or 'b'");
  EXPECT_EQ(quoted_list(names), "'a', 'b' or 'c'");
}

TEST(QuotedList, ShowsTenNamesAndCountsTheRest) {
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  EXPECT_EQ(quoted_list(std::span(names).first(10)), "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i' or 'j'");
  EXPECT_EQ(quoted_list(names), "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j' or 2 more");
}

TEST(NameList, JoinsNames) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined(names), "a, b, c");
  EXPECT_EQ(joined(names, "|"), "a|b|c");
  EXPECT_EQ(conjunction({}), "");
  EXPECT_EQ(conjunction(std::span(names).first(1)), "a");
  EXPECT_EQ(conjunction(std::span(names).first(2)), "a and b");
  EXPECT_EQ(conjunction(names), "a, b and c");
}

TEST(NameList, CountsTheNamesThatALineHasNoRoomFor) {
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g"};
  EXPECT_EQ(listed(std::span(names).first(6)), "a, b, c, d, e, f");
  EXPECT_EQ(listed(names), "a, b, c, d, e, f and 1 more");
  EXPECT_EQ(listed(names, 2), "a, b and 5 more");
  EXPECT_EQ(listed({}), "");
}

}  // namespace
}  // namespace eslabon::core
