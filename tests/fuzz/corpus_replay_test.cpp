// The corpora of the fuzzer, replayed in every ordinary build: what was once found stays found. The same for
// the bad files of tests/contract and for the models.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzzed_readers.hpp"
#include "tests/fuzz/sentence_check.hpp"
#include <gtest/gtest.h>

namespace eslabon {
namespace {

std::vector<std::filesystem::path> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ESLABON_SOURCE_DIR "/" + folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder, and the reader of what is in it.
struct Corpus {
  std::string folder;
  std::string_view reader;
  friend std::ostream& operator<<(std::ostream& out, const Corpus& corpus) { return out << corpus.folder; }
};

std::vector<Corpus> corpora() {
  std::vector<Corpus> all;
  for (const test::FuzzedReader& reader : test::fuzzed_readers())
    all.push_back({"tests/fuzz/corpus/" + std::string(reader.name), reader.name});
  all.push_back({"tests/contract/bad", "mechanism"});
  all.push_back({"tests/contract/bad_tyres", "tyre"});
  all.push_back({"tests/contract/bad_roads", "road"});
  all.push_back({"models", "mechanism"});
  all.push_back({"studies", "study"});
  return all;
}

class CorpusReplay : public testing::TestWithParam<Corpus> {};

TEST_P(CorpusReplay, EveryFile_IsReadOrRefusedWithASentence) {
  const auto files = files_in(GetParam().folder);
  EXPECT_FALSE(files.empty());
  const test::FuzzedReader* const reader = test::find_fuzzed_reader(GetParam().reader);
  ASSERT_NE(reader, nullptr);
  for (const auto& file : files) EXPECT_EQ(reader->find_fault(bytes_of(file)), "") << file;
}

INSTANTIATE_TEST_SUITE_P(Folder, CorpusReplay, testing::ValuesIn(corpora()), [](const auto& corpus) {
  std::string name = corpus.param.folder;
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
