#include "eslabon/sensing/sampling.hpp"

#include <cmath>
#include <cstdlib>

#include "tests/allocation_counter.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::sensing {
namespace {

using core::Duration;
using core::Instant;

constexpr std::uint64_t kSeed = 11;
const Duration kStep = Duration::from_nanoseconds(1'000'000);

std::int64_t num_draws() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 10'000'000 : 1'000'000; }

model::Sensor sensor(double rate, double jitter = 0.0, double dropout = 0.0, double latency = 0.0) {
  model::Sensor result{
      "gyro", model::SensorKind::kGyroscope, model::BodyIndex(1), {}, Eigen::Vector3d::UnitX(), {}, {}};
  result.rate = rate;
  result.jitter = jitter;
  result.dropout = dropout;
  result.latency = latency;
  return result;
}

TEST(Sampling, CountsPeriodsFromZero) {
  // A third of a second has no nanoseconds of its own: each instant is rounded by itself.
  Sampling thirds(sensor(3.0), kStep, kSeed);
  for (std::int64_t k = 0; k < 100'000; ++k)
    ASSERT_EQ(thirds.next().t.nanoseconds(), (2'000'000'000 * k + 3) / 6) << k;
  Sampling hundredths(sensor(100.0), kStep, kSeed);
  for (std::int64_t k = 0; k < 1000; ++k) EXPECT_EQ(hundredths.next().t.nanoseconds(), 10'000'000 * k);
}

TEST(Sampling, OfASensorWithoutRateIsAtEveryStep) {
  Sampling steps(sensor(0.0), Duration::from_nanoseconds(7), kSeed);
  for (std::int64_t k = 0; k < 10; ++k) EXPECT_EQ(steps.next().t.nanoseconds(), 7 * k);
  EXPECT_THROW(Sampling(sensor(0.0), Duration(), kSeed), core::ContractError);
  EXPECT_NO_THROW(Sampling(sensor(1.0), Duration(), kSeed));
}

TEST(Sampling, ArrivesLaterByItsLatency) {
  for (const Sample& sample :
       samples_until(sensor(50.0, 1e-3, 0.0, 0.0125), kStep, Instant::from_seconds(1.0), kSeed))
    EXPECT_EQ((sample.arrival - sample.t).nanoseconds(), 12'500'000);
}

TEST(SamplesUntil, AreThoseOfTheClosedInterval) {
  EXPECT_EQ(samples_until(sensor(100.0), kStep, Instant::from_seconds(1.0), kSeed).size(), 101u);
  EXPECT_EQ(samples_until(sensor(100.0), kStep, Instant::from_seconds(0.9999), kSeed).size(), 100u);
  EXPECT_EQ(samples_until(sensor(0.0), kStep, Instant::from_seconds(0.01), kSeed).size(), 11u);
  // With jitter the last one may be taken too late, and the first not before zero.
  const Instant until = Instant::from_seconds(1.0);
  int cut = 0, begin_at_zero = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto samples = samples_until(sensor(100.0, 4e-3), kStep, until, seed);
    EXPECT_LE(samples.back().t, until);
    EXPECT_GE(samples.front().t, Instant());
    cut += samples.size() == 100 ? 1 : 0;
    begin_at_zero += samples.front().t == Instant() ? 1 : 0;
    EXPECT_GE(samples.size(), 100u);
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(begin_at_zero, 0);
}

TEST(Sampling, GivesEqualTimesForEqualSeeds) {
  const model::Sensor jittery = sensor(100.0, 1e-3, 0.3);
  const Instant until = Instant::from_seconds(5.0);
  const auto a = samples_until(jittery, kStep, until, kSeed), b = samples_until(jittery, kStep, until, kSeed);
  const auto without_dropout = samples_until(sensor(100.0, 1e-3), kStep, until, kSeed);
  const auto without_jitter = samples_until(sensor(100.0, 0.0, 0.3), kStep, until, kSeed);
  const auto another = samples_until(jittery, kStep, until, kSeed + 1);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.size(), without_dropout.size());
  int same = 0;
  for (std::size_t k = 0; k + 1 < a.size(); ++k) {
    EXPECT_EQ(a[k].t, b[k].t);
    EXPECT_EQ(a[k].t, without_dropout[k].t) << "dropout changes no instant";
    EXPECT_EQ(a[k].is_lost, without_jitter[k].is_lost) << "jitter loses nothing else";
    same += k > 0 && a[k].t == another[k].t ? 1 : 0;
  }
  EXPECT_EQ(same, 0);
}

// statistical: moments of a normal distribution, each within four deviations of its estimate; false alarm in 1 of 4000 tests.
TEST(Sampling, JitterIsNormal) {
  const double sd = 5e-4;  // 10 of them fit into half a period: none is cut
  Sampling sampling(sensor(100.0, sd), kStep, kSeed);
  static_cast<void>(sampling.next());
  double m1 = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0;
  const std::int64_t count = num_draws();
  for (std::int64_t k = 0; k < count; ++k) {
    const Sample sample = sampling.next();
    const double x = (sample.t - sample.nominal).seconds() / sd;
    m1 += x;
    m2 += x * x;
    m3 += x * x * x;
    m4 += x * x * x * x;
  }
  const double n = static_cast<double>(count);
  EXPECT_LT(std::abs(m1 / n), 4.0 * std::sqrt(1.0 / n));
  EXPECT_LT(std::abs(m2 / n - 1.0), 4.0 * std::sqrt(2.0 / n));
  EXPECT_LT(std::abs(m3 / n), 4.0 * std::sqrt(15.0 / n));
  EXPECT_LT(std::abs(m4 / n - 3.0), 4.0 * std::sqrt(96.0 / n));
}

// With a deviation of half a period a share erfc(1/√2) of the instants is cut, and none passes its neighbours.
TEST(Sampling, JitterStaysWithinHalfAPeriod) {
  Sampling sampling(sensor(300.0, 0.5 / 300.0), kStep, kSeed);
  const std::int64_t half = 1'666'666;
  std::int64_t cut = 0;
  Instant last;
  const std::int64_t count = num_draws();
  for (std::int64_t k = 0; k < count; ++k) {
    const Sample sample = sampling.next();
    const std::int64_t off = (sample.t - sample.nominal).nanoseconds();
    ASSERT_LE(std::abs(off), half);
    ASSERT_GE(sample.t, last);
    ASSERT_GE(sample.t, Instant());
    cut += std::abs(off) == half ? 1 : 0;
    last = sample.t;
  }
  const double n = static_cast<double>(count), p = std::erfc(std::sqrt(0.5));
  EXPECT_LT(std::abs(static_cast<double>(cut) - n * p), 4.0 * std::sqrt(n * p * (1.0 - p)));
}

// statistical: lost readings are binomial, and whether one is lost says nothing about the next.
TEST(Sampling, DropoutIsBinomial) {
  for (const double p : {0.02, 0.5}) {
    Sampling sampling(sensor(100.0, 0.0, p), kStep, kSeed);
    const std::int64_t count = num_draws();
    std::int64_t lost = 0, pairs = 0;
    bool was_lost = false;
    for (std::int64_t k = 0; k < count; ++k) {
      const bool is_lost = sampling.next().is_lost;
      lost += is_lost ? 1 : 0;
      pairs += is_lost && was_lost ? 1 : 0;
      was_lost = is_lost;
    }
    const double n = static_cast<double>(count);
    EXPECT_LT(std::abs(static_cast<double>(lost) - n * p), 4.0 * std::sqrt(n * p * (1.0 - p))) << p;
    // Σ l_k l_{k+1}: products that share a reading are correlated, p³ − p⁴ each.
    const double variance = n * (p * p - p * p * p * p + 2.0 * (p * p * p - p * p * p * p));
    EXPECT_LT(std::abs(static_cast<double>(pairs) - n * p * p), 4.0 * std::sqrt(variance)) << p;
  }
}

TEST(Sampling, AllocatesNothing) {
  if (!test::kCanCountAllocations) GTEST_SKIP();
  Sampling sampling(sensor(100.0, 1e-3, 0.1), kStep, kSeed);
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k < 100; ++k) static_cast<void>(sampling.next());
            }),
            0);
}

}  // namespace
}  // namespace eslabon::sensing
