#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "eslabon/estimation/particle/particle_cloud.hpp"

namespace eslabon::estimation {

inline constexpr double kNoWeight =
    -std::numeric_limits<double>::infinity();  ///< the logarithm of a weight of 0

/// Weights of particles, as logarithms l_i with the largest 0, so that none is lost to underflow, and as numbers w_i = exp l_i:
///
///   l_i ← l_i + β λ_i − max,   λ_i: log likelihood of a reading                                                           (1)
///   effective sample size = (Σ w)² / Σ w²                                                         [Seed000, eq. (123)]    (2)
///   log of the mean likelihood = max + log Σ w after (1) − log Σ w before                                                (3)
///
/// Sums are made per block and then in the order of blocks.
class ParticleWeights {
 public:
  explicit ParticleWeights(std::size_t capacity);

  void set_equal(std::size_t count);
  /// (1) for the particles of the cloud; λ (count) may be −∞, then the weight is 0 whatever β is; β < 0 takes back. Returns (3), −∞ when no weight is left: nothing has changed then.
  double multiply(ParticleCloud& cloud, const double* log_likelihood, double power);
  /// (2) of what (1) would make of them; −∞ < β.
  double effective_size_with(ParticleCloud& cloud, const double* log_likelihood, double power);
  /// Weights become those of these logarithms, whatever they were; returns log Σ exp, or −∞ and nothing has changed.
  double replace(ParticleCloud& cloud, const double* log_weight);

  std::span<const double> values() const { return {weight_.data(), count_}; }
  const double* logs() const { return log_.data(); }
  double sum() const { return sum_; }
  double log_sum() const { return log_sum_; }  ///< log Σ exp of what replace was given
  // Seed000 eq. 123, eq. 124
  double effective_size() const { return sum_ * sum_ / sum_of_squares_; }  ///< (2)
  std::size_t best() const { return best_; }                               ///< one of the largest weights

 private:
  /// `new_logs(first, count, out)` tells log w of hypotheses of one block.
  template <class NewLogs>
  double find_largest(ParticleCloud& cloud, const NewLogs& new_logs, std::size_t& block);
  template <class NewLogs>
  double normalise(ParticleCloud& cloud, const NewLogs& new_logs);

  std::size_t count_ = 0;
  std::vector<double> log_, weight_;  ///< (capacity)
  double sum_ = 0.0, sum_of_squares_ = 0.0, log_sum_ = 0.0;
  std::size_t best_ = 0;
  BlockSums sums_;
};

}  // namespace eslabon::estimation
