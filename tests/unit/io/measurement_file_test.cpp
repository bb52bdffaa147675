#include "eslabon/io/measurements/measurement_file.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/measurements/measurement_feed.hpp"

namespace eslabon::io {
namespace {

namespace fs = std::filesystem;
using sensing::Reading;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

core::Instant at(std::int64_t ns) { return core::Instant::at(core::Duration::from_nanoseconds(ns)); }

std::vector<sensing::SensorFacts> sensors() {
  std::vector<sensing::SensorFacts> list(3);
  list[0].name = "gyro";
  list[0].channels = {{"gyro", core::kAngularVelocity, false}};
  list[1].name = "imu";
  list[1].channels = {{"imu.ax", core::kAcceleration, false}, {"imu.ay", core::kAcceleration, false}};
  list[2].name = "encoder";
  list[2].channels = {{"encoder", core::kAngle, true}};
  return list;
}

/// A folder of its own for each test.
class MeasurementFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_readings_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ / "m.csv"; }
  void write(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::string text() const {
    std::ifstream stream(path(), std::ios::binary);
    std::ostringstream out;
    out << stream.rdbuf();
    return out.str();
  }
  /// Everything that a file of this text holds.
  std::vector<Reading> read(const std::string& content) const {
    write(content);
    MeasurementReader reader(path(), sensors());
    std::vector<Reading> all, row;
    while (reader.read(row)) all.insert(all.end(), row.begin(), row.end());
    return all;
  }
  /// What is said about a file of this text, with FILE for its path.
  std::string complaint(const std::string& content) const {
    std::string sentence = test::sentence_of<core::ModelError>([&] { read(content); });
    for (std::size_t k = 0; (k = sentence.find(path(), k)) != std::string::npos;)
      sentence.replace(k, path().size(), "FILE");
    return sentence;
  }

  fs::path folder_;
};

const std::string kHeader = "t_ns,gyro,imu.ax,imu.ay,encoder\nns,rad/s,m/s^2,m/s^2,rad\n";

// golden: the whole file.
TEST_F(MeasurementFile, HasNamesUnitsAndARowForEachTime) {
  MeasurementWriter writer(path(), sensors());
  writer.write(std::vector<Reading>{{at(0), 1, {0.1, -9.81}}, {at(0), 0, {1.0 / 3.0}}});
  writer.write(Reading{at(10'000'000), 2, {kInfinity}});
  writer.write(std::vector<Reading>{});
  writer.write(std::vector<Reading>{{at(-5), 0, {-kNaN}}, {at(-5), 1, {-kInfinity, -0.0}}});
  EXPECT_FALSE(fs::exists(path()));
  writer.finish();
  EXPECT_EQ(text(), kHeader +
                        "0,0.33333333333333331,0.10000000000000001,-9.8100000000000005,\n"
                        "10000000,,,,inf\n"
                        "-5,nan,-inf,-0,\n");
}

// golden: one header row of "name [unit]" says what two rows say.
TEST_F(MeasurementFile, MayHaveNamesAndUnitsInOneRow) {
  {
    MeasurementWriter writer(path(), sensors(), HeaderStyle::kNameAndUnit);
    writer.write(std::vector<Reading>{{at(7), 1, {0.5, -9.5}}, {at(7), 0, {0.25}}});
    writer.finish();
  }
  EXPECT_EQ(text(),
            "t_ns [ns],gyro [rad/s],imu.ax [m/s^2],imu.ay [m/s^2],encoder [rad]\n"
            "7,0.25,0.5,-9.5,\n");
  MeasurementReader reader(path(), sensors());
  std::vector<Reading> readings;
  ASSERT_TRUE(reader.read(readings));
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_EQ(readings[0].values[0], 0.25);
  EXPECT_EQ(readings[1].values[1], -9.5);
  EXPECT_FALSE(reader.read(readings));
}

// invariant: what is written comes back, bit for bit and in the order of arrival.
TEST_F(MeasurementFile, ReadsBackWhatWasWritten) {
  core::Rng rng(5);
  std::vector<Reading> sent;
  {
    MeasurementWriter writer(path(), sensors());
    for (int k = 0; k < 5000; ++k) {
      Reading one{at(static_cast<std::int64_t>(rng.bits() >> 2) % kFarthestReading),
                  static_cast<int>(rng.uniform_index(3)),
                  {}};
      const std::size_t num_channels = one.sensor == 1 ? 2 : 1;
      for (std::size_t c = 0; c < num_channels; ++c) {
        one.values[c] = std::bit_cast<double>(rng.bits());
        if (std::isnan(one.values[c])) one.values[c] = kNaN;
      }
      writer.write(one);
      sent.push_back(one);
    }
    writer.finish();
  }
  MeasurementReader reader(path(), sensors());
  std::vector<Reading> row;
  for (const Reading& one : sent) {
    ASSERT_TRUE(reader.read(row));
    ASSERT_EQ(row.size(), 1u);
    ASSERT_EQ(row[0].t, one.t);
    ASSERT_EQ(row[0].sensor, one.sensor);
    for (std::size_t c = 0; c < 2; ++c)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(row[0].values[c]), std::bit_cast<std::uint64_t>(one.values[c]));
  }
  EXPECT_FALSE(reader.read(row));
  EXPECT_EQ(reader.line_number(), 5002);
}

