#include "eslabon/live/live_run.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/sentence_of.hpp"
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/live/live_printer.hpp"

namespace eslabon::live {
namespace {

namespace fs = std::filesystem;

std::vector<sensing::SensorFacts> sensors() {
  sensing::SensorFacts gyro;
  gyro.name = "gyro";
  gyro.channels = {{"gyro", core::kAngularVelocity, false}};
  return {gyro};
}

const std::string kHeader = "t_ns,gyro\nns,rad/s\n";

/// A pipe; both ends are closed at the end.
struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends.data()), 0); }
  ~Pipe() {
    close_writer();
    close(ends[0]);
  }
  void send(const std::string& text) const {
    EXPECT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close_writer() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends{};
};

/// Waits, five seconds at most, until something is true.
template <class Condition>
bool becomes_true(Condition condition) {
  for (int k = 0; k < 5000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

class LiveLogTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_live_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path() const { return folder_ / "log.csv"; }
  std::string text() const {
    std::ifstream stream(path(), std::ios::binary);
    std::ostringstream out;
    out << stream.rdbuf();
    return out.str();
  }
  fs::path folder_;
};

TEST_F(LiveLogTest, IsAResultFileThatGrowsWhileTheRunGoesOn) {
  LiveLog log(path(), {{"crank.angle", "rad"}});
  log.add(std::vector{0.1, -2.0});
  EXPECT_TRUE(becomes_true([&] { return text() == "t,crank.angle\ns,rad\n0.10000000000000001,-2\n"; }))
      << text();
  log.add(std::vector{0.2, std::numeric_limits<double>::quiet_NaN()});
  for (int k = 0; k < 3000; ++k) log.add(std::vector{static_cast<double>(k), 1.0 / 3.0});
  log.finish();
  log.finish();
  EXPECT_EQ(log.report().rows_written, 3001);
  EXPECT_EQ(log.report().rows_not_finite, 1);
  EXPECT_EQ(log.report().rows_dropped, 0);
  EXPECT_EQ(log.report().error, "");
  EXPECT_GE(log.report().num_syncs, 1);
  EXPECT_TRUE(text().ends_with("\n2998,0.33333333333333331\n2999,0.33333333333333331\n"));
}

// A disk that takes nothing: a pipe that nobody reads.
TEST_F(LiveLogTest, NeverMakesTheThreadThatAddsWait_AndCountsWhatItDrops) {
  Pipe pipe;
  const int writer = dup(pipe.ends[1]);
  auto log = std::make_unique<LiveLog>(writer, "slow disk", std::vector<io::ResultColumn>{{"x", "m"}}, 256);
  std::int64_t longest = 0;
  const std::int64_t num_rows = 20'000;  // some 700 kB; the pipe holds 64
  for (std::int64_t k = 0; k < num_rows; ++k) {
    const std::int64_t begin = monotonic_now();
    log->add(std::vector{static_cast<double>(k), 0.1234567890123456});
    longest = std::max(longest, monotonic_now() - begin);
    if (k % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LT(longest, 150'000'000);  // the scheduler may take the core, the disk may not
  std::string all;
  std::thread reader([&] {
    std::array<char, 4096> piece{};
    for (ssize_t count; (count = read(pipe.ends[0], piece.data(), piece.size())) > 0;)
      all.append(piece.data(), static_cast<std::size_t>(count));
  });
  log->finish();
  EXPECT_GT(log->report().rows_dropped, 1000);
  EXPECT_EQ(log->report().rows_written + log->report().rows_dropped, num_rows);
  EXPECT_GT(log->report().longest_write, 0.0);
  const std::int64_t written = log->report().rows_written;
  log.reset();
  pipe.close_writer();
  reader.join();
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), written + 2);
}

TEST_F(LiveLogTest, SaysWhenTheSystemTakesNoMore) {
  const int full = open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { LiveLog(full, "full", {}); }),
            "the log could not be written [full]: expected a file that can be created, got No space left on "
            "device. Check "
            "that the folder exists and may be written to.");
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { LiveLog(folder_ / "no" / "log.csv", {}); }).substr(0, 28),
      "the log could not be written");
}

