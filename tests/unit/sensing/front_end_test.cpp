#include "eslabon/sensing/front_end.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::sensing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

core::Duration ms(std::int64_t n) { return core::Duration::from_nanoseconds(1'000'000 * n); }
core::Instant at_ms(std::int64_t n) { return core::Instant::at(ms(n)); }

/// Two sensors of 10 ms: a gyroscope with noise and a range, an encoder with a resolution.
std::vector<SensorFacts> sensors() {
  return {{"gyro", {{"gyro", core::kAngularVelocity, false, 0.01, 0.0, 5.0}}, ms(10)},
          {"encoder", {{"encoder", core::kAngle, true, 0.0, 0.001, kInfinity}}, ms(10)}};
}

FrontEndOptions with_window(std::int64_t window_ms) {
  FrontEndOptions options;
  options.window = ms(window_ms);
  return options;
}

/// A reading at this time [ms]; values differ from each other unless they are given.
Reading reading(std::int64_t t_ms, int sensor = 0, double value = kNaN) {
  static double fresh = 0.0;
  Reading one;
  one.t = at_ms(t_ms);
  one.sensor = sensor;
  one.values[0] = std::isnan(value) ? (fresh = std::fmod(fresh + 0.37, 3.0)) : value;
  return one;
}

/// Times [ms] of everything that can be handed out.
std::vector<std::int64_t> handed_out(FrontEnd& front_end, std::int64_t until_ms = 1'000'000'000) {
  std::vector<std::int64_t> times;
  Reading one;
  while (front_end.next(at_ms(until_ms), one)) times.push_back(one.t.nanoseconds() / 1'000'000);
  return times;
}

using Times = std::vector<std::int64_t>;

std::int64_t count(const FrontEnd& front_end, Outcome outcome, int sensor = 0) {
  return front_end.log().counts(sensor).of(outcome);
}

TEST(FrontEnd, HandsOutWhatComesInOrder_OnceItIsOlderThanTheWindow) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 50; t += 10) front_end.receive(reading(t));
  EXPECT_EQ(handed_out(front_end), (Times{0, 10, 20, 30}));
  EXPECT_EQ(front_end.num_waiting(), 2u);
  front_end.receive(reading(60));
  EXPECT_EQ(handed_out(front_end, 35), (Times{}));
  EXPECT_EQ(handed_out(front_end, 40), (Times{40}));
  front_end.advance(at_ms(72));
  EXPECT_EQ(handed_out(front_end), (Times{50}));
  front_end.flush();
  EXPECT_EQ(handed_out(front_end), (Times{60}));
  EXPECT_EQ(front_end.log().total().received, 7);
  EXPECT_EQ(front_end.log().total().handed_out, 7);
  EXPECT_EQ(front_end.log().total().dropped(), 0);
  EXPECT_EQ(front_end.log().num_events(), 0u);
}

TEST(FrontEnd, HandsOutAtOnce_WithoutAWindow) {
  FrontEnd front_end(sensors(), with_window(0));
  front_end.receive(reading(10));
  EXPECT_EQ(handed_out(front_end), (Times{10}));
  front_end.receive(reading(10, 1));  // as old as the newest is in time
  front_end.receive(reading(9, 1));
  EXPECT_EQ(handed_out(front_end), (Times{10}));
  EXPECT_EQ(count(front_end, Outcome::kLate, 1), 1);
}

TEST(FrontEnd, DropsReadingsOfTheSameSensorAndTime) {
  FrontEnd front_end(sensors(), with_window(20));
  const Reading one = reading(0), two = reading(10);
  for (const Reading& r : {one, one, two, one, two}) front_end.receive(r);
  front_end.receive(reading(10));     // other values, same time
  front_end.receive(reading(10, 1));  // another sensor
  front_end.flush();
  EXPECT_EQ(handed_out(front_end), (Times{0, 10, 10}));
  front_end.receive(two);  // after it was handed out, and late: still a duplicate
  EXPECT_EQ(count(front_end, Outcome::kDuplicate), 5);
  EXPECT_EQ(count(front_end, Outcome::kDuplicate, 1), 0);
  EXPECT_EQ(front_end.log().total().dropped(), 5);
}

