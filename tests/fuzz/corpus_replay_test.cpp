// The corpus of the fuzzer, replayed in every ordinary build: what was once found stays found. The same for
// the bad files of tests/contract and for the models.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/reader_check.hpp"
#include <gtest/gtest.h>

namespace eslabon {
namespace {

std::vector<std::filesystem::path> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ESLABON_SOURCE_DIR "/" + folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CorpusReplay : public testing::TestWithParam<std::string> {};

TEST_P(CorpusReplay, EveryFile_IsReadOrRefusedWithASentence) {
  const auto files = files_in(GetParam());
  EXPECT_FALSE(files.empty());
  for (const auto& file : files) EXPECT_EQ(test::find_reader_fault(bytes_of(file)), "") << file;
}

INSTANTIATE_TEST_SUITE_P(Folder, CorpusReplay,
                         testing::Values("tests/fuzz/corpus", "tests/contract/bad", "models"),
                         [](const auto& folder) {
                           std::string name = folder.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST(SentenceRule, SeesSentencesThatAreNoSentences) {
  EXPECT_EQ(test::find_sentence_fault("a fact [f.yaml:1:1]. Do this."), "");
  EXPECT_NE(test::find_sentence_fault(""), "");
  EXPECT_NE(test::find_sentence_fault("two\nlines."), "");
  EXPECT_NE(test::find_sentence_fault("no full stop"), "");
}

}  // namespace
}  // namespace eslabon
