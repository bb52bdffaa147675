#include "eslabon/study/study_journal.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/file_error.hpp"

namespace eslabon::study {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMeaning = 0x0123456789abcdef;

/// Of the same model and build.
JournalOwner owner(std::uint64_t study) {
  return {.study = study, .model = 0xfedcba9876543210, .build = "eslabon 1, GCC 9"};
}

TryResult result(std::size_t point, std::size_t attempt) {
  const double x = 0.1 * static_cast<double>(point) + 1.0 / (3.0 + static_cast<double>(attempt));
  return {.index = {point, attempt},
          .outcome = attempt % 2 == 0 ? TryResult::Outcome::kConverged : TryResult::Outcome::kNotConverged,
          .outputs = {{x, -x, std::sqrt(x), 1e-300 * x, -0.0, std::numeric_limits<double>::denorm_min()},
                      {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}},
          .steps = 170,
          .simulated = 1.02,
          .wall = 1e-3 * x};
}

TryResult failure() {
  return {.index = {3, 4}, .message = "it broke [here]: expected 1, got 2. Mend it: ä \"quoted\""};
}

/// A folder that is gone after the test.
class Journal : public ::testing::Test {
 protected:
  Journal()
      : folder_(std::filesystem::temp_directory_path() / ("eslabon-journal-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
  }
  ~Journal() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "journal").string(); }
  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(path(), std::ios::binary).rdbuf();
    return out.str();
  }
  void write(const std::string& bytes) const {
    std::filesystem::remove(path());  // cutting a file to nothing makes some file systems wait for the disk
    std::ofstream(path(), std::ios::binary) << bytes;
  }
  std::string sentence_of(std::uint64_t study) const { return sentence_of(owner(study)); }
  std::string sentence_of(const JournalOwner& of) const {
    try {
      const StudyJournal journal(path(), of, false);
    } catch (const core::ModelError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Journal, GivesBackEveryBit) {
  for (const TryResult& one : {result(0, 0), result(7, 12345), failure()})
    EXPECT_EQ(read_journal_line(journal_line(one)), one);
  // == takes -0 for 0.
  EXPECT_TRUE(std::signbit(read_journal_line(journal_line(result(1, 1)))->outputs[0].error));
}

TEST_F(Journal, RefusesALineOfWhichAnyByteIsAnother) {
  const std::string line = journal_line(result(2, 5));
  for (std::size_t k = 0; k < line.size(); ++k) {
    std::string changed = line;
    changed[k] = changed[k] == '7' ? '8' : '7';
    EXPECT_FALSE(read_journal_line(changed)) << k;
    EXPECT_FALSE(read_journal_line(line.substr(0, k))) << k;
  }
}

TEST_F(Journal, GoesOnWithWhatIsWhole_CutOffAtAnyByte) {
  {
    StudyJournal journal(path(), owner(kMeaning), false);
    EXPECT_TRUE(journal.found().empty());
    for (std::size_t k = 0; k < 3; ++k) journal.append(result(k, k + 1));
    journal.sync();
  }
  const std::string whole = text();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write(whole.substr(0, size));
    const auto lines = static_cast<std::size_t>(
        std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    {
      StudyJournal journal(path(), owner(kMeaning), false);
      ASSERT_EQ(journal.found().size(), lines == 0 ? 0 : lines - 1) << size;
      for (std::size_t k = 0; k < journal.found().size(); ++k)
        EXPECT_EQ(journal.found()[k], result(k, k + 1));
      EXPECT_EQ(journal.num_torn(), size > 0 && whole[size - 1] != '\n' ? 1u : 0u) << size;
      journal.append(failure());
    }
    // What is written behind a cut is found again.
    const StudyJournal again(path(), owner(kMeaning), false);
    ASSERT_EQ(again.found().size(), lines == 0 ? 1 : lines) << size;
    EXPECT_EQ(again.found().back(), failure());
    EXPECT_EQ(again.num_torn(), 0u);
  }
}

TEST_F(Journal, LeavesOutALineThatIsDamagedInTheMiddle_AndSaysSo) {
  {
    StudyJournal journal(path(), owner(kMeaning), false);
    for (std::size_t k = 0; k < 3; ++k) journal.append(result(k, 0));
  }
  std::string bytes = text();
  bytes[bytes.find('\n', bytes.find('\n') + 1) + 5] ^= 1;
  write(bytes);
  const StudyJournal journal(path(), owner(kMeaning), false);
  ASSERT_EQ(journal.found().size(), 2u);
  EXPECT_EQ(journal.found()[1], result(2, 0));
  EXPECT_EQ(journal.num_torn(), 1u);
}

TEST_F(Journal, KeepsLinesWhole_FromManyThreads) {
  constexpr std::size_t kThreads = 4, kEach = 200;
  {
    StudyJournal journal(path(), owner(kMeaning), false);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&journal, t] {
        for (std::size_t k = 0; k < kEach; ++k) journal.append(result(t, k));
      });
    for (std::thread& thread : threads) thread.join();
  }
  const StudyJournal journal(path(), owner(kMeaning), false);
  EXPECT_EQ(journal.found().size(), kThreads * kEach);
  EXPECT_EQ(journal.num_torn(), 0u);
}