// crosscheck with strtod and strtoll on text that people and other programs write.
TEST_F(MeasurementFile, ReadsNumbersAsTheCLibraryDoes) {
  const std::vector<std::string> texts = {"1",
                                          "-0.25",
                                          "1e-3",
                                          "1E+5",
                                          ".5",
                                          "5.",
                                          "0x0",
                                          "nan",
                                          "NaN",
                                          "-nan",
                                          "inf",
                                          "-INF",
                                          "123456789012345678901234567890",
                                          "4.9e-324"};
  for (const std::string& number : texts) {
    write("t_ns,gyro\nns,rad/s\n7," + number + "\n");
    MeasurementReader reader(path(), sensors());
    std::vector<Reading> row;
    if (number == "0x0") {
      EXPECT_THROW(reader.read(row), core::ModelError);
      continue;
    }
    ASSERT_TRUE(reader.read(row)) << number;
    const double expected = std::strtod(number.c_str(), nullptr);
    EXPECT_TRUE(row[0].values[0] == expected || (std::isnan(expected) && std::isnan(row[0].values[0])))
        << number;
  }
}

TEST_F(MeasurementFile, MayHaveColumnsInAnyOrder_AndLeaveSensorsOut) {
  write("t_ns,imu.ay,gyro,imu.ax\nns,m/s^2,rad/s,m/s^2\n-3,1,2,3\n-4,,,\n");
  MeasurementReader reader(path(), sensors());
  EXPECT_TRUE(reader.has_sensor(0));
  EXPECT_TRUE(reader.has_sensor(1));
  EXPECT_FALSE(reader.has_sensor(2));
  std::vector<Reading> row;
  ASSERT_TRUE(reader.read(row));
  ASSERT_EQ(row.size(), 2u);
  EXPECT_EQ(row[0].sensor, 1);
  EXPECT_EQ(row[0].values[0], 3.0);
  EXPECT_EQ(row[0].values[1], 1.0);
  EXPECT_EQ(row[1].values[0], 2.0);
  EXPECT_EQ(row[1].t, at(-3));
  ASSERT_TRUE(reader.read(row));  // a row without readings
  EXPECT_TRUE(row.empty());
  EXPECT_FALSE(reader.read(row));
}

TEST_F(MeasurementFile, MayComeFromASpreadsheet) {
  const auto readings = read("\xEF\xBB\xBFt_ns,gyro\r\nns,rad/s\r\n1,2\r\n");
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_EQ(readings[0].values[0], 2.0);
}

