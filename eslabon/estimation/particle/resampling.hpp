#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "eslabon/core/random/bulk_random.hpp"
#include "eslabon/core/worker_pool.hpp"
#include "eslabon/estimation/particle/particle_options.hpp"
#include "eslabon/estimation/particle/swarm.hpp"

namespace eslabon::estimation {

/// How many copies of each particle are to be, by its weight: on the average M w_i / Σw of `total` = M, in all exactly M. With points
/// p_0 < … < p_{M−1} of [0, M), particle i has as many as lie between the sums of M w/Σw before and behind it:
///
///   multinomial  M uniform numbers, in order: sums of exponential ones, over the sum of M + 1                            (1)
///   residual     ⌊M w_i/Σw⌋ at least, and (1) for the rest                                                              (2)
///   stratified   p_j = j + u_j                                                                                          (3)
///   systematic   p_j = j + u, one u for all                                                                             (4)
///
/// [Douc2005]. weights: ≥ 0, not all zero; those without weight get no copy. O(n + M), sequential; a pure function of its arguments.
void draw_offspring(Resampling resampling, std::span<const double> weights, std::size_t total,
                    const core::BulkRandom& random, std::uint64_t position, std::span<std::uint32_t> counts);

/// One particle becomes a copy of another.
struct Move {
  std::uint32_t from, to;
};

/// Moves that lead from particles in slots 0 … n − 1 with counts (n) of offspring to their sum M in slots 0 … M − 1: survivors stay in their slots
/// where those remain. No slot that is read is written, so that moves may be done in any order, in place. Returns their number, at most M.
std::size_t plan_moves(std::span<const std::uint32_t> counts, std::size_t total, std::span<Move> moves);
/// Does them on all arrays; lanes reach to the last slot.
void apply_moves(std::span<const Move> moves, int num_arrays, Lanes lanes, core::WorkerPool& pool);

}  // namespace eslabon::estimation
