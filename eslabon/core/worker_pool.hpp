#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace eslabon::core {

/// A fixed set of threads that share the blocks of one piece of work: the caller's, and num_threads − 1 that wait for it. Which thread
/// does which block is chance, so what a block does depends on its number alone, and what is made of several is put together by
/// the caller in the order of blocks: the same bits with any number of threads. run() does not allocate; with one thread, or one block,
/// it is a plain loop. One caller at a time.
class WorkerPool {
 public:
  /// Throws ContractError when num_threads < 1.
  explicit WorkerPool(int num_threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int num_threads() const { return static_cast<int>(threads_.size()) + 1; }

  /// function(worker, block) for each block 0 … blocks − 1; worker: 0 … num_threads − 1, for scratch of its own. Returns when all have been done. When blocks
  /// throw, the exception of the first of them (by number) is thrown on; blocks after it may be left out.
  template <class Function>
  void run(std::size_t blocks, const Function& function) {
    if (threads_.empty() || blocks <= 1) {
      for (std::size_t block = 0; block < blocks; ++block) function(0, block);
      return;
    }
    share(blocks, {&function, [](const void* context, int worker, std::size_t block) {
                     (*static_cast<const Function*>(context))(worker, block);
                   }});
  }

 private:
  struct Job {
    const void* context = nullptr;
    void (*call)(const void*, int, std::size_t) = nullptr;
  };
  void share(std::size_t blocks, Job job);
  void work(int worker);
  void live(int worker);
  void end();

  // Of the present job; set by share before round_ changes.
  Job job_;
  std::size_t blocks_ = 0;
  std::atomic<std::size_t> next_ = 0;       ///< block that nobody has begun
  std::atomic<std::uint32_t> round_ = 0;    ///< number of jobs so far; threads wait for the next
  std::atomic<std::uint32_t> waiting_ = 0;  ///< threads that have not finished the present one
  std::atomic<bool> ends_ = false;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  ///< of the block failed_block_
  std::size_t failed_block_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::thread> threads_;
};

}  // namespace eslabon::core
