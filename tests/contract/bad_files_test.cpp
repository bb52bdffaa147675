// What a mechanism file may not be. Every folder entry bad/NAME.yaml is a file with one fault, and
// bad/NAME.message the whole sentence a person reads: a new case is two new files. What is too large to store
// is made here.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/processor_clock.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

const fs::path kBadFiles = ESLABON_SOURCE_DIR "/tests/contract/bad";
const fs::path kBadParts = ESLABON_SOURCE_DIR "/tests/contract/bad_parts";
const fs::path kModels = ESLABON_SOURCE_DIR "/models";

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The names, without extension, of the files of a folder that have this extension; in alphabetical order.
std::vector<std::string> names_in(const fs::path& folder, std::string_view extension) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// Reads and analyses a text; returns the sentence of its ModelError, or "no error".
std::string message(std::string_view text, const std::string& file_name = "f.yaml") {
  try {
    structure::analyse_structure(io::read_mechanism(text, file_name));
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t k = 0; k < times; ++k) text += part;
  return text;
}

// ---- One fault each, with its exact sentence ----------------------------------------------------

class BadFile : public testing::TestWithParam<std::string> {};

TEST_P(BadFile, IsRefusedWithThisSentence) {
  const fs::path path = kBadFiles / GetParam();
  std::string expected = bytes_of(path.string() + ".message");
  ASSERT_TRUE(expected.ends_with('\n')) << "bad/" << GetParam() << ".message is missing or not a whole line";
  expected.pop_back();
  EXPECT_EQ(message(bytes_of(path.string() + ".yaml"), GetParam() + ".yaml"), expected);
}

