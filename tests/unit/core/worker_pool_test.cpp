#include "eslabon/core/worker_pool.hpp"

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

// invariant: each block once, by a worker that there is, however often.
TEST(WorkerPool, DoesEachBlockOnce_WithAnyNumberOfThreads) {
  for (int threads : {1, 2, 4, 7}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.num_threads(), threads);
    std::vector<std::atomic<int>> done(101);
    std::atomic<bool> is_worker_known = true;
    for (int round = 1; round <= 500; ++round) {
      const std::size_t blocks = static_cast<std::size_t>(round) % 102;
      for (auto& count : done) count = 0;
      pool.run(blocks, [&](int worker, std::size_t block) {
        if (worker < 0 || worker >= threads) is_worker_known = false;
        ++done[block];
      });
      for (std::size_t block = 0; block < done.size(); ++block)
        ASSERT_EQ(done[block], block < blocks ? 1 : 0);
    }
    EXPECT_TRUE(is_worker_known);
  }
}

// invariant: sums by blocks, put together in order, have the same bits.
TEST(WorkerPool, GivesTheSameBits_WithOneTwoAndFourThreads) {
  const auto sum_with = [](int threads) {
    WorkerPool pool(threads);
    std::vector<double> sums(64);
    pool.run(sums.size(), [&](int, std::size_t block) {
      for (int k = 1; k <= 1000; ++k) sums[block] += std::sin(static_cast<double>(block) + 1.0 / k);
    });
    double sum = 0.0;
    for (double part : sums) sum += part;
    return sum;
  };
  EXPECT_EQ(sum_with(1), sum_with(2));
  EXPECT_EQ(sum_with(1), sum_with(4));
}

// contract: the exception of the first block that throws, and the pool goes on.
TEST(WorkerPool, HandsOnTheFirstException_AndGoesOn) {
  for (int threads : {1, 3}) {
    WorkerPool pool(threads);
    for (int round = 0; round < 100; ++round) {
      std::string what;
      try {
        pool.run(50, [](int, std::size_t block) {
          if (block % 10 == 7) throw std::runtime_error(std::to_string(block));
        });
      } catch (const std::runtime_error& error) {
        what = error.what();
      }
      ASSERT_EQ(what, "7");
      std::atomic<int> count = 0;
      pool.run(50, [&](int, std::size_t) { ++count; });
      ASSERT_EQ(count, 50);
    }
  }
}

TEST(WorkerPool, TakesNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  WorkerPool pool(3);
  std::atomic<long> sum = 0;
  EXPECT_EQ(test::count_allocations([&] {
              for (int round = 0; round < 100; ++round)
                pool.run(20, [&](int, std::size_t block) { sum += static_cast<long>(block); });
            }),
            0);
  EXPECT_EQ(sum, 19000);
}

TEST(WorkerPool, RefusesToHaveNoThread) {
  EXPECT_EQ(test::sentence_of<ContractError>([] { WorkerPool pool(0); }),
            "work without a thread [WorkerPool]: expected at least 1 thread, got 0. Give the number of "
            "cores, or 1.");
}

}  // namespace
}  // namespace eslabon::core
