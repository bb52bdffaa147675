#include "eslabon/core/text/field_name.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

std::string as_option(std::string_view text) {
  return with_field_words(text, [](std::string_view name) {
    std::string option = "--" + std::string(name);
    std::ranges::replace(option, '_', '-');
    return option;
  });
}

const std::string kOpen = field("").substr(0, 3), kClose = field("").substr(3);

TEST(FieldName, IsSaidInTheWordsOfTheReader_OrPlain) {
  const std::string text = "Give " + field("largest_step") + ", or " + field("until") + ".";
  EXPECT_EQ(as_option(text), "Give --largest-step, or --until.");
  EXPECT_EQ(without_marks(text), "Give largest_step, or until.");
  EXPECT_EQ(as_option(field("a") + field("b")), "--a--b");
}

TEST(FieldName, IsNotWhatAUserMayType) {
  for (const std::string text : {"", "until", "‹until›", "<until>", "--until", "\xEF\xB7", "m\xC3\xA9tal"})
    EXPECT_EQ(as_option(text), text);
}

// Text of a user with the marks themselves: they go, and take nothing of the message with them.
TEST(FieldName, MarksThatEncloseNoNameAreLeftOut_AndNamesAfterThemAreSaid) {
  EXPECT_EQ(as_option("got '" + kOpen + "a b' with " + field("until")), "got 'a b' with --until");
  EXPECT_EQ(as_option(kOpen + kOpen + "until" + kClose + kClose), "--until");
  EXPECT_EQ(as_option(kClose + "x" + kOpen), "x");
  EXPECT_EQ(as_option(kOpen + kClose), "");
  EXPECT_EQ(as_option(kOpen + "../x" + kClose), "../x");
  EXPECT_EQ(as_option("'" + kOpen + "until"), "'until");
}

}  // namespace
}  // namespace eslabon::core