INSTANTIATE_TEST_SUITE_P(Folder, BadFile, testing::ValuesIn(names_in(kBadFiles, ".yaml")),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(BadFiles, EveryMessage_HasItsFile) {
  EXPECT_EQ(names_in(kBadFiles, ".message"), names_in(kBadFiles, ".yaml"));
  EXPECT_EQ(names_in(kBadParts, ".message"), names_in(kBadParts, ".yaml"));
}

// ---- The same of files with parts, which stand in bad_parts/parts. The variant 'chosen' is taken where there is one. -----------

class BadParts : public testing::TestWithParam<std::string> {};

std::string message_of_parts(const std::string& name) {
  const std::string text = bytes_of(kBadParts / (name + ".yaml"));
  const io::ReadRequest request{
      .variant = text.find("chosen:") != std::string::npos ? "chosen" : "",
      .text_of_file = [](const fs::path& path) { return io::read_file_text(kBadParts / path); }};
  try {
    structure::analyse_structure(io::read_described_mechanism(text, name + ".yaml", request).mechanism);
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST_P(BadParts, AreRefusedWithThisSentence) {
  std::string expected = bytes_of(kBadParts / (GetParam() + ".message"));
  ASSERT_TRUE(expected.ends_with('\n'))
      << "bad_parts/" << GetParam()
      << ".message is missing or not a whole line: " << message_of_parts(GetParam());
  expected.pop_back();
  EXPECT_EQ(message_of_parts(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(Folder, BadParts, testing::ValuesIn(names_in(kBadParts, ".yaml")),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// ---- Too much of everything ---------------------------------------------------------------------

TEST(HostileFiles, NestingOfTwentyThousandLevels_IsRefused) {
  constexpr std::size_t kLevels = 20'000;
  const std::string_view too_deep = "the file is nested too deeply [f.yaml:";
  EXPECT_THAT(message("a: " + repeated("[", kLevels) + repeated("]", kLevels)), StartsWith(too_deep));
  EXPECT_THAT(message("a: " + repeated("{a: ", kLevels) + "1" + repeated("}", kLevels)),
              StartsWith(too_deep));
  EXPECT_THAT(message("a:\n" + repeated("- ", kLevels) + "1\n"), StartsWith(too_deep));
  std::string by_indentation;  // 20 000 levels would be 200 MB, and refused for that
  for (std::size_t k = 0; k < kLevels / 10; ++k) by_indentation += std::string(k, ' ') + "a:\n";
  EXPECT_THAT(message(by_indentation), StartsWith(too_deep));
}

TEST(HostileFiles, NestingThatIsNeverClosed_IsRefused) {
  EXPECT_THAT(message("a: " + repeated("[", 20'000)), HasSubstr("[f.yaml:"));
  EXPECT_THAT(message("a: " + repeated("{a: ", 20'000)), HasSubstr("[f.yaml:"));
}

TEST(HostileFiles, MoreThanAMillionValues_AreRefused) {
  EXPECT_THAT(message("outputs:\n" + repeated("- a\n", 1'000'001)),
              StartsWith("the file holds too much [f.yaml:"));
  EXPECT_THAT(message("outputs: [" + repeated("a,", 1'000'001) + "a]"),
              StartsWith("the file holds too much [f.yaml]"));
}

TEST(HostileFiles, SeventeenMebibytes_AreRefusedUnread) {
  EXPECT_EQ(message(std::string(std::size_t{17} * 1024 * 1024, ' ')),
            "the file is too large [f.yaml]: expected at most 16777216 bytes, got 17825792 bytes. Mechanism "
            "files are "
            "small: check that this is the right file.");
}

TEST(HostileFiles, LongTexts_GiveShortSentences) {
  const std::string name(100'000, 'n');
  for (const std::string& text :
       {name + ": 1\n", "mechanism: m\nbodies: {" + name + ": 1}\n", "mechanism: m\nplane: " + name + "\n",
        "mechanism: m\nparameters: {" + name + ": 1}\n", "mechanism: m\nparameters: {a: " + name + "}\n",
        "mechanism: m\nbodies: {b: {}}\njoints: {j: {revolute: [" + name + "." + name + ", b.b]}}\n",
        "mechanism: m\nbodies: {b: {}}\njoints: {j: {free: [ground.O, b.O]}}\noutputs: [" + name + "]\n"}) {
    const std::string sentence = message(text);
    EXPECT_NE(sentence, "no error");
    EXPECT_LT(sentence.size(), 2000U);
    EXPECT_THAT(sentence, HasSubstr("[f.yaml:"));
  }
}

TEST(HostileFiles, LongNames_AreNotComparedLetterByLetter) {
  const std::string name(10'000, 'n');  // a table of all pairs of letters would take 400 MB
  const test::ProcessorClock clock;
  const std::string sentence =
      message("mechanism: m\nplane: xy\nground: {points: {O: [0, 0]}}\nbodies:\n  ? " + name +
              "\n  : {points: {O: [0, 0]}}\njoints: {j: {revolute: [ground.O, " + name + "x.O]}}\n");
  EXPECT_THAT(sentence,
              StartsWith("no such body [f.yaml:7:24, joint 'j', revolute]: expected a body: 'ground' or 'n"));
  EXPECT_LT(clock.seconds(), 0.2);
}

TEST(HostileFiles, CutCharacters_DoNotReachTheSentence) {
  // Messages show 60 bytes of a text: the cut falls inside one of these two-byte characters.
  const std::string sentence =
      message("mechanism: m\nparameters: {a: = x" + repeated("\xC3\xB1", 60) + "}\n");
  EXPECT_THAT(sentence, HasSubstr("\xC3\xB1\xE2\x80\xA6'"));
}

// ---- Files on disk ------------------------------------------------------------------------------

class FilesOnDisk : public testing::Test {
 protected:
  FilesOnDisk() : folder_(fs::path(testing::TempDir()) / "eslabon_bad_files_test") {
    fs::create_directories(folder_);
  }
  ~FilesOnDisk() override { fs::remove_all(folder_); }

  static std::string failure(const fs::path& path) {
    try {
      io::read_mechanism_file(path);
    } catch (const core::ModelError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(FilesOnDisk, HundredMegabytes_AreRefusedAtOnce) {
  const fs::path path = folder_ / "large.yaml";
  { std::ofstream(path) << "mechanism: large\n"; }
  fs::resize_file(path, 100'000'000);  // sparse
  const test::ProcessorClock clock;
  EXPECT_EQ(failure(path),
            "the file is too large [" + path.string() +
                "]: expected at most 16777216 bytes, got 100000000 bytes. Mechanism files are small: "
                "check that this is the right file.");
  EXPECT_LT(clock.seconds(), 0.05);
}

TEST_F(FilesOnDisk, WhatIsNoFile_IsRefused) {
  EXPECT_EQ(failure(folder_), "the file is a directory [" + folder_.string() + "]. Name a file inside it.");
  EXPECT_EQ(failure(folder_ / "absent.yaml"),
            "the file does not exist [" + folder_.string() + "/absent.yaml]. Check the name and the folder.");
}

// ---- Any text at all ----------------------------------------------------------------------------

/// Whether a pair of characters stands in a sentence by our own doing: with neither neighbour is it in the
/// text.
bool has_own_pair(std::string_view sentence, std::string_view pair, std::string_view text) {
  for (std::size_t k = sentence.find(pair); k != std::string_view::npos; k = sentence.find(pair, k + 1)) {
    const bool is_with_next =
        k + 3 <= sentence.size() && text.find(sentence.substr(k, 3)) != std::string_view::npos;
    const bool is_with_previous = k > 0 && text.find(sentence.substr(k - 1, 3)) != std::string_view::npos;
    if (!is_with_next && !is_with_previous) return true;
  }
  return false;
}

/// Reads a text that was a model once: it must be read or refused, with a sentence, and soon.
class Survivor {
 public:
  /// `what` tells which text it was, should it fail.
  void read(std::string_view text, const std::string& what) {
    const test::ProcessorClock clock;
    try {
      io::read_mechanism(text, "f.yaml");
    } catch (const core::ModelError& error) {
      check(error.what(), text, what);
    }
    slowest_ = std::max(slowest_, clock.seconds());
  }

  double slowest() const { return slowest_; }

 private:
  static void check(const std::string& sentence, std::string_view text, const std::string& what) {
    EXPECT_FALSE(sentence.empty()) << what;
    EXPECT_EQ(sentence.find_first_of("\r\n\t"), std::string::npos) << what << ": " << sentence;
    EXPECT_FALSE(has_own_pair(sentence, "  ", text)) << what << ": " << sentence;
    EXPECT_FALSE(has_own_pair(sentence, "..", text)) << what << ": " << sentence;
    EXPECT_TRUE(sentence.ends_with('.') || sentence.ends_with('?')) << what << ": " << sentence;
  }

  double slowest_ = 0.0;
};

bool has_full_sweeps() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr; }

/// Measured: 5 ms for the longest model; the rest is for a slower machine.
constexpr double kSlowestReading = 0.05;

TEST(OwnPair, IsToldFromTheUsersText) {
  EXPECT_TRUE(has_own_pair("a  b 'c'.", "  ", "c"));
  EXPECT_TRUE(has_own_pair("got 'c'..", "..", "c.. d"));
  EXPECT_FALSE(has_own_pair("got 'c..d'.", "..", "x: c..d"));
}

class SpoiltModel : public testing::TestWithParam<std::string> {
 protected:
  const std::string text_ = bytes_of(kModels / (GetParam() + ".yaml"));
};

TEST_P(SpoiltModel, CutAnywhere_IsReadOrRefused) {
  // A prime, so that the cuts wander through the columns of files that are alike.
  const std::size_t step = has_full_sweeps() ? 1 : 7;
  Survivor survivor;
  for (std::size_t size = 0; size <= text_.size(); size += step)
    survivor.read(std::string_view(text_).substr(0, size), "the first " + std::to_string(size) + " bytes");
  EXPECT_LT(survivor.slowest(), kSlowestReading);
}

TEST_P(SpoiltModel, WithOneByteChanged_IsReadOrRefused) {
  const int count = has_full_sweeps() ? 5000 : 500;
  core::Rng rng(20240607);
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
  };
  constexpr std::string_view kSpecial = " \n\t:,.{}[]'\"#&*!|>%@`-=0123456789eE()/^?~\\";
  Survivor survivor;
  for (int k = 0; k < count; ++k) {
    std::string text = text_;
    const std::size_t place = below(text.size());
    const char byte = k % 2 == 0 ? kSpecial[below(kSpecial.size())] : static_cast<char>(below(256));
    const std::size_t kind = below(3);
    if (kind == 0) text[place] = byte;
    if (kind == 1) text.insert(place, 1, byte);
    if (kind == 2) text.erase(place, 1);
    survivor.read(text, "change " + std::to_string(k) + " at byte " + std::to_string(place));
  }
  EXPECT_LT(survivor.slowest(), kSlowestReading);
}

INSTANTIATE_TEST_SUITE_P(Model, SpoiltModel, testing::ValuesIn(names_in(kModels, ".yaml")),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace eslabon
