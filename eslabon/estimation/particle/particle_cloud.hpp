#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "eslabon/core/worker_pool.hpp"
#include "eslabon/estimation/particle/resampling.hpp"
#include "eslabon/estimation/particle/swarm.hpp"

namespace eslabon::estimation {

inline constexpr std::size_t kBlock = Swarm::kBlock;  ///< particles that are worked on together

/// Where the particles of a filter are, and the threads that go through them block by block. Slots 0 … count − 1 are in use.
class ParticleCloud {
 public:
  /// Lives beside `swarm`. `second`: keeps room for another set of particles.
  ParticleCloud(Swarm& swarm, std::size_t capacity, int threads, bool second);

  std::size_t count() const { return count_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t num_blocks() const { return (count_ + kBlock - 1) / kBlock; }
  std::size_t most_blocks() const { return (capacity_ + kBlock - 1) / kBlock; }
  void set_count(std::size_t count) { count_ = count; }

  Swarm& swarm() const { return swarm_; }
  core::WorkerPool& pool() { return pool_; }
  int num_threads() const { return pool_.num_threads(); }
  Swarm::Workspace& workspace(int worker) { return *workspaces_[static_cast<std::size_t>(worker)]; }

  Lanes lanes() { return {numbers_.data(), capacity_, count_}; }
  Lanes slot(std::size_t i) { return lanes().part(i, 1); }
  Lanes block(std::size_t b) { return lanes().part(b * kBlock, std::min(kBlock, count_ - b * kBlock)); }
  /// Number k of the system's states, of all particles.
  double* state(Eigen::Index k) { return lanes().array(swarm_.array_of_state(k)); }

  /// Slots 1, 2, … become copies of slot 0.
  void spread_first();
  /// Slots become what the moves say, and `count` of them are in use.
  void move(std::span<const Move> moves, std::size_t count);

  // The other set: as large, and the same slots in use.
  void keep_second();  ///< it becomes a copy of the first
  void swap_second() { numbers_.swap(second_); }
  Lanes second_block(std::size_t b) {
    return Lanes{second_.data(), capacity_, count_}.part(b * kBlock, block(b).count);
  }

  /// function(worker, block number, lanes) for each block.
  template <class Function>
  void for_blocks(const Function& function) {
    pool_.run(num_blocks(), [&](int worker, std::size_t b) { function(worker, b, block(b)); });
  }

 private:
  Swarm& swarm_;
  std::size_t capacity_, count_;
  core::WorkerPool pool_;
  std::vector<std::unique_ptr<Swarm::Workspace>> workspaces_;  ///< (threads)
  std::vector<double> numbers_, second_;                       ///< (arrays × capacity)
};

/// Numbers per block, summed up in the order of blocks, so that a sum does not depend on the threads.
class BlockSums {
 public:
  BlockSums(std::size_t most_blocks, std::size_t width) : width_(width), sums_(most_blocks * width) {}
  double* of_block(std::size_t b) { return sums_.data() + b * width_; }
  double total(std::size_t num_blocks, std::size_t k) const {
    double sum = 0.0;
    for (std::size_t b = 0; b < num_blocks; ++b) sum += sums_[b * width_ + k];
    return sum;
  }

 private:
  std::size_t width_;
  std::vector<double> sums_;
};

}  // namespace eslabon::estimation