TEST(LiveSource, ReadsAPipeToItsEnd_AndRefusesSingleLines) {
  Pipe pipe;
  LiveSource source(pipe.ends[0], "standard input", sensors());
  pipe.send(kHeader + "1,0.5\nrubbish\n2,");
  Arrival arrival;
  ASSERT_TRUE(becomes_true([&] { return source.next(arrival); }));
  EXPECT_EQ(arrival.reading.t.nanoseconds(), 1);
  EXPECT_EQ(arrival.reading.values[0], 0.5);
  EXPECT_LE(arrival.came, monotonic_now());
  EXPECT_FALSE(source.is_over());
  pipe.send("0.75\n3");
  ASSERT_TRUE(becomes_true([&] { return source.next(arrival); }));
  EXPECT_EQ(arrival.reading.values[0], 0.75);
  pipe.close_writer();
  EXPECT_TRUE(becomes_true([&] { return source.is_over(); }));
  source.stop();
  EXPECT_EQ(source.report().feed.refused, 2);
  EXPECT_EQ(source.report().feed.readings, 2);
  EXPECT_EQ(source.report().error, "");
}

TEST(LiveSource, MakesThePipeWait_WhenTheFilterDoes) {
  Pipe pipe;
  LiveSource source(pipe.ends[0], "standard input", sensors(), 4);
  std::string text = kHeader;
  for (int k = 0; k < 100; ++k) text += std::to_string(k) + ",1\n";
  pipe.send(text);
  pipe.close_writer();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Arrival arrival;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(becomes_true([&] { return source.next(arrival); }));
    ASSERT_EQ(arrival.reading.t.nanoseconds(), k);
  }
  EXPECT_TRUE(becomes_true([&] { return source.is_over(); }));
  source.stop();
  EXPECT_EQ(source.report().readings_dropped, 0);
  EXPECT_GT(source.report().num_waits, 0);
}

