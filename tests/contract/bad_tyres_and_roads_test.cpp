// What a tyre file and a road file may not be. Every bad_tyres/NAME.tir and bad_roads/NAME.crg is a file with one fault, and NAME.message beside
// it the whole sentence a person reads: a new case is two new files.

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
#include "eslabon/io/roads/crg_file.hpp"
#include "eslabon/io/tyres/tyre_file.hpp"

namespace eslabon {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

const fs::path kContract = ESLABON_SOURCE_DIR "/tests/contract";
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

template <class Read>
std::string sentence_of(Read read) {
  try {
    read();
  } catch (const io::FileError& error) {
    return error.what();
  }
  return "no error";
}

std::string message(std::string_view text, const std::string& file_name = "f.tir") {
  return sentence_of([&] { io::read_tyre(text, file_name); });
}
std::string message_of_road(std::string_view text, const std::string& file_name = "f.crg") {
  return sentence_of([&] { io::read_crg(text, file_name); });
}

/// Files of one kind, with one fault each.
struct BadFile {
  std::string folder, name, extension;
  std::string (*message)(std::string_view text, const std::string& file_name);
  friend std::ostream& operator<<(std::ostream& out, const BadFile& file) { return out << file.name; }
};

std::vector<BadFile> bad_files() {
  std::vector<BadFile> all;
  for (const std::string& name : names_in(kContract / "bad_tyres", ".tir"))
    all.push_back({"bad_tyres", name, ".tir", &message});
  for (const std::string& name : names_in(kContract / "bad_roads", ".crg"))
    all.push_back({"bad_roads", name, ".crg", &message_of_road});
  return all;
}

class BadDataFile : public testing::TestWithParam<BadFile> {};

TEST_P(BadDataFile, IsRefusedWithThisSentence) {
  const BadFile& file = GetParam();
  const fs::path path = kContract / file.folder / file.name;
  const std::string actual = file.message(bytes_of(path.string() + file.extension), file.name + file.extension);
  EXPECT_EQ(actual + "\n", bytes_of(path.string() + ".message"));
}

INSTANTIATE_TEST_SUITE_P(Folder, BadDataFile, testing::ValuesIn(bad_files()), [](const auto& file) {
  std::string name = file.param.folder + "_" + file.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(BadDataFiles, EveryMessage_HasItsFile) {
  EXPECT_EQ(names_in(kContract / "bad_tyres", ".message"), names_in(kContract / "bad_tyres", ".tir"));
  EXPECT_EQ(names_in(kContract / "bad_roads", ".message"), names_in(kContract / "bad_roads", ".crg"));
}

TEST(HostileRoads, LongTexts_GiveShortSentences) {
  const std::string name(100'000, 'N');
  for (const std::string& text :
       {name, "$" + name, "$ROAD_CRG\n" + name, "$ROAD_CRG\n" + name + " = 1",
        "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = " + name, "$KD_DEFINITION\n#:" + name,
        "$KD_DEFINITION\n#:LRFI\nD:" + name + "\n$\n$$$$\n", "$KD_DEFINITION\n#:LRFI\nD:long section 1,m\n$$\n" + name}) {
    const std::string sentence = message_of_road(text);
    EXPECT_NE(sentence, "no error");
    EXPECT_LT(sentence.size(), 1200U);
  }
}

TEST(HostileRoads, CutAnywhere_AreReadOrRefused) {
  const std::string text = bytes_of(ESLABON_SOURCE_DIR "/tests/data/roads/curved-banked-sloped.crg");
  for (std::size_t size = 0; size < text.size(); size += 7) {
    const std::string sentence = message_of_road(std::string_view(text).substr(0, size));
    EXPECT_TRUE(sentence == "no error" || sentence.ends_with('.') || sentence.ends_with('?')) << sentence;
  }
}

TEST(RoadFilesOnDisk, WhatIsNoFile_IsRefused) {
  EXPECT_THAT(sentence_of([] { io::read_crg_file(kContract / "absent.crg"); }),
              StartsWith("the file does not exist ["));
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
  EXPECT_THAT(sentence_of([] { io::read_tyre_file(kTyres / "absent.tir"); }),
              StartsWith("the file does not exist ["));
}

}  // namespace
}  // namespace eslabon