TEST_F(Journal, IsRefused_WhenItIsOfAnotherStudyOrInUse) {
  {
    StudyJournal journal(path(), owner(kMeaning), false);
    journal.append(result(0, 0));
    EXPECT_THAT(sentence_of(kMeaning), HasSubstr("another program is at work on this study"));
  }
  EXPECT_THAT(sentence_of(kMeaning + 1), HasSubstr("this folder has the results of another study"));
  EXPECT_THAT(sentence_of(kMeaning + 1), HasSubstr("start over with is_fresh,"));
  {
    const StudyJournal fresh(path(), owner(kMeaning + 1), true);
    EXPECT_TRUE(fresh.found().empty());
  }
  EXPECT_THAT(sentence_of(kMeaning), HasSubstr("another study"));
  JournalOwner other = owner(kMeaning + 1);
  other.model = 7;
  EXPECT_THAT(
      sentence_of(other),
      HasSubstr("the results of another model [" + path() +
                "]: expected those of the study's model as it is now, FNV-1a 0000000000000007, got those of "
                "fedcba9876543210"));
  other = owner(kMeaning + 1);
  other.build = "eslabon 2, GCC 9";
  EXPECT_THAT(sentence_of(other),
              HasSubstr("the results of another build [" + path() +
                        "]: expected those of eslabon 2, GCC 9, got those of eslabon 1, GCC 9"));
  write("eslabon-study-journal-1 0123456789abcdef\n");
  EXPECT_THAT(sentence_of(kMeaning), HasSubstr("the results of another version"));
  write("something else\n");
  EXPECT_THAT(sentence_of(kMeaning), HasSubstr("a file that is no journal"));
}

/// What is said of a result in the journal of a study with two points of three tries and two criteria.
std::string sentence_about(const TryResult& result) {
  StudyFile study;
  study.tries = 3;
  study.axes.push_back({"step", {}, {{{"1 ms"}, {}}, {{"2 ms"}, {}}}});
  study.criteria.resize(2);
  const StudyPlan plan(study);
  try {
    check_journal_result(result, plan, "out/journal");
  } catch (const io::FileError& error) {
    return error.what();
  }
  return "";
}

TEST(JournalResult, IsRefused_WhenNoTryCanHaveIt) {
  EXPECT_EQ(sentence_about(result(1, 2)), "");
  const auto changed = [](const auto& change) {
    TryResult one = result(1, 2);
    change(one);
    return sentence_about(one);
  };
  const TryResult failed{.index = {1, 2}, .message = "it broke"};
  EXPECT_EQ(sentence_about(failed), "");
  EXPECT_EQ(changed([](TryResult& one) { one.outputs.clear(); }),
            "the journal has a result that no try can have [out/journal, point 2, try 3]: expected 2 "
            "outputs, got 0. "
            "Another program wrote it: start over with is_fresh, or give another folder.");
  EXPECT_NE(changed([](TryResult& one) { one.outputs.resize(3); }), "");
  EXPECT_NE(changed([](TryResult& one) { one.outcome = TryResult::Outcome::kFailed; }), "");
  EXPECT_NE(changed([](TryResult& one) { one.index.point = 2; }), "");
  EXPECT_NE(changed([](TryResult& one) { one.index.attempt = 3; }), "");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {std::nan(""), infinity, -infinity}) {
    for (double OutputResult::*field : {&OutputResult::start, &OutputResult::end, &OutputResult::estimate,
                                        &OutputResult::sigma, &OutputResult::error, &OutputResult::rmse})
      EXPECT_THAT(changed([&](TryResult& one) { one.outputs[1].*field = value; }),
                  HasSubstr("finite numbers"));
    EXPECT_NE(changed([&](TryResult& one) { one.wall = value; }), "");
    EXPECT_NE(changed([&](TryResult& one) { one.simulated = value; }), "");
  }
  EXPECT_NE(changed([](TryResult& one) { one.steps = 0; }), "");
  EXPECT_NE(changed([](TryResult& one) { one.wall = 0.0; }), "");
  EXPECT_NE(changed([](TryResult& one) { one.wall = std::numeric_limits<double>::denorm_min(); }), "");
}

}  // namespace
}  // namespace eslabon::study
