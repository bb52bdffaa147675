#include "eslabon/io/measurements/datagram_feed.hpp"

#include <algorithm>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Senders = DatagramFeed::Senders;

constexpr DatagramSender kRobot{0x7f000001, 5005}, kStray{0x7f000001, 40000}, kThird{0x7f000001, 40001};

std::vector<sensing::SensorFacts> two_encoders() {
  std::vector<sensing::SensorFacts> sensors(2);
  for (std::size_t s = 0; s < 2; ++s) {
    sensors[s].name = s == 0 ? "left" : "right";
    sensors[s].channels = {{sensors[s].name, core::kAngle, true}};
  }
  return sensors;
}

/// "left 1": sensor and value of each reading that a datagram gives.
std::vector<std::string> datagram(DatagramFeed& feed, const DatagramSender& sender, std::string_view bytes) {
  std::ranges::copy(bytes, feed.room().begin());
  feed.add(sender, bytes.size());
  std::vector<std::string> all;
  std::vector<sensing::Reading> row;
  while (feed.next(row))
    for (const sensing::Reading& reading : row)
      all.push_back((reading.sensor == 0 ? "left " : "right ") +
                    std::to_string(static_cast<int>(reading.values[0])));
  return all;
}

TEST(DatagramFeed, OneStrayHeaderSilencesNobody) {
  for (const Senders senders : {Senders::kFirst, Senders::kAll}) {
    DatagramFeed feed(two_encoders(), "port 5005", senders);
    EXPECT_THAT(datagram(feed, kRobot, "1,1,2"), ElementsAre("left 1", "right 2"));
    EXPECT_THAT(datagram(feed, kStray, "t_ns,nonsense"), IsEmpty());
    EXPECT_THAT(datagram(feed, kRobot, "2,3,4"), ElementsAre("left 3", "right 4"));
  }
}

TEST(DatagramFeed, AHeaderOfAnotherSwapsNothing) {
  for (const Senders senders : {Senders::kFirst, Senders::kAll}) {
    DatagramFeed feed(two_encoders(), "port 5005", senders);
    EXPECT_THAT(datagram(feed, kRobot, "t_ns,left,right\nns,rad,rad"), IsEmpty());
    EXPECT_THAT(datagram(feed, kStray, "t_ns,right,left\nns,rad,rad"), IsEmpty());
    EXPECT_THAT(datagram(feed, kRobot, "1,1,2"), ElementsAre("left 1", "right 2"));
    EXPECT_THAT(datagram(feed, kStray, "t_ns,right,left\nns,rad,rad"), IsEmpty());
    EXPECT_THAT(datagram(feed, kRobot, "2,3,4"), ElementsAre("left 3", "right 4"));
  }
}

TEST(DatagramFeed, TakesReadingsOfTheFirstSenderThatGivesOne) {
  DatagramFeed feed(two_encoders(), "port 5005", Senders::kFirst);
  EXPECT_THAT(datagram(feed, kStray, "hello"), IsEmpty());  // no reading: it is not the first
  EXPECT_THAT(datagram(feed, kRobot, "1,1,2"), ElementsAre("left 1", "right 2"));
  EXPECT_THAT(datagram(feed, kStray, "2,3,4"), IsEmpty());
  EXPECT_THAT(datagram(feed, kThird, "2,3,4"), IsEmpty());
  EXPECT_EQ(feed.report().taken, 2);
  EXPECT_EQ(feed.report().passed_over, 2);
  EXPECT_EQ(feed.report().first, kRobot);
  EXPECT_EQ(feed.report().other, kStray);
  EXPECT_EQ(feed.report().other->text(), "127.0.0.1:40000");
  EXPECT_EQ(feed.lines().refused, 1);
}

TEST(DatagramFeed, UnderstandsEachSenderByItsOwnNames_WhenAllAreTaken) {
  DatagramFeed feed(two_encoders(), "port 5005", Senders::kAll);
  EXPECT_THAT(datagram(feed, kRobot, "t_ns,right,left"), IsEmpty());  // its units come later
  EXPECT_THAT(datagram(feed, kStray, "t_ns,left\nns,rad\n1,5"), ElementsAre("left 5"));
  EXPECT_THAT(datagram(feed, kThird, "1,6,7"), ElementsAre("left 6", "right 7"));
  EXPECT_THAT(datagram(feed, kRobot, "ns,rad,rad\n2,1,2"), ElementsAre("right 1", "left 2"));
  EXPECT_THAT(datagram(feed, kStray, "2,8"), ElementsAre("left 8"));
  EXPECT_THAT(datagram(feed, kThird, "3,9,10"), ElementsAre("left 9", "right 10"));
  EXPECT_EQ(feed.lines().refused, 0);
  EXPECT_EQ(feed.report().passed_over, 0);
}

TEST(DatagramFeed, RemembersNoMoreSendersThanItSays) {
  DatagramFeed feed(two_encoders(), "port 5005", Senders::kAll);
  constexpr std::size_t kMore = DatagramFeed::kMostSenders + 100;
  for (std::size_t k = 0; k < kMore; ++k)
    datagram(feed, {0x7f000001, static_cast<std::uint16_t>(k)}, "t_ns,right\nns,rad\n");
  EXPECT_GT(feed.report().passed_over, 0);
  EXPECT_THAT(datagram(feed, {0x7f000001, 7}, "1,1"), ElementsAre("right 1"));
  // Those without names need not be remembered.
  DatagramFeed plain(two_encoders(), "port 5005", Senders::kAll);
  for (std::size_t k = 0; k < kMore; ++k)
    EXPECT_EQ(datagram(plain, {0x7f000001, static_cast<std::uint16_t>(k)}, "1,1,2").size(), 2u);
  EXPECT_EQ(plain.report().passed_over, 0);
}

}  // namespace
}  // namespace eslabon::io