TEST_F(MeasurementFile, SaysWhatIsWrongWithNamesAndUnits) {
  EXPECT_EQ(complaint(""),
            "the names or units of the readings are missing [FILE:0]: expected a line of names and one of "
            "units, got the "
            "end of the file. Let 'eslabon sense' write such a file and compare.");
  EXPECT_EQ(complaint("t_ns,gyro\n"),
            "the names or units of the readings are missing [FILE:1]: expected a line of names and one of "
            "units, got the "
            "end of the file. Let 'eslabon sense' write such a file and compare.");
  EXPECT_EQ(complaint("t,gyro\n"),
            "no names of readings [FILE:1]: expected 't_ns' and then the names of sensors, got 't'. Begin "
            "with a line such "
            "as t_ns,gyro and one of units, as 'eslabon sense' writes them.");
  EXPECT_EQ(complaint("t_ns,gyros\n"),
            "a column of no sensor of the mechanism [FILE:1, column 'gyros']: expected 'gyro', 'imu.ax', "
            "'imu.ay' or "
            "'encoder', got 'gyros'. Did you mean 'gyro'?");
  EXPECT_EQ(complaint("t_ns,gyro,gyro\n"),
            "a column appears twice [FILE:1, column 'gyro']: expected each name once, got it again. "
            "Remove one of the "
            "two.");
  EXPECT_EQ(complaint("t_ns,imu.ax\n"),
            "a sensor without all of its columns [FILE:1, column 'imu.ay']: expected all channels of 'imu', "
            "got none with "
            "this name. Add the column, or remove the others of this sensor.");
  EXPECT_EQ(complaint("t_ns,gyro\ns,rad/s\n"),
            "a time in the wrong unit [FILE:2, column 't_ns']: expected 'ns', got 's'. Write times in whole "
            "nanoseconds.");
  EXPECT_EQ(complaint("t_ns,gyro\nns,deg/s\n"),
            "readings in the wrong unit [FILE:2, column 'gyro']: expected 'rad/s', got 'deg/s'. Convert the "
            "readings, and "
            "write this unit into the second line.");
  EXPECT_EQ(complaint("t_ns,gyro\n0,1\n"),
            "a time in the wrong unit [FILE:2, column 't_ns']: expected 'ns', got '0'. Write times in whole "
            "nanoseconds.");
  EXPECT_EQ(complaint("t_ns,gyro\nns\n"),
            "a line with more or fewer columns than the names [FILE:2]: expected 2 units, got 1. Put the "
            "units of the "
            "columns into the second line.");
}

TEST_F(MeasurementFile, SaysWhatIsWrongWithRows) {
  const std::string head = "t_ns,gyro\nns,rad/s\n0,1\n";
  EXPECT_EQ(complaint(head + "1\n"),
            "a line with more or fewer columns than the names [FILE:4]: expected 2 cells, got 1. Leave cells "
            "without a "
            "reading empty, but keep their commas.");
  EXPECT_EQ(complaint(head + "1,2,3\n").substr(0, 59),
            "a line with more or fewer columns than the names [FILE:4]: ");
  for (const std::string time : {"1.5", "1e3", "", " 1", "+1", "one", "1 "})
    EXPECT_EQ(complaint(head + time + ",2\n"),
              "a time that is not a whole number [FILE:4, column 't_ns']: expected a whole number of "
              "nanoseconds, got '" +
                  time + "'. Count nanoseconds from the start of the measurement.");
  for (const std::string time : {"4000000000000000001", "-4000000000000000001", "99999999999999999999"})
    EXPECT_EQ(complaint(head + time + ",2\n"),
              "a time out of range [FILE:4, column 't_ns']: expected nanoseconds within +-4e18, got '" +
                  time + "'. Count nanoseconds from the start of the measurement.");
  for (const std::string value : {"one", "1;2", "1 ", " 1", "--1", "+1", "1e", "0x10", "\"1\""})
    EXPECT_EQ(
        complaint(head + "1," + value + "\n"),
        "a reading that is not a number [FILE:4, column 'gyro']: expected a number such as -0.25 or 1e-3, "
        "nan, inf or "
        "nothing, got '" +
            value + "'. Correct the cell, or leave it empty where there is no reading.");
  EXPECT_EQ(complaint(head + "1,1e999\n"),
            "a reading out of range [FILE:4, column 'gyro']: expected a number that a double can hold, got "
            "'1e999'. Correct "
            "the cell, or leave it empty where there is no reading.");
  EXPECT_EQ(complaint(kHeader + "1,,2,,\n"),
            "a sensor with half a reading [FILE:3]: expected all 2 channels of 'imu' or none, got 1. Fill "
            "the other cells, or "
            "empty these.");
  EXPECT_EQ(complaint(head + "1,0.12"),
            "the last line is not complete [FILE:4]: expected a line break at its end, got the end of the "
            "file. The file is truncated: remove the line, or add the line break if it is complete.");
  EXPECT_EQ(
      complaint(head + std::string(MeasurementLines::kLongestLine + 1, '1') + "\n"),
      "a line that is too long [FILE:4]: expected at most 262144 characters, got more. Check that this is a "
      "measurement file.");
  // As long as it may be, and over the end of the buffer.
  EXPECT_EQ(complaint(head + std::string(MeasurementLines::kLongestLine, '1') + "\n").substr(0, 38),
            "a line with more or fewer columns than");
}

