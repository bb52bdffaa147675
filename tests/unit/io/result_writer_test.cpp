#include "eslabon/io/files/result_writer.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::io {
namespace {

namespace fs = std::filesystem;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A folder of its own for each test.
class ResultWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_results_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  static std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  /// Names of what is not yet complete.
  std::vector<std::string> partial_files() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".partial") names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path folder_;
  const std::vector<ResultColumn> columns_{{"crank.angle", "rad"}, {"energy", "J"}};
};

// golden: the whole file.
TEST_F(ResultWriterTest, WritesNamesUnitsAndNumbersWithSeventeenDigits) {
  ResultWriter writer(path("r.csv"), columns_);
  writer.write_row(0.0, std::vector{0.1, -2.0});
  writer.write_row(1e-3, std::vector{1.0 / 3.0, 1e22});
  writer.write_row(1.0, std::vector{-0.0, 5e-324});
  writer.finish();
  EXPECT_EQ(text_of(path("r.csv")),
            "t,crank.angle,energy\n"
            "s,rad,J\n"
            "0,0.10000000000000001,-2\n"
            "0.001,0.33333333333333331,1e+22\n"
            "1,-0,4.9406564584124654e-324\n");
}

// crosscheck with printf, over the whole range of exponents and over the end of the buffer.
TEST_F(ResultWriterTest, WritesWhatPrintfWrites_AndItReadsBackToTheSameBits) {
  core::Rng rng(7);
  std::string expected = "t,crank.angle,energy\ns,rad,J\n";
  std::vector<std::vector<double>> rows;
  ResultWriter writer(path("r.csv"), columns_);
  for (int k = 0; k < 5000; ++k) {
    const double t = 0.001 * k;
    const double scale = std::pow(10.0, 600.0 * rng.uniform() - 300.0);
    rows.push_back({t, scale * rng.normal(), k % 2 == 0 ? rng.normal() : std::round(100.0 * rng.normal())});
    writer.write_row(t, std::span(rows.back()).subspan(1));
    char line[128];
    std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g\n", rows.back()[0], rows.back()[1], rows.back()[2]);
    expected += line;
  }
  writer.finish();
  const std::string text = text_of(path("r.csv"));
  EXPECT_GT(text.size(), 3u << 16);  // several buffers
  EXPECT_TRUE(text == expected);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  for (const std::vector<double>& row : rows) {
    std::getline(lines, line);
    const char* place = line.c_str();
    for (const double value : row) {
      char* end = nullptr;
      EXPECT_EQ(std::strtod(place, &end), value);
      place = end + 1;
    }
  }
}

TEST_F(ResultWriterTest, RefusesWhatIsNotFinite_AndKeepsTheRowsBefore) {
  ResultWriter writer(path("r.csv"), columns_);
  writer.write_row(0.0, std::vector{1.0, 2.0});
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] {
              writer.write_row(0.25, std::vector{kNaN, 2.0});
            }),
            "a result is not a number [column 'crank.angle', t = 0.25 s]: expected a finite number, got nan. "
            "Check what the mechanism does just before, or try a smaller step.");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] {
              writer.write_row(0.25, std::vector{1.0, -kInfinity});
            }),
            "a result is not a number [column 'energy', t = 0.25 s]: expected a finite number, got -inf. "
            "Check what the mechanism does just before, or try a smaller step.");
  EXPECT_THROW(writer.write_row(kNaN, std::vector{1.0, 2.0}), core::ModelError);
  writer.write_row(0.5, std::vector{3.0, 4.0});
  writer.finish();
  EXPECT_EQ(text_of(path("r.csv")), "t,crank.angle,energy\ns,rad,J\n0,1,2\n0.5,3,4\n");
}

