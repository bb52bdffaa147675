#include "eslabon/io/files/result_reader.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/result_writer.hpp"

namespace eslabon::io {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class ResultReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_results_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "r.csv";
  }
  void TearDown() override { fs::remove_all(folder_); }

  ResultTable read(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return read_results(path_);
  }
  std::string fault(const std::string& text) const {
    return test::sentence_of<core::ModelError>([&] { (void)read(text); });
  }
  /// The sentence for a line that no result file has.
  std::string at_line(int line, const std::string& expected, const std::string& actual) const {
    return "not a result file [" + path_ + ":" + std::to_string(line) + "]: expected " + expected + ", got " +
           actual + ". Give a file that 'simulate', 'kinematics' or 'estimate' has written.";
  }

  fs::path folder_;
  std::string path_;
};

// invariant: what was written is read back, over the whole range of exponents.
TEST_F(ResultReaderTest, GivesTheSameBits_ThatWereWritten) {
  core::Rng rng(3);
  const std::vector<ResultColumn> columns{{"crank.angle", "rad"}, {"energy", "J"}, {"arm.e0", "1"}};
  std::vector<std::vector<double>> rows;
  ResultWriter writer(path_, columns);
  double t = -2.0;
  for (int k = 0; k < 3000; ++k) {
    t += rng.uniform();
    rows.push_back({t, std::pow(10.0, 600.0 * rng.uniform() - 300.0) * rng.normal(),
                    k % 3 == 0 ? std::round(9.0 * rng.normal()) : 5e-324 * k, -0.0});
    writer.write_row(t, std::span(rows.back()).subspan(1));
  }
  writer.finish();
  const ResultTable table = read_results(path_);
  EXPECT_EQ(table.path, path_);
  ASSERT_EQ(table.columns.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(table.columns[c].name, columns[c].name);
    EXPECT_EQ(table.columns[c].unit, columns[c].unit);
    EXPECT_EQ(table.find(columns[c].name), c);
    ASSERT_EQ(table.values[c].size(), rows.size());
  }
  EXPECT_EQ(table.find("t"), std::nullopt) << "the time stands apart";
  EXPECT_EQ(table.find("crank"), std::nullopt);
  ASSERT_EQ(table.t.size(), rows.size());
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(bits(table.t[k]), bits(rows[k][0]));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(bits(table.values[c][k]), bits(rows[k][c + 1])) << k;
  }
}

TEST_F(ResultReaderTest, ReadsATimeAlone_EmptyLines_AndLinesOfOtherSystems) {
  const ResultTable times = read("t\ns\n0\n1.5\n");
  EXPECT_TRUE(times.columns.empty());
  EXPECT_EQ(times.t, (std::vector{0.0, 1.5}));
  const ResultTable table = read("t,a\r\ns,m\r\n0,1\r\n\r\n1,2\r\n");
  EXPECT_EQ(table.t, (std::vector{0.0, 1.0}));
  EXPECT_EQ(table.columns[0].unit, "m");
  EXPECT_EQ(table.values[0], (std::vector{1.0, 2.0}));
}

// A last number that lost its last digits is still a number.
TEST_F(ResultReaderTest, RefusesAFileThatWasCutOff) {
  for (const char* text : {"t,a\ns,m\n0,1\n1,2", "t,a\ns,m\n0,1\n1,2.", "t,a\ns,m\n0,1\n1", "t,a\ns,m"})
    EXPECT_THAT(fault(text), ::testing::HasSubstr("the last line is not complete")) << text;
}

// golden: one header row of "name [unit]" says what two rows say.
TEST_F(ResultReaderTest, ReadsOneHeaderRow_WithNamesAndUnits) {
  const std::vector<ResultColumn> columns{{"crank.angle", "rad"}, {"arm.e0", "1"}, {"C.ax", "m/s^2"}};
  {
    ResultWriter writer(path_, columns, HeaderStyle::kNameAndUnit);
    writer.write_row(0.5, std::vector{1.0, 2.0, 3.0});
    writer.finish();
  }
  const ResultTable table = read_results(path_);
  ASSERT_EQ(table.columns.size(), columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    EXPECT_EQ(table.columns[c].name, columns[c].name);
    EXPECT_EQ(table.columns[c].unit, columns[c].unit);
    EXPECT_EQ(table.values[c], std::vector{1.0 + static_cast<double>(c)});
  }
  EXPECT_EQ(table.t, std::vector{0.5});
  EXPECT_EQ(read("t [s],a [m]\r\n0,1\r\n").columns[0].unit, "m");
  EXPECT_EQ(fault("t [s],a\n0,1\n"), at_line(1, "a unit behind each name, such as 't [s]'", "'a'"));
  EXPECT_EQ(fault("t [ms],a [m]\n0,1\n"), at_line(1, "a first column 't' or 't [s]'", "'t [ms]'"));
  EXPECT_EQ(fault("t [s],a [m],a [m]\n0,1,1\n"), at_line(1, "each column once", "'a' twice"));
}

// contract: the sentence of each fault.
TEST_F(ResultReaderTest, SaysWhatIsWrong_AndInWhichLine) {
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { (void)read_results(path_); }),
      "the file cannot be read [" + path_ +
          "]: expected a result file of 'simulate' or 'kinematics', got none. Check the name of the file.");
  EXPECT_EQ(fault(""), "the file is empty [" + path_ +
                           "]: expected names, units and numbers, got nothing. Check the name of the file.");
  EXPECT_EQ(fault("time,a\ns,m\n0,1\n"), at_line(1, "a first column 't' or 't [s]'", "'time'"));
  EXPECT_EQ(fault("t,a\n"), at_line(1, "a row of units", "the end of the file"));
  EXPECT_EQ(fault("t,a\ns\n0,1\n"), at_line(2, "a unit for each column, s for the time", "'s'"));
  EXPECT_EQ(fault("t,a\nms,m\n0,1\n"), at_line(2, "a unit for each column, s for the time", "'ms,m'"));
  EXPECT_EQ(fault("t,a,a\ns,m,m\n0,1,1\n"), at_line(2, "each column once", "'a' twice"));
  EXPECT_EQ(fault("t,a\ns,m\n"), at_line(2, "rows of numbers", "the end of the file"));
  EXPECT_EQ(fault("t,a\ns,m\n0,1\n1\n"), at_line(4, "2 cells", "1"));
  EXPECT_EQ(fault("t,a\ns,m\n0,1,2\n"), at_line(3, "2 cells", "3"));
  EXPECT_EQ(fault("t,a\ns,m\n0,1\n1,2\n1,3\n"), at_line(5, "times that increase", "'1'"));
  EXPECT_EQ(fault("t,a\ns,m\n0,1\n-1,2\n"), at_line(4, "times that increase", "'-1'"));
  for (const std::string cell : {"", "x", "1x", "nan", "inf", "-inf", "1e999", " 1", "+1", "0x1p3"})
    EXPECT_EQ(fault("t,a\ns,m\n0,1\n1," + cell + "\n"), at_line(4, "finite numbers", "'" + cell + "'"))
        << cell;
  EXPECT_EQ(fault("t,a\ns,m\nnan,1\n"), at_line(3, "finite numbers", "'nan'"));
  EXPECT_EQ(fault("t,a\ns,m\n0,\"1\"\n"), at_line(3, "finite numbers", "'\"1\"'"));
}

TEST_F(ResultReaderTest, SaysSo_WhenAFolderIsGiven) {
  EXPECT_THROW((void)read_results(folder_.string()), core::ModelError);
}

}  // namespace
}  // namespace eslabon::io