TEST(FrontEnd, PutsInOrderWhatIsWithinTheWindow_AndDropsWhatIsBeyond) {
  FrontEnd front_end(sensors(), with_window(20));
  for (const int t : {0, 30, 10, 20, 50, 40, 29}) front_end.receive(reading(t));
  front_end.flush();
  EXPECT_EQ(handed_out(front_end), (Times{0, 10, 20, 30, 40, 50}));
  EXPECT_EQ(count(front_end, Outcome::kReordered), 3);  // 10, 20 and 40
  EXPECT_EQ(count(front_end, Outcome::kLate), 1);       // 29 < 50 − 20
  EXPECT_EQ(count(front_end, Outcome::kGap), 0);        // noted in order of time
}

TEST(FrontEnd, NotesGapsWithTheReadingsThatAreMissing) {
  FrontEnd front_end(sensors(), with_window(0));
  for (const int t : {0, 10, 25, 40, 56, 100, 110}) front_end.receive(reading(t));
  EXPECT_EQ(handed_out(front_end).size(), 7u);
  EXPECT_EQ(count(front_end, Outcome::kGap), 2);  // 16 and 44 ms; 15 ms are not more than 1.5 periods
  EXPECT_EQ(front_end.log().counts(0).missing, 1 + 3);
  EXPECT_EQ(front_end.log().text(front_end.log().event(0)),
            "gyro: 2 gaps, 4 readings missing, 0.056 s … 0.1 s");
}

TEST(FrontEnd, DropsWhatIsNotFiniteOrSaturated_AndSeesNoGapThere) {
  FrontEnd front_end(sensors(), with_window(0));
  Reading not_a_number = reading(10);
  not_a_number.values[0] = kNaN;
  for (const Reading& r :
       {reading(0), not_a_number, reading(20, 0, kInfinity), reading(30, 0, -kInfinity), reading(40, 0, 5.0),
        reading(50, 0, -7.0), reading(60, 0, 4.999), reading(60, 1, 1e9)})
    front_end.receive(r);
  EXPECT_EQ(handed_out(front_end), (Times{0, 60, 60}));
  EXPECT_EQ(count(front_end, Outcome::kNotFinite), 3);
  EXPECT_EQ(count(front_end, Outcome::kSaturated), 2);
  EXPECT_EQ(count(front_end, Outcome::kGap), 0);
  ASSERT_EQ(front_end.log().num_events(), 2u);
  EXPECT_EQ(front_end.log().text(front_end.log().event(0)), "gyro: 3 readings not finite, 0.01 s … 0.03 s");
  EXPECT_EQ(front_end.log().text(front_end.log().event(1)), "gyro: 2 readings saturated, 0.04 s … 0.05 s");
}

TEST(FrontEnd, ReportsOnlyTheChannelsThatThereAre) {
  FrontEnd front_end(sensors(), with_window(0));
  Reading one = reading(0);
  one.values[1] = kNaN;  // of no channel
  front_end.receive(one);
  EXPECT_EQ(handed_out(front_end).size(), 1u);
}

TEST(FrontEnd, DropsWhatIsStuck_FromTheTenthEqualReadingUntilItChanges) {
  FrontEnd front_end(sensors(), with_window(0));
  for (int k = 0; k < 15; ++k) front_end.receive(reading(10 * k, 0, 1.25));
  for (int k = 15; k < 17; ++k) front_end.receive(reading(10 * k, 0, 1.25 + 0.001 * k));
  for (int k = 17; k < 26; ++k) front_end.receive(reading(10 * k, 0, -0.5));  // nine
  front_end.receive(reading(260, 0, 0.5));
  EXPECT_EQ(handed_out(front_end).size(), 27u - 6u);
  EXPECT_EQ(count(front_end, Outcome::kStuck), 6);
}

/// Readings of an encoder that stands while the predictions go on by `speed` per reading; how many are called stuck.
int stuck_of_encoder(double speed, double start, bool wraps, int num_readings) {
  FrontEnd front_end(sensors(), with_window(0));
  Reading one;
  for (int k = 0; k < num_readings; ++k) {
    front_end.receive(reading(10 * k, 1, 0.7));
    EXPECT_TRUE(front_end.next(at_ms(10 * k), one));
    double predicted = start + speed * k;
    if (wraps) predicted = std::remainder(predicted, 2.0 * std::acos(-1.0));
    if (front_end.judge(one, std::span(&predicted, 1))) front_end.count(one, Outcome::kAccepted);
  }
  const StreamCounts& counts = front_end.log().counts(1);
  EXPECT_EQ(counts.handed_out, counts.of(Outcome::kAccepted));
  EXPECT_EQ(counts.received, counts.handed_out + counts.dropped());
  return static_cast<int>(counts.of(Outcome::kStuck));
}

