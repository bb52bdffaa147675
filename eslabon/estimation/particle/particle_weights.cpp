#include "eslabon/estimation/particle/particle_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/scalar/lane_math.hpp"

// Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

ParticleWeights::ParticleWeights(std::size_t capacity)
    : log_(capacity), weight_(capacity), sums_((capacity + kBlock - 1) / kBlock, 2) {
  set_equal(capacity);
}

void ParticleWeights::set_equal(std::size_t count) {
  count_ = count;
  std::fill_n(log_.begin(), count, 0.0);
  std::fill_n(weight_.begin(), count, 1.0);
  sum_ = sum_of_squares_ = static_cast<double>(count);
  best_ = 0;
}

template <class NewLog>
double ParticleWeights::find_largest(ParticleCloud& cloud, const NewLog& new_log, std::size_t& block) {
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    double largest = kNoWeight;
    for (std::size_t i = b * kBlock, j = 0; j < lanes.count; ++i, ++j) {
      const double value = new_log(i);
      largest = value > largest ? value : largest;
    }
    sums_.of_block(b)[0] = largest;
  });
  double largest = kNoWeight;
  for (std::size_t b = 0; b < cloud.num_blocks(); ++b)
    if (sums_.of_block(b)[0] > largest) largest = sums_.of_block(block = b)[0];
  return largest;
}

template <class NewLog>
double ParticleWeights::normalise(ParticleCloud& cloud, const NewLog& new_log) {
  std::size_t best_block = 0;
  const double largest = find_largest(cloud, new_log, best_block);
  if (!(largest > kNoWeight)) return kNoWeight;
  for (best_ = best_block * kBlock; !(new_log(best_) == largest); ++best_) {
  }
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    double w[kBlock], sum = 0.0, squares = 0.0;
    double* const log = log_.data() + b * kBlock;
    for (std::size_t i = b * kBlock, j = 0; j < lanes.count; ++i, ++j) {
      log[j] = new_log(i) - largest;  // (1)
      w[j] = core::lane_exp(log[j]);
    }
    for (std::size_t j = 0; j < lanes.count; ++j) {
      weight_[b * kBlock + j] = w[j];
      sum += w[j];
      squares += w[j] * w[j];
    }
    sums_.of_block(b)[0] = sum;
    sums_.of_block(b)[1] = squares;
  });
  sum_ = sums_.total(cloud.num_blocks(), 0);
  sum_of_squares_ = sums_.total(cloud.num_blocks(), 1);
  return largest + std::log(sum_);
}

namespace {

/// (1) of one hypothesis; 0 · −∞ is no number.
double product(double log, double log_likelihood, double power) {
  return log_likelihood > kNoWeight ? log + power * log_likelihood : kNoWeight;
}

}  // namespace

double ParticleWeights::multiply(ParticleCloud& cloud, const double* log_likelihood, double power) {
  const double before = std::log(sum_);
  const double after =
      normalise(cloud, [&](std::size_t i) { return product(log_[i], log_likelihood[i], power); });
  return after - before;  // (3)
}

double ParticleWeights::effective_size_with(ParticleCloud& cloud, const double* log_likelihood,
                                            double power) {
  const auto new_log = [&](std::size_t i) { return product(log_[i], log_likelihood[i], power); };
  std::size_t block = 0;
  const double largest = find_largest(cloud, new_log, block);
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    double w[kBlock], sum = 0.0, squares = 0.0;
    for (std::size_t i = b * kBlock, j = 0; j < lanes.count; ++i, ++j)
      w[j] = core::lane_exp(new_log(i) - largest);
    for (std::size_t j = 0; j < lanes.count; ++j) sum += w[j], squares += w[j] * w[j];
    sums_.of_block(b)[0] = sum;
    sums_.of_block(b)[1] = squares;
  });
  const double sum = sums_.total(cloud.num_blocks(), 0);
  return sum * sum / sums_.total(cloud.num_blocks(), 1);
}

double ParticleWeights::replace(ParticleCloud& cloud, const double* log_weight) {
  const double log_sum = normalise(cloud, [&](std::size_t i) { return log_weight[i]; });
  if (log_sum > kNoWeight) count_ = cloud.count(), log_sum_ = log_sum;
  return log_sum;
}

}  // namespace eslabon::estimation
