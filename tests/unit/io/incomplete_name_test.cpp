#include "eslabon/io/files/incomplete_name.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace eslabon::io {
namespace {

// A visitor is a plain function, as in a handler of signals: what it sees and does lives here.
std::vector<std::string> seen;
std::optional<IncompleteName> forgotten, remembered;

std::vector<std::string> names() {
  seen.clear();
  IncompleteName::visit_all([](const char* path) { seen.emplace_back(path); });
  std::ranges::sort(seen);
  return seen;
}

TEST(IncompleteName, IsSeenAsLongAsItLives) {
  EXPECT_EQ(names(), std::vector<std::string>{});
  const IncompleteName first("folder/first");
  {
    const IncompleteName second("second"), none(std::string(100'000, 'x'));  // no file can have the last
    EXPECT_EQ(names(), (std::vector<std::string>{"folder/first", "second"}));
  }
  EXPECT_EQ(names(), std::vector<std::string>{"folder/first"});
}

TEST(IncompleteName, IsSeenHoweverManyThereAre) {
  std::vector<std::string> all;
  for (int k = 1000; k < 1700; ++k) all.push_back(std::to_string(k));
  std::deque<IncompleteName> remembered_all;
  for (const std::string& name : all) remembered_all.emplace_back(name);
  EXPECT_EQ(names(), all);
  remembered_all.clear();
  EXPECT_EQ(names(), std::vector<std::string>{});
}

// What another thread does in the middle of a visit.
TEST(IncompleteName, StaysWhereItIsRead_ThoughItIsForgottenAndOthersAreRemembered) {
  forgotten.emplace("the first name");
  seen.clear();
  IncompleteName::visit_all([](const char* path) {
    if (forgotten) {
      forgotten.reset();
      remembered.emplace("another");
    }
    seen.emplace_back(path);
  });
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0], "the first name");
  EXPECT_EQ(names(), std::vector<std::string>{"another"});
  remembered.reset();
}

}  // namespace
}  // namespace eslabon::io