TEST_F(MeasurementFile, SaysWhatToDo_WhenItCannotBeOpened) {
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { MeasurementReader(path(), sensors()); }),
            "the readings could not be read [" + path() +
                "]: expected a file that can be opened, got No such file or directory. Check the name; "
                "'eslabon sense' writes "
                "such files.");
  EXPECT_THROW(MeasurementReader(folder_.string(), sensors()), core::ModelError);
  EXPECT_THROW(MeasurementWriter((folder_ / "no" / "m.csv").string(), sensors()), core::ModelError);
}

TEST_F(MeasurementFile, RefusesReadingsThatMakeNoRow) {
  MeasurementWriter writer(path(), sensors());
  EXPECT_THROW(writer.write(std::vector<Reading>{{at(0), 0, {}}, {at(1), 1, {}}}), core::ContractError);
  EXPECT_THROW(writer.write(std::vector<Reading>{{at(0), 0, {}}, {at(0), 0, {}}}), core::ContractError);
  EXPECT_THROW(writer.write(Reading{at(0), 3, {}}), core::ContractError);
  writer.finish();
  EXPECT_THROW(writer.write(Reading{at(0), 0, {}}), core::ContractError);
  EXPECT_EQ(text(), kHeader);
}

TEST_F(MeasurementFile, TakesNothingFromTheHeapPerRow) {
  if (!test::kCanCountAllocations) GTEST_SKIP();
  MeasurementWriter writer(path(), sensors());
  const std::vector<Reading> row = {{at(12345), 0, {0.125}}, {at(12345), 1, {1e-300, -2.0}}};
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k < 3000; ++k) writer.write(row);
            }),
            0);
  writer.finish();
  MeasurementReader reader(path(), sensors());
  std::vector<Reading> read;
  read.reserve(3);
  int count = 0;
  EXPECT_EQ(test::count_allocations([&] {
              while (reader.read(read)) ++count;
            }),
            0);
  EXPECT_EQ(count, 3000);
}

/// Bytes into a feed, some at a time.
std::vector<Reading> feed_all(MeasurementFeed& feed, std::string_view bytes, std::size_t piece) {
  std::vector<Reading> all, row;
  while (!bytes.empty()) {
    const auto room = feed.room();
    const std::size_t count = std::min({piece, bytes.size(), room.size()});
    std::copy_n(bytes.begin(), count, room.begin());
    feed.add(count);
    bytes.remove_prefix(count);
    while (feed.next(row)) all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

TEST(MeasurementFeed, GivesTheSame_HoweverTheBytesAreCut) {
  const std::string text = kHeader + "0,1,,,\n10,,2,3,\nrubbish\n\n20,4,,,5\n30,x,,,\n40,,,,6";
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 50u, 1000u}) {
    MeasurementFeed feed(sensors(), "standard input", MeasurementParser::Header::kOnce);
    const auto readings = feed_all(feed, text, piece);
    feed.finish();
    ASSERT_EQ(readings.size(), 4u);
    EXPECT_EQ(readings[1].values[1], 3.0);
    EXPECT_EQ(readings[3].sensor, 2);
    EXPECT_EQ(feed.report().lines, 9);
    EXPECT_EQ(feed.report().readings, 4);
    EXPECT_EQ(feed.report().refused, 4);
    ASSERT_EQ(feed.report().messages.size(), 4u);
    EXPECT_EQ(feed.report().messages[0],
              "a line with more or fewer columns than the names [standard input:5]: expected 5 cells, got 1. "
              "Leave cells "
              "without a reading empty, but keep their commas.");
    EXPECT_EQ(feed.report().messages[3],
              "the last line is not complete [standard input:9]: expected a line break at its end, got the "
              "end of the "
              "readings. Look at what sends the readings.");
  }
}