TEST(FrontEnd, CallsAQuantisedSensorStuck_OnlyIfThePredictionMoves) {
  EXPECT_EQ(stuck_of_encoder(0.0, 0.7, false, 100), 0);
  // Moved by more than 3 × 0.001 after 15 steps of 0.00021 rad: readings 15 … 99.
  EXPECT_EQ(stuck_of_encoder(0.00021, 0.7, false, 100), 85);
  // Fast: from the tenth equal reading on.
  EXPECT_EQ(stuck_of_encoder(0.01, 0.7, false, 100), 91);
  // A prediction that passes half a turn has not moved by a turn.
  EXPECT_EQ(stuck_of_encoder(0.00002, 3.1411, true, 100), 0);
}

TEST(FrontEnd, ForgetsThatASensorWasStuck_WhenItMovesAgain) {
  FrontEnd front_end(sensors(), with_window(0));
  Reading one;
  int refused = 0;
  for (int k = 0; k < 40; ++k) {
    front_end.receive(reading(10 * k, 1, k < 20 ? 0.7 : 0.7 + 0.001 * k));
    ASSERT_TRUE(front_end.next(at_ms(10 * k), one));
    const double predicted = 0.7 + 0.001 * k;
    refused += front_end.judge(one, std::span(&predicted, 1)) ? 0 : 1;
  }
  EXPECT_EQ(refused, 11);  // number 9 … 19
  // It stands, and so does the prediction: what was predicted before the last change does not count.
  for (int k = 40; k < 60; ++k) {
    front_end.receive(reading(10 * k, 1, 0.9));
    ASSERT_TRUE(front_end.next(at_ms(10 * k), one));
    const double predicted = 0.9;
    EXPECT_TRUE(front_end.judge(one, std::span(&predicted, 1)));
  }
}

TEST(FrontEnd, LearnsAShift_WhenAClockJumpsBack) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 1000; t += 10) front_end.receive(reading(t));
  for (int t = 1010; t <= 1100; t += 10) front_end.receive(reading(t - 700));
  front_end.flush();
  const Times times = handed_out(front_end);
  EXPECT_EQ(count(front_end, Outcome::kLate), 4);
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 1);
  EXPECT_EQ(times.size(), 101u + 6u);
  EXPECT_EQ(times[101], 1050);  // the fifth, where it would be if nothing had happened
  EXPECT_EQ(times.back(), 1100);
  EXPECT_EQ(front_end.log().text(front_end.log().event(1)),
            "gyro: resynchronised, its times are shifted by 0.7 s, 0.35 s");
}

TEST(FrontEnd, CountsAShiftFromTheNewestReading_NotFromOneThatCameLast) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 1000; t += 10) front_end.receive(reading(t));
  front_end.receive(reading(985));
  for (int t = 1010; t <= 1100; t += 10) front_end.receive(reading(t - 700));
  front_end.flush();
  EXPECT_EQ(handed_out(front_end).back(), 1100);
}

TEST(FrontEnd, LearnsAShift_WhenAJumpBackRepeatsTimesWithOtherValues) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 1000; t += 10) front_end.receive(reading(t));
  for (int t = 1010; t <= 1100; t += 10) front_end.receive(reading(t - 60));
  front_end.flush();
  EXPECT_EQ(handed_out(front_end).back(), 1100);
  EXPECT_EQ(count(front_end, Outcome::kDuplicate), 4);  // all four times are remembered
  EXPECT_EQ(count(front_end, Outcome::kLate), 0);
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 1);
}

TEST(FrontEnd, TakesNoBurstOfRepeatsForAClockThatJumped) {
  FrontEnd front_end(sensors(), with_window(20));
  std::vector<Reading> sent;
  for (int t = 0; t <= 200; t += 10) sent.push_back(reading(t));
  for (const Reading& r : sent) front_end.receive(r);
  for (std::size_t k = 11; k < sent.size(); ++k) front_end.receive(sent[k]);
  front_end.receive(reading(210));
  front_end.flush();
  EXPECT_EQ(handed_out(front_end).back(), 210);
  EXPECT_EQ(count(front_end, Outcome::kDuplicate), 10);
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 0);
}

