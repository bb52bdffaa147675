#include "eslabon/io/incomplete_name.hpp"

#include <atomic>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace eslabon::io {
namespace {

namespace fs = std::filesystem;

class IncompleteNameTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_incomplete_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  /// A new file.
  std::string file(const std::string& name) const {
    std::ofstream(folder_ / name) << "text";
    return folder_ / name;
  }
  auto num_files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

TEST_F(IncompleteNameTest, LosesItsFile_HoweverManyThereAre) {
  std::deque<IncompleteName> names;
  for (int k = 0; k < 700; ++k) names.emplace_back(file(std::to_string(k)));
  EXPECT_EQ(num_files(), 700);
  IncompleteName::remove_all();
  EXPECT_EQ(num_files(), 0);
}

TEST_F(IncompleteNameTest, KeepsItsFile_WhenItIsForgotten) {
  {
    const IncompleteName first(file("first"));
    const IncompleteName long_one(std::string(100'000, 'x'));  // no file can have it
  }
  const IncompleteName second(file("second"));
  IncompleteName::remove_all();
  EXPECT_TRUE(fs::exists(folder_ / "first"));
  EXPECT_FALSE(fs::exists(folder_ / "second"));
}

// Who removes reads whole names, though others forget theirs and write new ones into the same slots: files whose names are made of two stay.
TEST_F(IncompleteNameTest, IsReadWhole_WhileOthersComeAndGo) {
  const std::string one(24, 'a'), other(16, 'b');
  for (std::size_t k = 1; k <= other.size(); ++k) file(other.substr(0, k) + one.substr(k));
  for (std::size_t k = 1; k < other.size(); ++k) file(one.substr(0, k) + other.substr(k));
  const auto before = num_files();
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (const std::string& name : {one, other, one})
    threads.emplace_back([path = (folder_ / name).string(), &is_over] {
      while (!is_over) const IncompleteName remembered(path);
    });
  for (int k = 0; k < 2000; ++k) IncompleteName::remove_all();
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_files(), before);
}

}  // namespace
}  // namespace eslabon::io
