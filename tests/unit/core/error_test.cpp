#include "eslabon/core/text/error.hpp"

#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>

#include "eslabon/core/text/field_name.hpp"

namespace eslabon::core {
namespace {

const ErrorText kFull{.what = "a particle cannot move",
                      .where = "particle 'bob'",
                      .expected = "mass > 0 kg",
                      .actual = "0 kg",
                      .next = "Give it a mass."};

TEST(ErrorSentence, HasAllPartsInOrder) {
  EXPECT_EQ(to_sentence(kFull),
            "a particle cannot move [particle 'bob']: expected mass > 0 kg, got 0 kg. Give it a mass.");
}

TEST(ErrorSentence, DropsAnEmptyPartWithItsPunctuation) {
  EXPECT_EQ(to_sentence({.what = "nothing to do", .where = "", .expected = "", .actual = "", .next = ""}),
            "nothing to do.");
  EXPECT_EQ(to_sentence({.what = "odd", .where = "f.yaml:3:1", .expected = "", .actual = "7", .next = ""}),
            "odd [f.yaml:3:1]: got 7.");
  EXPECT_EQ(to_sentence({.what = "odd", .where = "", .expected = "even", .actual = "", .next = "Add one."}),
            "odd: expected even. Add one.");
}

TEST(ErrorSentence, HasPlainNamesOfFields_WhereThePartsHaveMarks) {
  const ModelError error({.what = "the time is too short",
                          .where = field("until"),
                          .expected = "",
                          .actual = "",
                          .next = "Leave " + field("largest_step") + " out."});
  EXPECT_STREQ(error.what(), "the time is too short [until]. Leave largest_step out.");
  EXPECT_EQ(marked_sentence(error.text()),
            "the time is too short [" + field("until") + "]. Leave " + field("largest_step") + " out.");
}

TEST(ModelError, PrintsTheSentenceAndKeepsTheParts) {
  const ModelError error(kFull);
  EXPECT_EQ(error.what(), to_sentence(kFull));
  EXPECT_EQ(error.text().where, "particle 'bob'");
}

TEST(ContractError, PrintsTheSentenceAndKeepsTheParts) {
  const ContractError error(kFull);
  EXPECT_EQ(error.what(), to_sentence(kFull));
  EXPECT_EQ(error.text().next, "Give it a mass.");
}

TEST(ErrorTypes, AreCaughtAsTheStandardOnesButNotAsEachOther) {
  static_assert(std::is_base_of_v<std::runtime_error, ModelError>);
  static_assert(std::is_base_of_v<std::logic_error, ContractError>);
  static_assert(!std::is_convertible_v<ModelError*, ContractError*>);
  EXPECT_THROW(throw ModelError(kFull), std::runtime_error);
  EXPECT_THROW(throw ContractError(kFull), std::logic_error);
}

}  // namespace
}  // namespace eslabon::core