TEST(MeasurementFeed, NeedsNoHeaderInDatagrams_AndTakesOneAtAnyTime) {
  MeasurementFeed feed(sensors(), "port 5000", MeasurementParser::Header::kAnyTime);
  std::vector<Reading> row;
  const auto datagram = [&](std::string_view bytes) {
    std::copy(bytes.begin(), bytes.end(), feed.room().begin());
    feed.add(bytes.size());
    feed.end_line();
    std::vector<Reading> all;
    while (feed.next(row)) all.insert(all.end(), row.begin(), row.end());
    return all.size();
  };
  EXPECT_EQ(datagram("0,1,,,2"), 2u);
  EXPECT_EQ(datagram("1,1,,,\n2,,3,4,\n"), 2u);
  EXPECT_EQ(datagram("t_ns,encoder\nns,rad\n3,5"), 1u);
  EXPECT_EQ(datagram("4,6"), 1u);
  EXPECT_EQ(datagram("t_ns,oops"), 0u);  // from here on nobody knows what the columns are
  EXPECT_EQ(datagram("5,7"), 0u);
  EXPECT_EQ(datagram("t_ns,gyro\nns,rad/s"), 0u);
  EXPECT_EQ(datagram("6,8"), 1u);
  EXPECT_EQ(feed.report().refused, 2);
}

TEST(MeasurementFeed, NeedsNamesAgain_AfterWrongUnits) {
  MeasurementFeed feed(sensors(), "pipe", MeasurementParser::Header::kOnce);
  EXPECT_EQ(feed_all(feed, "t_ns,gyro\nns,deg/s\n1,2\nt_ns,gyro\nns,rad/s\n3,4\n", 100).size(), 1u);
  EXPECT_EQ(feed.report().refused, 2);
}

TEST(MeasurementFeed, PassesOverALineThatIsTooLong) {
  MeasurementFeed feed(sensors(), "pipe", MeasurementParser::Header::kOnce);
  const std::string text = kHeader + std::string(3 * MeasurementLines::kLongestLine, '7') + "\n1,2,,,\n";
  EXPECT_EQ(feed_all(feed, text, 5000).size(), 1u);
  EXPECT_EQ(feed.report().refused, 1);
  EXPECT_EQ(feed.report().lines, 4);
}

TEST(MeasurementFeed, TellsOfTheFirstRefusedLinesAlone_AndCountsAll) {
  MeasurementFeed feed(sensors(), "pipe", MeasurementParser::Header::kOnce);
  std::string text = kHeader;
  for (int k = 0; k < 20; ++k) text += "rubbish\n";
  EXPECT_EQ(feed_all(feed, text + "1,2,,,\n", 50).size(), 1u);
  EXPECT_EQ(feed.report().refused, 20);
  ASSERT_EQ(feed.report().messages.size(), FeedReport::kMostMessages);
  EXPECT_EQ(feed.report().messages.back().substr(0, 56),
            "a line with more or fewer columns than the names [pipe:7");
}

// Whatever bytes come, the feed goes on: a good line at the end is understood.
TEST(MeasurementFeed, SurvivesAnyBytes) {
  const int num_streams = std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 20'000 : 500;
  const std::string letters = "0123456789-+.,,,,\n\n\reinfat_nsgyroimux \xEF\xBB\xBF\x80";
  for (int stream = 0; stream < num_streams; ++stream) {
    core::Rng rng(9, static_cast<std::uint64_t>(stream));
    MeasurementFeed feed(
        sensors(), "noise",
        stream % 2 == 0 ? MeasurementParser::Header::kOnce : MeasurementParser::Header::kAnyTime);
    std::string text = stream % 4 == 0 ? kHeader : "";
    for (int k = 0; k < 300; ++k) text += letters[rng.uniform_index(letters.size())];
    feed_all(feed, text, 1 + rng.uniform_index(40));
    const std::int64_t before = feed.report().readings;
    feed_all(feed, "\n\n" + kHeader + "77,1,,,\n", 16);
    EXPECT_EQ(feed.report().readings, before + 1) << stream;
    EXPECT_LE(feed.report().refused, feed.report().lines);
  }
}

}  // namespace
}  // namespace eslabon::io
