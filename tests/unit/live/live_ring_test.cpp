#include "eslabon/live/live_ring.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#include "tests/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/live/step_clock.hpp"

namespace eslabon::live {
namespace {

TEST(LiveRing, IsAQueueOfItsCapacity) {
  LiveRing<int> ring(4);
  int value = 0;
  EXPECT_FALSE(ring.pop(value));
  for (int round = 0; round < 5; ++round) {
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(ring.push(10 * round + k));
    EXPECT_FALSE(ring.push(99));
    EXPECT_EQ(ring.size(), 4u);
    for (int k = 0; k < 4; ++k) {
      ASSERT_TRUE(ring.pop(value));
      EXPECT_EQ(value, 10 * round + k);
    }
    EXPECT_FALSE(ring.pop(value));
  }
  EXPECT_THROW(LiveRing<int>(3), core::ContractError);
  EXPECT_THROW(LiveRing<int>(0), core::ContractError);
}

/// Larger than a word: a torn copy would show.
struct Block {
  std::uint64_t numbers[8] = {};
};

// Everything arrives once, in order and whole, with the writer and the reader as fast as they can.
TEST(LiveRing, LosesAndTearsNothing_BetweenTwoThreads) {
  const std::uint64_t count = std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 20'000'000 : 300'000;
  for (const std::size_t capacity : {1u, 2u, 64u, 1024u}) {
    LiveRing<Block> ring(capacity);
    const std::uint64_t num_blocks = capacity < 64 ? count / 10 : count;
    std::thread writer([&] {
      Block block;
      for (std::uint64_t k = 1; k <= num_blocks; ++k) {
        std::fill(std::begin(block.numbers), std::end(block.numbers), k);
        while (!ring.push(block)) std::this_thread::yield();
      }
    });
    Block block;
    std::uint64_t num_bad = 0;
    for (std::uint64_t k = 1; k <= num_blocks; ++k) {
      while (!ring.pop(block)) std::this_thread::yield();
      num_bad += std::count(std::begin(block.numbers), std::end(block.numbers), k) == 8 ? 0 : 1;
    }
    writer.join();
    EXPECT_EQ(num_bad, 0u);
    EXPECT_FALSE(ring.pop(block));
  }
}

TEST(LiveRows, CarriesRowsOfOneWidth) {
  LiveRows rows(3, 2);
  EXPECT_TRUE(rows.front().empty());
  EXPECT_TRUE(rows.push(std::vector{1.0, 2.0, 3.0}));
  EXPECT_TRUE(rows.push(std::vector{4.0, 5.0, 6.0}));
  EXPECT_FALSE(rows.push(std::vector{7.0, 8.0, 9.0}));
  EXPECT_EQ(rows.front()[2], 3.0);
  rows.release();
  EXPECT_EQ(rows.front()[0], 4.0);
  EXPECT_TRUE(rows.push(std::vector{7.0, 8.0, 9.0}));
  rows.release();
  EXPECT_EQ(rows.front()[1], 8.0);
  EXPECT_THROW(static_cast<void>(rows.push(std::vector{1.0})), core::ContractError);
}

// crosscheck with sorting, for times of all sizes.
TEST(StepClock, WaitsForDeadlinesThatDoNotMove) {
  StepClock clock(core::Duration::from_nanoseconds(2'000'000));
  clock.start();
  const std::int64_t begin = clock.deadline();
  for (int k = 1; k <= 50; ++k) {
    ASSERT_TRUE(clock.wait());
    ASSERT_EQ(clock.deadline(), begin + 2'000'000 * k);
    ASSERT_GE(monotonic_now(), clock.deadline());
    clock.finish_step();
  }
  EXPECT_EQ(clock.num_steps(), 50);
  EXPECT_EQ(clock.latency().count(), 50);
  EXPECT_GE(clock.latency().largest(), clock.wake().largest());
}

TEST(StepClock, CountsStepsThatBeginAWholeStepLate_AndCatchesUp) {
  constexpr std::int64_t kStep = 20'000'000;  // [ns]
  StepClock clock(core::Duration::from_nanoseconds(kStep));
  clock.start();
  ASSERT_TRUE(clock.wait());
  const timespec pause{
      0, 90'000'000};  // 4.5 steps: three begin 3.5, 2.5 and 1.5 steps late, the fourth half a step
  nanosleep(&pause, nullptr);
  const std::int64_t before = clock.num_missed();
  int late = 0;  // as seen from here, after the clock looked
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(clock.wait());
    if (monotonic_now() - clock.deadline() >= kStep) ++late;
  }
  EXPECT_GE(clock.num_missed() - before, 3);
  EXPECT_LE(clock.num_missed() - before, late);
}

TEST(StepClock, TakesNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  StepClock clock(core::Duration::from_nanoseconds(100'000), core::Duration::from_nanoseconds(20'000));
  LiveRows rows(10, 64);
  const std::vector<double> row(10);
  clock.start();
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k < 20; ++k) {
                static_cast<void>(clock.wait());
                static_cast<void>(rows.push(row));
                clock.finish_step();
              }
            }),
            0);
  EXPECT_THROW(StepClock(core::Duration()), core::ContractError);
}

}  // namespace
}  // namespace eslabon::live