TEST_F(ResultWriterTest, LeavesNothingThatLooksComplete_WhenTheRunIsCutOff) {
  {
    ResultWriter writer(path("r.csv"), columns_);
    writer.write_row(0.0, std::vector{1.0, 2.0});
    EXPECT_FALSE(fs::exists(path("r.csv")));
    const std::vector<std::string> beside = partial_files();
    ASSERT_EQ(beside.size(), 1U);
    EXPECT_THAT(beside.front(), ::testing::MatchesRegex("r\\.csv\\.[0-9]+-[0-9]+\\.partial"));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ResultWriterTest, LeavesAnEarlierFileAlone_UntilTheRunIsComplete) {
  std::ofstream(path("r.csv")) << "before";
  { ResultWriter writer(path("r.csv"), columns_); }
  EXPECT_EQ(text_of(path("r.csv")), "before");
  ResultWriter writer(path("r.csv"), {});
  writer.write_row(1.5, {});
  EXPECT_EQ(text_of(path("r.csv")), "before");
  writer.finish();
  writer.finish();  // once is enough, twice is no harm
  EXPECT_EQ(text_of(path("r.csv")), "t\ns\n1.5\n");
  EXPECT_THAT(partial_files(), ::testing::IsEmpty());
}

TEST_F(ResultWriterTest, WritesThroughALink) {
  std::ofstream(path("data.csv")) << "before";
  fs::create_symlink(path("data.csv"), path("r.csv"));
  ResultWriter writer(path("r.csv"), {});
  writer.finish();
  EXPECT_TRUE(fs::is_symlink(path("r.csv")));
  EXPECT_EQ(text_of(path("data.csv")), "t\ns\n");
}

TEST_F(ResultWriterTest, MakesWhatALinkLeadsTo_WhenThereIsNothingYet) {
  fs::create_symlink("data.csv", path("r.csv"));
  ResultWriter writer(path("r.csv"), {});
  writer.finish();
  EXPECT_TRUE(fs::is_symlink(path("r.csv")));
  EXPECT_EQ(text_of(path("data.csv")), "t\ns\n");
}

TEST_F(ResultWriterTest, OfTwoWritersOfOneFileTheLastWins_AndNoRowIsMixed) {
  ResultWriter one(path("r.csv"), {}), other(path("r.csv"), {});
  for (int k = 0; k < 3; ++k) {
    one.write_row(k, {});
    other.write_row(10 + k, {});
  }
  one.finish();
  EXPECT_EQ(text_of(path("r.csv")), "t\ns\n0\n1\n2\n");
  other.finish();
  EXPECT_EQ(text_of(path("r.csv")), "t\ns\n10\n11\n12\n");
  EXPECT_THAT(partial_files(), ::testing::IsEmpty());
}

TEST_F(ResultWriterTest, KeepsTheModeOfAFileThatItReplaces_AndGivesANewOneThatOfTheUser) {
  const mode_t before = umask(022);
  ResultWriter(path("new.csv"), {}).finish();
  std::ofstream(path("r.csv")) << "before";
  fs::permissions(path("r.csv"), fs::perms(0600));
  ResultWriter(path("r.csv"), {}).finish();
  umask(before);
  EXPECT_EQ(fs::status(path("new.csv")).permissions(), fs::perms(0644));
  EXPECT_EQ(fs::status(path("r.csv")).permissions(), fs::perms(0600));
}

TEST_F(ResultWriterTest, NeverReplacesAFileThatIsLocked) {
  std::ofstream(path("r.csv")) << "rows of a live log";
  const int log = open(path("r.csv").c_str(), O_WRONLY);
  ASSERT_EQ(flock(log, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { ResultWriter(path("r.csv"), columns_); }),
      "the results would replace a log that is being written [" + path("r.csv") +
          "]: expected a file that no other run is writing, got the log of a live run that goes on. Give "
          "another name, or wait for its end.");
  close(log);
  EXPECT_THAT(partial_files(), ::testing::IsEmpty());
  ResultWriter(path("r.csv"), {}).finish();
  EXPECT_EQ(text_of(path("r.csv")), "t\ns\n");
}

// A pipe of the test's own: a writer that replaced what it should not must never meet a device of the
// machine.
TEST_F(ResultWriterTest, WritesDirectlyToWhatIsNoOrdinaryFile_ByItsNameOrByALink) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink(path("pipe"), path("link"));
  for (const char* name : {"pipe", "link"}) {
    const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    ResultWriter writer(path(name), {});
    writer.write_row(1.5, {});
    writer.finish();
    std::array<char, 64> text{};
    const ssize_t size = read(reader, text.data(), text.size());
    close(reader);
    EXPECT_EQ(std::string(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0), "t\ns\n1.5\n") << name;
    EXPECT_TRUE(fs::is_fifo(path("pipe"))) << name;
    EXPECT_TRUE(fs::is_symlink(path("link"))) << name;
  }
}

// What /dev/stdout is in `eslabon … | less`: a link to something that has no name.
TEST_F(ResultWriterTest, WritesToAPipeWithoutAName) {
  if (!fs::exists("/proc/self/fd")) GTEST_SKIP() << "no /proc here";
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  {
    ResultWriter writer("/proc/self/fd/" + std::to_string(ends[1]), {});
    writer.finish();
  }
  std::array<char, 64> text{};
  EXPECT_EQ(read(ends[0], text.data(), text.size()), 4);
  EXPECT_STREQ(text.data(), "t\ns\n");
  close(ends[0]);
  close(ends[1]);
}

TEST_F(ResultWriterTest, SaysWhatToDoAboutAPathThatCannotBeWritten) {
  const std::string nowhere = path("missing/r.csv");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { ResultWriter(nowhere, columns_); }),
            "the results could not be written [" + nowhere +
                "]: expected a file that can be created, and room for it, got No such file or directory. "
                "Check that "
                "the folder exists, may be written to and has space left.");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { ResultWriter(folder_.string(), columns_); }),
            "the results could not be written [" + folder_.string() +
                "]: expected a file that can be created, and room for it, got Is a directory. Check that the "
                "folder "
                "exists, may be written to and has space left.");
}

/// No file of this process grows beyond a size while one of these lives: what a full disk looks like.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    before_handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, before_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*before_handler_)(int) = nullptr;
};

TEST_F(ResultWriterTest, NoticesAFullDisk_AndLeavesNothing) {
  std::string sentence;
  {
    const FileSizeLimit limit(10);
    ResultWriter writer(path("r.csv"), columns_);
    writer.write_row(0.0, std::vector{1.0, 2.0});
    sentence = test::sentence_of<core::ModelError>([&] { writer.finish(); });
  }
  EXPECT_EQ(sentence,
            "the results could not be written [" + path("r.csv") +
                "]: expected a file that can be created, and room for it, got File too large. Check that "
                "the folder exists, may be written to and has space left.");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ResultWriterTest, RefusesMisuse) {
  ResultWriter writer(path("r.csv"), columns_);
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { writer.write_row(0.0, std::vector{1.0}); }),
            "a row of the wrong length [ResultWriter::write_row]: expected 2 values beside the time, got 1. "
            "Write one "
            "value per column, and no row after finish.");
  writer.finish();
  EXPECT_THROW(writer.write_row(0.0, std::vector{1.0, 2.0}), core::ContractError);
  EXPECT_THROW(ResultWriter(path("x.csv"), {{"a,b", "m"}}), core::ContractError);
  EXPECT_THROW(ResultWriter(path("x.csv"), {{"a", "\"m\""}}), core::ContractError);
  EXPECT_THAT(partial_files(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace eslabon::io
