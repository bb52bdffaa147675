// What a tyre file may not be. Every bad_tyres/NAME.tir is a file with one fault, and bad_tyres/NAME.message the whole sentence a person
// reads: a new case is two new files.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/tyres/tyre_file.hpp"

namespace eslabon {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

const fs::path kBadTyres = ESLABON_SOURCE_DIR "/tests/contract/bad_tyres";
const fs::path kTyres = ESLABON_SOURCE_DIR "/tests/data/tyres";

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> names_in(const fs::path& folder, std::string_view extension) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string message(std::string_view text, const std::string& file_name = "f.tir") {
  try {
    io::read_tyre(text, file_name);
  } catch (const io::FileError& error) {
    return error.what();
  }
  return "no error";
}

class BadTyre : public testing::TestWithParam<std::string> {};

TEST_P(BadTyre, IsRefusedWithThisSentence) {
  const fs::path path = kBadTyres / GetParam();
  const std::string actual = message(bytes_of(path.string() + ".tir"), GetParam() + ".tir");
  EXPECT_EQ(actual + "\n", bytes_of(path.string() + ".message"));
}

INSTANTIATE_TEST_SUITE_P(Folder, BadTyre, testing::ValuesIn(names_in(kBadTyres, ".tir")),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(BadTyres, EveryMessage_HasItsFile) {
  EXPECT_EQ(names_in(kBadTyres, ".message"), names_in(kBadTyres, ".tir"));
}

TEST(HostileTyres, AMillionLines_AreRefusedUnread) {
  EXPECT_EQ(message(std::string(2'000'000, '\n')),
            "the file is too large [f.tir]: expected at most 1048576 bytes, got 2000000 bytes. Tyre files "
            "are small: "
            "check that this is the right file.");
}

TEST(HostileTyres, LongTexts_GiveShortSentences) {
  const std::string name(100'000, 'N');
  for (const std::string& text :
       {name, "[" + name + "]", "[MODEL]\n" + name, "[MODEL]\n" + name + " = 1", "[MODEL]\nLONGVL = " + name,
        "[UNITS]\nLENGTH = " + name, "[SHAPE]\n{}\n" + name}) {
    const std::string sentence = message(text);
    EXPECT_NE(sentence, "no error");
    EXPECT_LT(sentence.size(), 1200U);
  }
}

TEST(HostileTyres, CutAnywhere_AreReadOrRefused) {
  for (const std::string file : {"mfeval/MagicFormula61_Parameters.tir", "chrono/Sedan_Pac02Tire.tir"}) {
    const std::string text = bytes_of(kTyres / file);
    for (std::size_t size = 0; size < text.size(); size += 7) {
      const std::string sentence = message(std::string_view(text).substr(0, size));
      EXPECT_TRUE(sentence == "no error" || sentence.ends_with('.') || sentence.ends_with('?')) << sentence;
    }
  }
}

TEST(TyreWithoutCombinedSlip, IsRefusedWhereItIsAskedFor) {
  const io::TyreFile file = io::read_tyre(bytes_of(kTyres / "chrono/Sedan_Pac02Tire.tir"), "sedan.tir");
  try {
    static_cast<void>(file.with_combined_slip());
    FAIL();
  } catch (const io::FileError& error) {
    EXPECT_STREQ(
        error.what(),
        "the tyre has no combined slip [sedan.tir]: expected coefficients RBX1, RBX2, RCX1, RBY1, RBY2 and "
        "RCY1, got a file without them. Write 'slip: pure' for forces that do not know of each other, or give the coefficients.");
  }
}

TEST(TyreFilesOnDisk, WhatIsNoFile_IsRefused) {
  try {
    io::read_tyre_file(kTyres / "absent.tir");
    FAIL();
  } catch (const io::FileError& error) {
    EXPECT_THAT(error.what(), StartsWith("the file does not exist ["));
  }
}

}  // namespace
}  // namespace eslabon
