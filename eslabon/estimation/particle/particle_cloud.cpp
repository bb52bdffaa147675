#include "eslabon/estimation/particle/particle_cloud.hpp"

namespace eslabon::estimation {

ParticleCloud::ParticleCloud(Swarm& swarm, std::size_t capacity, int threads, bool second)
    : swarm_(swarm),
      capacity_(capacity),
      count_(capacity),
      pool_(threads),
      numbers_(static_cast<std::size_t>(swarm.num_arrays()) * capacity),
      second_(second ? numbers_.size() : 0) {
  for (int worker = 0; worker < threads; ++worker) workspaces_.push_back(swarm.make_workspace());
}

void ParticleCloud::spread_first() {
  for (int k = 0; k < swarm_.num_arrays(); ++k) {
    double* const array = lanes().array(k);
    std::fill(array + 1, array + count_, array[0]);
  }
}

void ParticleCloud::move(std::span<const Move> moves, std::size_t count) {
  apply_moves(moves, swarm_.num_arrays(), lanes(), pool_);
  count_ = count;
}

void ParticleCloud::keep_second() {
  for_blocks([&](int, std::size_t b, Lanes lanes) {
    const Lanes target = second_block(b);
    for (int k = 0; k < swarm_.num_arrays(); ++k) std::copy_n(lanes.array(k), lanes.count, target.array(k));
  });
}

}  // namespace eslabon::estimation
