#include "eslabon/core/time/time.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

static_assert(!std::is_convertible_v<Duration, Instant> && !std::is_convertible_v<Instant, Duration>);
static_assert(!std::is_convertible_v<double, Duration> && !std::is_convertible_v<std::int64_t, Duration>);
static_assert(!Addable<Instant, Instant>);
static_assert(Addable<Instant, Duration>);

TEST(Duration, TenToTheNineStepsOfOneMillisecondAreExact) {
  const Duration step = Duration::from_seconds(1e-3);
  EXPECT_EQ((step * 1'000'000'000).nanoseconds(), 1'000'000'000'000'000);
  EXPECT_EQ((step * 1'000'000'000).seconds(), 1e6);
}

TEST(Duration, SummedStepByStepIsExact_WhereADoubleDrifts) {
  // 10⁷ of the 10⁹ steps: enough for the double to be wrong by more than 10⁻⁷ s.
  const Duration step = Duration::from_seconds(1e-3);
  Instant t;
  double t_double = 0.0;
  for (int k = 0; k < 10'000'000; ++k) {
    t = t + step;
    t_double += 1e-3;
  }
  EXPECT_EQ(t, Instant::from_seconds(1e4));
  EXPECT_EQ(t.seconds(), 1e4);
  EXPECT_GT(std::abs(t_double - 1e4), 1e-7);
}

TEST(Duration, FromSecondsRoundsToTheNearestNanosecond) {
  EXPECT_EQ(Duration::from_seconds(0.1).nanoseconds(), 100'000'000);
  EXPECT_EQ(Duration::from_seconds(1.4e-9).nanoseconds(), 1);
  EXPECT_EQ(Duration::from_seconds(1.6e-9).nanoseconds(), 2);
  EXPECT_EQ(Duration::from_seconds(-1.6e-9).nanoseconds(), -2);
  EXPECT_EQ(Duration::from_seconds(1.0 / 3.0).nanoseconds(), 333'333'333);
}

TEST(Duration, SecondsAndBackIsTheSame_UpToNinetyDays) {
  for (std::int64_t ns : {std::int64_t{1}, std::int64_t{999'999'999}, std::int64_t{123'456'789'012'345},
                          std::int64_t{7'776'000'000'000'001}, std::int64_t{-77'777'777'777}}) {
    EXPECT_EQ(Duration::from_seconds(Duration::from_nanoseconds(ns).seconds()).nanoseconds(), ns);
  }
}

TEST(Duration, FromSecondsRefusesWhatIsNoNumber) {
  EXPECT_EQ(
      test::sentence_of<ContractError>([] { static_cast<void>(Duration::from_seconds(std::nan(""))); }),
      "a time is not a number [Duration::from_seconds]: expected a finite number of seconds, got nan s. "
      "Check the value that the time was computed from.");
  EXPECT_THROW(static_cast<void>(Duration::from_seconds(std::numeric_limits<double>::infinity())),
               ContractError);
}

TEST(Duration, FromSecondsRefusesWhatDoesNotFit) {
  EXPECT_EQ(
      test::sentence_of<ContractError>([] { static_cast<void>(Duration::from_seconds(1e10)); }),
      "a time leaves the range of 64-bit nanoseconds [Duration::from_seconds]: expected a result within "
      "+-9.22e9 s, got 1e+10 s. Check the unit: times are in seconds.");
  EXPECT_THROW(static_cast<void>(Duration::from_seconds(0x1.0p63 / 1e9)), ContractError);
  EXPECT_EQ(Duration::from_seconds(-0x1.0p63 / 1e9).nanoseconds(), kLeast);
  EXPECT_NO_THROW(static_cast<void>(Duration::from_seconds(9.22e9)));
}

TEST(Duration, ArithmeticThatDoesNotFitIsAContractError) {
  const Duration most = Duration::from_nanoseconds(kMost), least = Duration::from_nanoseconds(kLeast);
  const Duration one = Duration::from_nanoseconds(1);
  EXPECT_THROW(static_cast<void>(most + one), ContractError);
  EXPECT_THROW(static_cast<void>(least - one), ContractError);
  EXPECT_THROW(static_cast<void>(-least), ContractError);
  EXPECT_THROW(static_cast<void>(most * 2), ContractError);
  EXPECT_EQ((least + most).nanoseconds(), -1);
}

TEST(Instant, DiffersFromAnotherByADuration) {
  const Instant a = Instant::from_seconds(2.5), b = Instant::from_seconds(4.0);
  EXPECT_EQ(b - a, Duration::from_seconds(1.5));
  EXPECT_EQ(a + (b - a), b);
  EXPECT_EQ(b - (b - a), a);
  EXPECT_LT(a, b);
}

TEST(NumberOfSteps, IsExactForAMultiple) {
  const StepCount count = number_of_steps(Duration::from_seconds(1e6), Duration::from_seconds(1e-3));
  EXPECT_EQ(count.whole, 1'000'000'000);
  EXPECT_EQ(count.rest, Duration());
  // 0.3/0.1 in doubles is 2.9999999999999996, whose floor is 2.
  EXPECT_EQ(number_of_steps(Duration::from_seconds(0.3), Duration::from_seconds(0.1)).whole, 3);
}

TEST(NumberOfSteps, GivesTheRestWhenTheSpanIsNoMultiple) {
  const Duration until = Duration::from_seconds(1.0), step = Duration::from_seconds(0.3);
  const StepCount count = number_of_steps(until, step);
  EXPECT_EQ(count.whole, 3);
  EXPECT_EQ(count.rest, Duration::from_seconds(0.1));
  EXPECT_EQ(step * count.whole + count.rest, until);
}

TEST(NumberOfSteps, OfNoSpanIsZero) {
  EXPECT_EQ(number_of_steps(Duration(), Duration::from_seconds(0.3)).whole, 0);
}

TEST(NumberOfSteps, RefusesAStepThatDoesNotAdvance_AndAnEndBeforeTheStart) {
  EXPECT_EQ(test::sentence_of<ContractError>(
                [] { static_cast<void>(number_of_steps(Duration::from_seconds(1.0), Duration())); }),
            "a step does not advance [number_of_steps]: expected step > 0 s, got 0 s. Give a step of at "
            "least 1 ns.");
  EXPECT_EQ(test::sentence_of<ContractError>([] {
              static_cast<void>(number_of_steps(Duration::from_seconds(-2.0), Duration::from_seconds(1.0)));
            }),
            "a run ends before it starts [number_of_steps]: expected until >= 0 s, got -2 s. "
            "Give an end time that is not negative.");
}

}  // namespace
}  // namespace eslabon::core
