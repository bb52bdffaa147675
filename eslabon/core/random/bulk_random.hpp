#pragma once

#include <cstddef>
#include <cstdint>

namespace eslabon::core {

/// Where the random numbers of many particles come from: number `position` of slot i is a pure function of (seed, kind, i, position),
/// whichever slots are asked for together. Two neighbouring slots share a block of Philox [Salmon2011], which has the bits of two numbers:
///
///   block = philox4x32(counter = (position, kind · 2⁵⁶ + ⌊i / 2⌋), key = seed)                                            (1)
///
/// kind: 1 … 255, what they are for; 0 is left to core::Rng with streams below 2⁵⁶. The same bits on every machine, by lane_math.hpp.
struct BulkRandom {
  std::uint64_t seed = 0;
  std::uint64_t kind = 1;

  /// out[r · stride + j], j < count: standard normal number position + r of slot first + j, for r < rows, by [BoxMuller1958] from the two
  /// uniform numbers of the block; even slots take the cosine, odd ones the sine.
  void fill_normals(std::uint64_t first, std::size_t count, std::uint64_t position, int rows,
                    std::size_t stride, double* out) const;
  /// out[j]: uniform in (0, 1), as core::Rng::uniform.
  void fill_uniforms(std::uint64_t first, std::size_t count, std::uint64_t position, double* out) const;
};

}  // namespace eslabon::core