TEST(FrontEnd, DropsALateLineForEver_WithoutTouchingItsTimes) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 1000; t += 10) {
    front_end.receive(reading(t));
    if (t >= 50) front_end.receive(reading(t - 50, 1));  // 50 ms on the way
  }
  EXPECT_EQ(count(front_end, Outcome::kLate, 1), 96);
  EXPECT_EQ(count(front_end, Outcome::kResynchronised, 1), 0);
  EXPECT_EQ(front_end.log().counts(1).handed_out, 0);
}

TEST(FrontEnd, LearnsAShift_WhenAClockJumpsFarAhead) {
  for (const bool is_alone : {true, false}) {
    FrontEnd front_end(sensors(), with_window(0));
    for (int t = 0; t <= 2000; t += 10) {
      if (!is_alone) front_end.receive(reading(t, 1));
      front_end.receive(reading(t <= 1000 ? t : t + 7000));
    }
    const Times times = handed_out(front_end);
    EXPECT_EQ(count(front_end, Outcome::kClockDoubted), 4);
    EXPECT_EQ(count(front_end, Outcome::kResynchronised), 1);
    EXPECT_EQ(front_end.log().counts(0).handed_out, 201 - 4);
    EXPECT_EQ(times.back(), 2000);
    EXPECT_EQ(count(front_end, Outcome::kLate, 1), 0);
    EXPECT_EQ(count(front_end, Outcome::kGap, 1), 0);
    EXPECT_EQ(front_end.log().counts(0).missing, 4);
  }
}

TEST(FrontEnd, TellsAClockThatJumpedFromAGap_ByTheOtherSensors) {
  // Half a second ahead while the encoder goes on: the clock.
  FrontEnd jumped(sensors(), with_window(0));
  for (int t = 0; t <= 2000; t += 10) {
    jumped.receive(reading(t, 1));
    jumped.receive(reading(t <= 1000 ? t : t + 500));
  }
  EXPECT_EQ(count(jumped, Outcome::kResynchronised), 1);
  EXPECT_EQ(handed_out(jumped).back(), 2000);
  EXPECT_EQ(jumped.log().counts(1).handed_out, 201);
  // The gyroscope alone is silent for half a second.
  FrontEnd silent(sensors(), with_window(0));
  for (int t = 0; t <= 2000; t += 10) {
    silent.receive(reading(t, 1));
    if (t <= 1000 || t > 1500) silent.receive(reading(t));
  }
  EXPECT_EQ(handed_out(silent).size(), 201u + 151u);
  EXPECT_EQ(count(silent, Outcome::kResynchronised), 0);
  EXPECT_EQ(silent.log().counts(0).missing, 50);
  // Both are, and come back: one reading is doubted until the other comes.
  FrontEnd both(sensors(), with_window(0));
  for (int t = 0; t <= 2000; t += 10) {
    if (t > 1000 && t <= 1500) continue;
    both.receive(reading(t, 1));
    both.receive(reading(t));
  }
  EXPECT_EQ(both.log().total().of(Outcome::kResynchronised), 0);
  EXPECT_EQ(both.log().total().of(Outcome::kClockDoubted), 1);
  EXPECT_EQ(handed_out(both).size(), 2u * 151u - 1u);
}

TEST(FrontEnd, BelievesTheOneThatComesBack_WhenTheOthersStaySilent) {
  FrontEnd front_end(sensors(), with_window(0));
  for (int t = 0; t <= 2000; t += 10) {
    if (t <= 1000) front_end.receive(reading(t, 1));
    if (t <= 1000 || t > 1500) front_end.receive(reading(t));
  }
  EXPECT_EQ(count(front_end, Outcome::kClockDoubted), 4);
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 0);
  EXPECT_EQ(handed_out(front_end).back(), 2000);
}

TEST(FrontEnd, DropsWhatWasHeldUpForSeconds_WithoutTouchingItsTimes) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 5000; t += 10) {
    front_end.receive(reading(t, 1));
    if (t <= 1000) front_end.receive(reading(t));
    if (t == 4000)
      for (int held = 1010; held <= 4000; held += 10) front_end.receive(reading(held));
    if (t > 4000) front_end.receive(reading(t));
  }
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 0);
  EXPECT_EQ(count(front_end, Outcome::kLate), 297);  // 1010 … 3970
  front_end.flush();
  EXPECT_EQ(handed_out(front_end).back(), 5000);
}

