#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eslabon/estimation/particle/particle_cloud.hpp"

namespace eslabon::estimation {

/// How many particles are enough, so that the Kullback–Leibler distance between what they say of k bins and the truth is at most ε with the
/// probability that the quantile z stands for:
///
///   N = (k − 1)/(2ε) · (1 − 2/(9(k − 1)) + √(2/(9(k − 1))) z)³,   1 for k = 1                                 [Fox2003]    (1)
double kld_number(std::size_t num_bins, double error, double quantile);

/// Counts bins that have a particle: cells of a grid over the states, with kBinsPerScale of them in StateInfo::unknown_scale. Fixed memory.
class BinCounter {
 public:
  static constexpr double kBinsPerScale = 32.0;

  BinCounter(const System& system, std::size_t capacity);
  /// Bins of the particles with offspring; counting ends at `most`.
  std::size_t count(ParticleCloud& cloud, std::span<const std::uint32_t> offspring, std::size_t most);

 private:
  std::vector<double> per_unit_;      ///< (n) bins in a unit of the state
  std::vector<bool> is_angle_;        ///< (n)
  std::vector<std::uint64_t> table_;  ///< open hash table of cells, 0: empty; a power of two
};

}  // namespace eslabon::estimation
