#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/fault_injection.hpp"
#include <gtest/gtest.h>

#include "eslabon/sensing/front_end.hpp"

namespace eslabon::sensing {
namespace {

core::Duration ms(std::int64_t n) { return core::Duration::from_nanoseconds(1'000'000 * n); }
core::Instant at_ms(std::int64_t n) { return core::Instant::at(ms(n)); }

std::vector<SensorFacts> sensors() {
  return {{"gyro", {{"gyro", core::kAngularVelocity, false, 0.01, 0.0, 5.0}}, ms(10)},
          {"imu",
           {{"imu.ax", core::kAcceleration, false, 0.1, 0.0, 50.0},
            {"imu.ay", core::kAcceleration, false, 0.1, 0.0, 50.0}},
           ms(10)}};
}

std::vector<Reading> clean_stream(int num_readings) {
  core::Rng rng(3);
  std::vector<Reading> stream;
  for (int k = 0; k < num_readings; ++k)
    for (const int sensor : {0, 1})
      stream.push_back({at_ms(10 * k), sensor, {0.3 * rng.normal(), rng.normal()}});
  return stream;
}

struct Received {
  std::vector<Reading> readings;
  StreamCounts counts[2];
};

/// Everything through a front end; next is called after every reading.
Received through(const std::vector<Reading>& stream, const FrontEndOptions& options) {
  FrontEnd front_end(sensors(), options);
  Received received;
  Reading one;
  const auto drain = [&] {
    while (front_end.next(at_ms(1'000'000'000), one)) received.readings.push_back(one);
  };
  for (const Reading& reading : stream) {
    front_end.receive(reading);
    drain();
  }
  front_end.flush();
  drain();
  for (const int sensor : {0, 1}) received.counts[sensor] = front_end.log().counts(sensor);
  return received;
}

using Counts = std::map<Outcome, std::int64_t>;
constexpr std::int64_t kOvertaken = -1;  ///< as many as come after a newer one, counted in the stream itself
struct Expected {
  test::Fault fault;
  std::int64_t sent[2];  ///< readings of the faulty sensor, mild and severe
  Counts counts[2];
};

// Of 500 readings numbers 200 … 299 are faulty, or 200 … 499 where the fault lasts. Five readings decide on a clock.
const std::vector<Expected>& expectations() {
  using F = test::Fault;
  using O = Outcome;
  static const std::vector<Expected> list = {
      {F::kDuplicate, {520, 800}, {{{O::kDuplicate, 20}}, {{O::kDuplicate, 300}}}},
      {F::kOutOfOrder, {500, 500}, {{{O::kReordered, 50}}, {{O::kReordered, kOvertaken}}}},
      {F::kLate, {500, 500}, {{{O::kLate, 20}, {O::kGap, 20}}, {{O::kLate, 100}, {O::kGap, 1}}}},
      {F::kGap, {495, 400}, {{{O::kGap, 1}}, {{O::kGap, 1}}}},
      {F::kLoss, {230, 200}, {{{O::kGap, 29}}, {}}},
      {F::kClockAhead,
       {500, 500},
       {{{O::kClockDoubted, 4}, {O::kResynchronised, 1}, {O::kGap, 1}},
        {{O::kClockDoubted, 4}, {O::kResynchronised, 1}, {O::kGap, 1}}}},
      {F::kClockBack,
       {500, 500},
       {{{O::kLate, 4}, {O::kResynchronised, 1}, {O::kGap, 1}},
        {{O::kLate, 4}, {O::kResynchronised, 1}, {O::kGap, 1}}}},
      {F::kNaN, {500, 500}, {{{O::kNotFinite, 20}}, {{O::kNotFinite, 100}}}},
      {F::kInfinity, {500, 500}, {{{O::kNotFinite, 20}}, {{O::kNotFinite, 100}}}},
      {F::kSpikes, {500, 500}, {{}, {{O::kSaturated, 100}}}},
      {F::kSaturation, {500, 500}, {{{O::kSaturated, 20}}, {{O::kSaturated, 100}}}},
      {F::kStuck, {500, 500}, {{{O::kStuck, 11}}, {{O::kStuck, 91}}}},
      {F::kBiasStep, {500, 500}, {{}, {}}},
      {F::kNoiseBurst, {500, 500}, {{}, {}}},
  };
  return list;
}

std::int64_t num_overtaken(const std::vector<Reading>& stream, int sensor) {
  std::int64_t count = 0;
  core::Instant newest = stream.front().t;
  for (const Reading& reading : stream) {
    count += reading.sensor == sensor && reading.t < newest ? 1 : 0;
    newest = std::max(newest, reading.t);
  }
  return count;
}

TEST(FrontEndFaults, EachHasItsOutcomeAndNoOther_InBothSeverities) {
  ASSERT_EQ(expectations().size(), test::kNumFaults);
  const auto clean = clean_stream(500);
  FrontEndOptions options;
  options.window = ms(30);
  for (const Expected& expected : expectations()) {
    for (const bool is_severe : {false, true}) {
      test::FaultPlan plan{
          .fault = expected.fault, .is_severe = is_severe, .from = at_ms(2000), .until = at_ms(3000)};
      plan.window = options.window;
      const auto stream = test::inject(clean, sensors(), plan);
      const Received received = through(stream, options);
      const StreamCounts& counts = received.counts[0];
      SCOPED_TRACE(std::string(test::name(expected.fault)) + (is_severe ? ", severe" : ", mild"));
      EXPECT_EQ(counts.received, expected.sent[is_severe ? 1 : 0]);
      for (std::size_t k = 0; k < kNumOutcomes; ++k) {
        const auto outcome = static_cast<Outcome>(k);
        const Counts& wanted = expected.counts[is_severe ? 1 : 0];
        const auto found = wanted.find(outcome);
        const std::int64_t count = found == wanted.end() ? 0 : found->second;
        EXPECT_EQ(counts.of(outcome), count == kOvertaken ? num_overtaken(stream, 0) : count)
            << name(outcome);
      }
      EXPECT_EQ(received.counts[1].handed_out, 500);  // the other sensor notices nothing
      EXPECT_EQ(received.counts[1].dropped(), 0);
      EXPECT_EQ(received.readings.back().t, at_ms(4990));
    }
  }
}

// crosscheck: within the window the front end is a sort and the removal of repeats, done here by std::stable_sort and std::set.
TEST(FrontEndFaults, ReorderingAndRepeatsLeaveTheCleanStream) {
  const auto clean = clean_stream(300);
  FrontEndOptions options;
  options.window = ms(80);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::FaultPlan plan{.is_severe = true, .from = at_ms(0), .until = at_ms(3000), .window = ms(80)};
    plan.seed = seed;
    plan.fault = test::Fault::kOutOfOrder;
    auto stream = test::inject(clean, sensors(), plan);
    core::Rng rng(seed);
    for (int k = 0; k < 100; ++k) {  // repeats, soon after
      const auto place = static_cast<std::ptrdiff_t>(rng.uniform_index(stream.size() - 4));
      const Reading copy = stream[static_cast<std::size_t>(place)];
      stream.insert(stream.begin() + place + 1 + static_cast<std::ptrdiff_t>(rng.uniform_index(3)), copy);
    }
    const Received received = through(stream, options);
    std::set<std::pair<std::int64_t, int>> seen;
    std::vector<Reading> expected;
    for (const Reading& reading : stream)
      if (seen.insert({reading.t.nanoseconds(), reading.sensor}).second) expected.push_back(reading);
    std::stable_sort(expected.begin(), expected.end(),
                     [](const Reading& a, const Reading& b) { return a.t < b.t; });
    ASSERT_EQ(received.readings.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(received.readings[k].t, expected[k].t);
      ASSERT_EQ(received.readings[k].sensor, expected[k].sensor);
      ASSERT_EQ(received.readings[k].values, expected[k].values);
    }
    EXPECT_EQ(received.counts[0].dropped() + received.counts[1].dropped(), 100);
  }
}

double odd_value(core::Rng& rng) {
  const double odd[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                        -5.0, 1e300};
  const auto k = rng.uniform_index(40);
  return k < 4 ? odd[k] : k < 8 ? 0.5 : rng.normal();
}

std::int64_t odd_time(core::Rng& rng, std::int64_t now) {
  switch (rng.uniform_index(30)) {
    case 0:
      return static_cast<std::int64_t>(rng.bits());
    case 1:
      return rng.uniform() < 0.5 ? std::numeric_limits<std::int64_t>::max()
                                 : std::numeric_limits<std::int64_t>::min();
    case 2:
      return now - static_cast<std::int64_t>(rng.uniform_index(3'000'000'000));
    case 3:
      return now + static_cast<std::int64_t>(rng.uniform_index(5'000'000'000));
    default:
      return now - 10'000'000 * static_cast<std::int64_t>(rng.uniform_index(4));
  }
}

// What holds for every stream: times never decrease, values are finite and within range, every reading has one fate.
TEST(FrontEndFaults, CountsAddUpAndTimesNeverDecrease_WhateverComes) {
  const int num_streams = std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 20'000 : 500;
  for (int stream = 0; stream < num_streams; ++stream) {
    core::Rng rng(11, static_cast<std::uint64_t>(stream));
    FrontEndOptions options;
    options.window = ms(10 * static_cast<std::int64_t>(rng.uniform_index(5)));
    options.capacity = 1 + rng.uniform_index(50);
    options.log_capacity = 8;
    auto facts = sensors();
    if (rng.uniform() < 0.3) facts[0].period = core::Duration();
    if (rng.uniform() < 0.5) facts[1].channels[0].resolution = 0.1;
    FrontEnd front_end(facts, options);
    core::Instant last = core::Instant::at(core::Duration::from_nanoseconds(-kFarthestTime));
    Reading one;
    const auto drain = [&](core::Instant until) {
      while (front_end.next(until, one)) {
        ASSERT_GE(one.t, last);
        ASSERT_LE(one.t, until);
        last = one.t;
        for (std::size_t c = 0; c < facts[static_cast<std::size_t>(one.sensor)].channels.size(); ++c)
          ASSERT_LT(std::abs(one.values[c]), facts[static_cast<std::size_t>(one.sensor)].channels[c].range);
        const std::array<double, 2> predicted = {rng.normal(), rng.normal()};
        if (front_end.judge(one, predicted)) front_end.count(one, static_cast<Outcome>(rng.uniform_index(3)));
      }
    };
    std::int64_t shift[2] = {0, 0};
    for (int k = 0; k < 200; ++k) {
      const auto sensor = static_cast<int>(rng.uniform_index(2));
      if (rng.uniform_index(60) == 0)
        shift[sensor] = static_cast<std::int64_t>(rng.bits() >> 3) - (1LL << 60);
      front_end.receive({core::Instant::at(core::Duration::from_nanoseconds(
                             odd_time(rng, 5'000'000LL * k + shift[sensor] / 4))),
                         sensor,
                         {odd_value(rng), odd_value(rng)}});
      if (rng.uniform() < 0.3) drain(core::Instant::at(core::Duration::from_nanoseconds(kFarthestTime)));
      if (rng.uniform() < 0.05) front_end.flush();
      if (rng.uniform() < 0.05) front_end.advance(at_ms(5 * k));
      for (const int s : {0, 1}) {
        const StreamCounts& counts = front_end.log().counts(s);
        ASSERT_EQ(counts.received,
                  counts.handed_out + counts.dropped() + static_cast<std::int64_t>(front_end.num_waiting(s)));
        ASSERT_EQ(counts.handed_out,
                  counts.of(Outcome::kAccepted) + counts.of(Outcome::kOutlier) + counts.of(Outcome::kFailed));
      }
    }
    for (std::size_t k = 0; k < front_end.log().num_events(); ++k)
      ASSERT_FALSE(front_end.log().text(front_end.log().event(k)).empty());
  }
}

// After any confusion of times two sensors that go on at their periods are both in use again: within 3 s, of which 2 s are needed to tell
// a wrong clock from a slow line.
TEST(FrontEndFaults, BothSensorsComeBack_AfterAnyConfusionOfClocks) {
  const int num_streams = std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 20'000 : 500;
  for (int stream = 0; stream < num_streams; ++stream) {
    core::Rng rng(12, static_cast<std::uint64_t>(stream));
    FrontEndOptions options;
    options.window = ms(10 * static_cast<std::int64_t>(rng.uniform_index(5)));
    FrontEnd front_end(sensors(), options);
    Reading one;
    const auto receive = [&](std::int64_t t, int sensor) {
      front_end.receive(
          {core::Instant::at(core::Duration::from_nanoseconds(t)), sensor, {rng.normal(), rng.normal()}});
      while (front_end.next(core::Instant::at(core::Duration::from_nanoseconds(kFarthestTime)), one))
        continue;
    };
    for (int k = 0; k < 100; ++k)
      receive(odd_time(rng, 5'000'000LL * k), static_cast<int>(rng.uniform_index(2)));
    std::int64_t before[2] = {0, 0};
    // Clocks may be wrong for good, by more than what would look like a slow line.
    std::int64_t shift[2] = {0, 0};
    const auto faulty = rng.uniform_index(2);
    shift[faulty] = 300'000'000 + static_cast<std::int64_t>(rng.uniform_index(10'000'000'000));
    if (stream % 2 == 0) shift[1 - faulty] = -shift[faulty];
    for (int k = 0; k < 400; ++k) {
      if (k == 300)
        for (const int s : {0, 1}) before[s] = front_end.log().counts(s).handed_out;
      for (const int s : {0, 1}) receive(500'000'000 + 10'000'000LL * k + shift[s], s);
    }
    for (const int s : {0, 1})
      EXPECT_GE(front_end.log().counts(s).handed_out - before[s], 90)
          << "stream " << stream << " sensor " << s;
  }
}

// The outcome of a stream does not depend on when its readings are fetched.
TEST(FrontEndFaults, HandsOutTheSame_HoweverOftenItIsAsked) {
  test::FaultPlan plan{
      .fault = test::Fault::kOutOfOrder, .is_severe = true, .from = at_ms(0), .until = at_ms(9000)};
  plan.window = ms(60);  // twice that of the front end: half is late
  const auto stream = test::inject(clean_stream(300), sensors(), plan);
  FrontEndOptions options;
  options.window = ms(30);
  const Received often = through(stream, options);
  FrontEnd front_end(sensors(), options);
  for (const Reading& reading : stream) front_end.receive(reading);
  front_end.flush();
  Reading one;
  std::size_t k = 0;
  for (; front_end.next(at_ms(100'000), one); ++k) {
    ASSERT_LT(k, often.readings.size());
    ASSERT_EQ(one.t, often.readings[k].t);
    ASSERT_EQ(one.values, often.readings[k].values);
  }
  EXPECT_EQ(k, often.readings.size());
  EXPECT_GT(often.counts[0].of(Outcome::kLate), 50);
}

}  // namespace
}  // namespace eslabon::sensing