TEST(FrontEnd, TakesASensorAloneThatIsSilentForShort_AsAGap) {
  FrontEnd front_end(sensors(), with_window(0));
  for (const int t : {0, 10, 1900, 1910}) front_end.receive(reading(t));
  EXPECT_EQ(handed_out(front_end), (Times{0, 10, 1900, 1910}));
  EXPECT_EQ(front_end.log().counts(0).missing, 188);
  // The other sensor fell silent long ago: it does not count.
  FrontEnd other_lost(sensors(), with_window(0));
  for (int t = 0; t <= 3000; t += 10) {
    if (t <= 500) other_lost.receive(reading(t, 1));
    if (t <= 2000 || t > 2500) other_lost.receive(reading(t));
  }
  EXPECT_EQ(other_lost.log().total().dropped(), 0);
}

TEST(FrontEnd, FollowsAClockThatJumpsThereAndBack) {
  FrontEnd front_end(sensors(), with_window(0));
  for (int t = 0; t <= 3000; t += 10) {
    front_end.receive(reading(t, 1));
    front_end.receive(reading(t <= 1000 || t > 2000 ? t : t + 60'000));
  }
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 2);
  EXPECT_EQ(count(front_end, Outcome::kClockDoubted), 4);
  EXPECT_EQ(count(front_end, Outcome::kLate), 4);
  EXPECT_EQ(handed_out(front_end).back(), 3000);
  EXPECT_EQ(front_end.log().counts(1).handed_out, 301);
}

TEST(FrontEnd, DoubtsSingleTimesFarAhead_AndGoesOn) {
  FrontEnd front_end(sensors(), with_window(20));
  for (int t = 0; t <= 500; t += 10) {
    front_end.receive(reading(t, 1));
    front_end.receive(reading(t));
    if (t % 100 == 50) front_end.receive(reading(1'000'000 + 977 * t));
  }
  EXPECT_EQ(count(front_end, Outcome::kClockDoubted), 5);
  EXPECT_EQ(count(front_end, Outcome::kResynchronised), 0);
  front_end.flush();
  EXPECT_EQ(handed_out(front_end).size(), 102u);
}

TEST(FrontEnd, DropsTimesThatAreNone) {
  FrontEnd front_end(sensors());
  Reading one = reading(0);
  for (const std::int64_t t :
       {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), kFarthestTime + 1,
        -kFarthestTime - 1}) {
    one.t = core::Instant::at(core::Duration::from_nanoseconds(t));
    front_end.receive(one);
  }
  EXPECT_EQ(count(front_end, Outcome::kClockDoubted), 4);
}

TEST(FrontEnd, DropsWhatItHasNoRoomFor) {
  FrontEndOptions options = with_window(1000);
  options.capacity = 5;
  FrontEnd front_end(sensors(), options);
  for (int k = 0; k < 8; ++k) front_end.receive(reading(10 * k));
  EXPECT_FALSE(front_end.has_room());
  EXPECT_EQ(count(front_end, Outcome::kNoRoom), 3);
  front_end.flush();
  EXPECT_EQ(handed_out(front_end), (Times{0, 10, 20, 30, 40}));
}

TEST(FrontEnd, AsksToReopen_OncePerPatienceWhileMostAreRefused) {
  FrontEnd front_end(sensors(), with_window(0));
  Times asked;
  for (int t = 0; t <= 2000; t += 10) {
    front_end.receive(reading(t));
    Reading one;
    ASSERT_TRUE(front_end.next(at_ms(t), one));
    const bool is_refused = (t >= 100 && t < 1150) || (t >= 1200 && t <= 1500);
    front_end.count(one, is_refused ? Outcome::kOutlier : Outcome::kAccepted);
    if (front_end.should_reopen(at_ms(t))) asked.push_back(t);
  }
  EXPECT_EQ(asked, (Times{410, 720, 1030,
                          1340}));  // more than 300 ms after the one before; 26 of the last 31 were refused
  EXPECT_EQ(count(front_end, Outcome::kOutlier), 105 + 31);
}