TEST(LiveSource, StopsWhileItWaits) {
  Pipe pipe;
  const std::int64_t begin = monotonic_now();
  { LiveSource source(pipe.ends[0], "standard input", sensors()); }
  EXPECT_LT(monotonic_now() - begin, 2'000'000'000);
}

/// Sends datagrams to a port of this machine.
class Sender {
 public:
  explicit Sender(int port) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Sender() { close(socket_); }
  void send(const std::string& text) const {
    EXPECT_EQ(::send(socket_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }

 private:
  int socket_;
};

TEST(LiveSource, ReceivesDatagramsOfSeveralLines_AndDropsWhatFindsNoRoom) {
  LiveSource source(LiveSource::Port{0}, sensors(), 4);
  ASSERT_GT(source.port(), 0);
  const Sender sender(source.port());
  sender.send("1,0.5\n2,0.25");
  sender.send("");
  sender.send("oops");
  Arrival arrival;
  ASSERT_TRUE(becomes_true([&] { return source.next(arrival); }));
  ASSERT_TRUE(becomes_true([&] { return source.next(arrival); }));
  EXPECT_EQ(arrival.reading.values[0], 0.25);
  sender.send("3,1\n4,1\n5,1\n6,1\n7,1\n8,1");
  sender.send("9,1");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  source.stop();
  EXPECT_EQ(source.report().datagrams.taken, 5);
  EXPECT_EQ(source.report().readings_dropped, 3);
  EXPECT_EQ(source.report().feed.refused, 1);
  EXPECT_TRUE(source.report().feed.messages[0].starts_with(
      "a line with more or fewer columns than the names [port "));
}

TEST(LiveSource, TakesTheDatagramsOfTheFirstSenderAlone_OrOfAllWhenAsked) {
  for (const auto senders : {io::DatagramFeed::Senders::kFirst, io::DatagramFeed::Senders::kAll}) {
    LiveSource source(LiveSource::Port{0, senders}, sensors());
    const Sender first(source.port()), stray(source.port());
    stray.send("t_ns,nonsense");
    first.send("1,0.5");
    stray.send("t_ns,gyro\nns,rad/s\n2,7");
    first.send("3,0.25");
    const bool takes_all = senders == io::DatagramFeed::Senders::kAll;
    std::vector<double> values;
    Arrival arrival;
    while (values.size() < (takes_all ? 3u : 2u)) {
      ASSERT_TRUE(becomes_true([&] { return source.next(arrival); }));
      values.push_back(arrival.reading.values[0]);
    }
    EXPECT_EQ(values, takes_all ? (std::vector{0.5, 7.0, 0.25}) : (std::vector{0.5, 0.25}));
    source.stop();
    EXPECT_EQ(source.report().datagrams.passed_over, takes_all ? 0 : 1);
    EXPECT_EQ(source.report().feed.refused, 1);
    EXPECT_EQ(source.report().datagrams_lost, 0);
  }
}

TEST(LiveSource, SaysThatAPortIsTaken) {
  const LiveSource source(LiveSource::Port{0}, sensors());
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { LiveSource(LiveSource::Port{source.port()}, sensors()); }),
      "no readings can be received [127.0.0.1:" + std::to_string(source.port()) +
          "]: expected a port that is free, 1024 … 65535, got Address already in use. Choose another port.");
  EXPECT_THROW(LiveSource(LiveSource::Port{70000}, sensors()), core::ModelError);
}

/// Counts, and writes the time and the number of readings.
class Counting : public LiveTask {
 public:
  std::size_t width() const override { return 2; }
  void receive(const sensing::Reading&) override { ++num_readings; }
  void end_readings() override { has_ended = true; }
  bool is_done() const override { return num_after_end >= 3; }
  bool step(core::Instant t, std::span<double> row) override {
    row[0] = t.seconds();
    row[1] = num_readings;
    num_after_end += has_ended ? 1 : 0;
    return true;
  }
  int num_readings = 0, num_after_end = 0;
  bool has_ended = false;
};

TEST_F(LiveLogTest, RunStepsFromTheFirstReadingToTheEndOfTheReadings) {
  Pipe pipe;
  LiveSource source(pipe.ends[0], "standard input", sensors());
  LiveLog log(path(), {{"n", "1"}});
  std::thread sender([&] {
    pipe.send(kHeader + "5000000000,1\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pipe.send("5010000000,1\n5020000000,1\n");
    pipe.close_writer();
  });
  Counting task;
  LiveOptions options;
  options.prefers_thread = false;
  options.delay = core::Duration::from_nanoseconds(20'000'000);
  const LiveReport report = run_live(source, &log, task, options);
  sender.join();
  log.finish();
  EXPECT_EQ(report.end, LiveReport::End::kReadings);
  EXPECT_TRUE(report.has_started);
  EXPECT_EQ(report.first.nanoseconds(), 4'981'000'000);
  EXPECT_EQ(task.num_readings, 3);
  EXPECT_EQ(task.num_after_end, 3);
  const std::int64_t num_steps = report.clock.num_steps();
  EXPECT_GE(num_steps, 40);  // of 50 ms and some
  EXPECT_EQ(report.last.nanoseconds(), 4'980'000'000 + 1'000'000 * num_steps);
  EXPECT_EQ(report.clock.latency().count(), num_steps);
  EXPECT_EQ(log.report().rows_written, num_steps);
  EXPECT_TRUE(text().starts_with("t,n\ns,1\n4.9809999999999999,1\n4.9820000000000002,1\n"));
}

TEST(LiveRun, EndsByTimeAndWhenItIsAskedTo) {
  Pipe pipe;
  LiveSource source(pipe.ends[0], "standard input", sensors());
  pipe.send(kHeader + "0,1\n1,1\n");
  Counting task;
  LiveOptions options;
  options.prefers_thread = false;
  options.until = core::Duration::from_nanoseconds(30'000'000);
  const LiveReport in_time = run_live(source, nullptr, task, options);
  EXPECT_EQ(in_time.end, LiveReport::End::kTime);
  EXPECT_EQ(in_time.clock.num_steps(), 30);
  EXPECT_EQ(in_time.last.nanoseconds(), 30'000'000);
  std::atomic<bool> stop = false;
  options.until.reset();
  options.stop = &stop;
  pipe.send("2,1\n");
  std::thread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop = true;
  });
  const LiveReport stopped = run_live(source, nullptr, task, options);
  asker.join();
  EXPECT_EQ(stopped.end, LiveReport::End::kStopped);
  EXPECT_EQ(stopped.clock.latency().count(), stopped.clock.num_steps());
}

TEST(LiveRun, EndsByTime_WhileOnlyRubbishComes) {
  Pipe pipe;
  LiveSource source(pipe.ends[0], "standard input", sensors());
  std::atomic<bool> is_over = false;
  std::thread sender([&] {
    while (!is_over) {
      pipe.send("rubbish\n");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  Counting task;
  LiveOptions options;
  options.prefers_thread = false;
  options.until = core::Duration::from_nanoseconds(50'000'000);
  const LiveReport report = run_live(source, nullptr, task, options);
  is_over = true;
  sender.join();
  EXPECT_EQ(report.end, LiveReport::End::kTime);
  EXPECT_FALSE(report.has_started);
}

// A row of 1000 numbers is longer than what a pipe takes at once, and nobody reads.
TEST(LivePrinter, NeverMakesTheThreadThatAddsWait_HoweverLongARow) {
  Pipe pipe;
  const std::vector<io::ResultColumn> columns(999, {"x", "m"});
  LivePrinter printer(pipe.ends[1], columns, io::HeaderStyle::kTwoRows, 16);
  const std::vector<double> row(1000, 0.1234567890123456);
  std::int64_t longest = 0;
  constexpr std::int64_t kRows = 200;  // 20 kB each; the pipe holds 64
  for (std::int64_t k = 0; k < kRows; ++k) {
    const std::int64_t begin = monotonic_now();
    printer.add(row);
    longest = std::max(longest, monotonic_now() - begin);
  }
  EXPECT_LT(longest, 500'000'000);  // the scheduler may take the core, the reader may not
  printer.finish();
  EXPECT_GT(printer.report().rows_dropped, 100);
  EXPECT_EQ(printer.report().rows_written + printer.report().rows_dropped, kRows);
}

TEST(LivePrinter, PrintsEveryRowAtOnce_ToAReaderThatReads) {
  Pipe pipe;
  LivePrinter printer(pipe.ends[1], {{"x", "m"}}, io::HeaderStyle::kTwoRows);
  std::array<char, 64> text{};
  const auto said = [&] {
    return std::string(text.data(), static_cast<std::size_t>(read(pipe.ends[0], text.data(), text.size())));
  };
  EXPECT_EQ(said(), "t,x\ns,m\n");
  printer.add(std::vector{0.5, -1e-9});
  EXPECT_EQ(said(), "0.5,-1e-09\n");
  printer.add(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()});
  printer.finish();
  EXPECT_EQ(printer.report().rows_written, 1);
  EXPECT_EQ(printer.report().rows_not_finite, 1);
}

TEST(LivePrinter, SaysWhenTheSystemTakesNoMore) {
  const int full = open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  LivePrinter printer(full, {{"x", "m"}}, io::HeaderStyle::kTwoRows);
  for (int k = 0; k < 2000; ++k) printer.add(std::vector{0.5, 1.0});
  printer.finish();
  close(full);
  EXPECT_EQ(printer.report().rows_written, 0);
  EXPECT_EQ(printer.report().rows_dropped, 2000);
  EXPECT_EQ(printer.report().error, "No space left on device");
}

TEST(LiveRun, DoesNothingWithoutReadings) {
  Pipe pipe;
  LiveSource source(pipe.ends[0], "standard input", sensors());
  pipe.close_writer();
  Counting task;
  EXPECT_FALSE(run_live(source, nullptr, task, LiveOptions{}).has_started);
}

}  // namespace
}  // namespace eslabon::live
