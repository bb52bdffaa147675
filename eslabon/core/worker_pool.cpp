#include "eslabon/core/worker_pool.hpp"

#include <string>
#include <utility>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {

namespace {

/// So often a thread looks before it sleeps: some microseconds, less than a wake-up costs.
constexpr int kLooks = 2000;

/// Returns when the number is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& number, std::uint32_t old) {
  for (int look = 0; look < kLooks; ++look)
    if (number.load(std::memory_order_acquire) != old) return;
  number.wait(old, std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(int num_threads) {
  if (num_threads < 1)
    throw ContractError({.what = "work without a thread",
                         .where = "WorkerPool",
                         .expected = "at least 1 thread",
                         .actual = std::to_string(num_threads),
                         .next = "Give the number of cores, or 1."});
  try {
    for (int worker = 1; worker < num_threads; ++worker)
      threads_.emplace_back([this, worker] { live(worker); });
  } catch (...) {  // the machine has no more
    end();
    throw;
  }
}

WorkerPool::~WorkerPool() { end(); }

void WorkerPool::end() {
  ends_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::live(int worker) {
  for (std::uint32_t round = 0;; ++round) {
    wait_for_change(round_, round);
    if (ends_) return;
    work(worker);
    if (waiting_.fetch_sub(1, std::memory_order_acq_rel) == 1) waiting_.notify_one();
  }
}

void WorkerPool::work(int worker) {
  for (;;) {
    const std::size_t block = next_.fetch_add(1, std::memory_order_relaxed);
    if (block >= blocks_) return;
    try {
      job_.call(job_.context, worker, block);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (block < failed_block_) {
        failed_block_ = block;
        failure_ = std::current_exception();
      }
      // Blocks before this one have all been begun, so the first that throws is among them.
      next_.store(blocks_, std::memory_order_relaxed);
    }
  }
}

void WorkerPool::share(std::size_t blocks, Job job) {
  job_ = job;
  blocks_ = blocks;
  next_.store(0, std::memory_order_relaxed);
  failed_block_ = std::numeric_limits<std::size_t>::max();
  waiting_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work(0);
  for (std::uint32_t left = waiting_.load(std::memory_order_acquire); left != 0;
       left = waiting_.load(std::memory_order_acquire))
    wait_for_change(waiting_, left);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace eslabon::core