TEST(FrontEnd, DoesNotAskToReopen_WhileOneOfTwoSensorsIsRefused) {
  FrontEnd front_end(sensors(), with_window(0));
  for (int t = 0; t <= 2000; t += 10) {
    for (const int sensor : {0, 1}) {
      front_end.receive(reading(t, sensor));
      Reading one;
      ASSERT_TRUE(front_end.next(at_ms(t), one));
      front_end.count(one, sensor == 0 ? Outcome::kOutlier : Outcome::kAccepted);
    }
    EXPECT_FALSE(front_end.should_reopen(at_ms(t)));
  }
}

TEST(FrontEnd, RemembersTheNewestEvents_AndCountsThoseItForgets) {
  FrontEndOptions options = with_window(0);
  options.log_capacity = 4;
  FrontEnd front_end(sensors(), options);
  for (int k = 0; k < 10; ++k)
    front_end.receive(reading(1500 * k));  // a gap each, too far apart for one event
  EXPECT_EQ(handed_out(front_end).size(), 10u);
  EXPECT_EQ(front_end.log().num_events(), 4u);
  EXPECT_EQ(front_end.log().num_forgotten(), 5);
  EXPECT_EQ(front_end.log().event(0).first, at_ms(9000));
  EXPECT_EQ(front_end.log().event(3).first, at_ms(13500));
  EXPECT_EQ(count(front_end, Outcome::kGap), 9);
}

TEST(FrontEnd, TellsAListenerOfEachReadingThatItCounts) {
  struct Heard {
    core::Instant t;
    int sensor;
    Outcome kind;
    bool operator==(const Heard&) const = default;
  };
  FrontEnd front_end(sensors(), with_window(0));
  std::vector<Heard> heard;
  front_end.set_listener([&](core::Instant t, int sensor, Outcome kind, std::int64_t) {
    heard.push_back({t, sensor, kind});
  });
  front_end.receive(reading(0));
  front_end.receive(reading(10, 0, kInfinity));
  front_end.receive(reading(20, 0, kInfinity));  // one event of two readings
  front_end.receive(reading(30, 0, 7.0));
  Reading one;
  while (front_end.next(at_ms(1000), one)) front_end.count(one, Outcome::kOutlier);
  EXPECT_EQ(heard, (std::vector<Heard>{{at_ms(0), 0, Outcome::kOutlier},
                                       {at_ms(10), 0, Outcome::kNotFinite},
                                       {at_ms(20), 0, Outcome::kNotFinite},
                                       {at_ms(30), 0, Outcome::kSaturated}}));
  EXPECT_EQ(front_end.log().num_events(), 3u);
}

TEST(FrontEnd, TakesNothingFromTheHeap_AfterConstruction) {
  if (!test::kCanCountAllocations) GTEST_SKIP();
  FrontEnd front_end(sensors(), with_window(20));
  std::int64_t heard = 0;
  front_end.set_listener([&](core::Instant, int, Outcome, std::int64_t) { ++heard; });
  const double predicted = 0.0;
  const long count = test::count_allocations([&] {
    for (int t = 0; t <= 5000; t += 10) {
      front_end.receive(reading(t, 1));
      front_end.receive(reading(t % 70 == 0 ? t - 30 : t));
      if (t % 50 == 0) front_end.receive(reading(t));
      if (t > 3000) front_end.receive(reading(t + 100'000, 1));
      Reading one;
      while (front_end.next(at_ms(t), one))
        if (front_end.judge(one, std::span(&predicted, 1))) front_end.count(one, Outcome::kOutlier);
      static_cast<void>(front_end.should_reopen(at_ms(t)));
    }
  });
  EXPECT_EQ(count, 0);
  EXPECT_GT(front_end.log().num_events(), 10u);
}

TEST(FrontEnd, RefusesWhatMakesNoSense) {
  FrontEnd front_end(sensors());
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { front_end.receive(reading(0, 2)); }),
            "a reading of an unknown sensor [FrontEnd]: expected a position in the list of sensors, "
            "got 2. "
            "Check the sensors and the options of the front end.");
  EXPECT_THROW(front_end.count(reading(0), Outcome::kLate), core::ContractError);
  EXPECT_THROW(FrontEnd(sensors(), with_window(-1)), core::ContractError);
  auto bad = sensors();
  bad[0].channels[0].range = 0.0;
  EXPECT_THROW(FrontEnd{bad}, core::ContractError);
  bad = sensors();
  bad[0].channels.clear();
  EXPECT_THROW(FrontEnd{bad}, core::ContractError);
}

}  // namespace
}  // namespace eslabon::sensing
