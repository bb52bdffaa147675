#include "eslabon/estimation/particle/particle_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/scalar/each_width.hpp"
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

namespace {

/// (1) of many hypotheses; 0 · −∞ is no number.
ESLABON_EACH_WIDTH void multiply_logs(const double* log, const double* log_likelihood, double power,
                                      std::size_t count, double* out) {
  for (std::size_t j = 0; j < count; ++j)
    out[j] = log_likelihood[j] > kNoWeight ? log[j] + power * log_likelihood[j] : kNoWeight;
}

/// The largest number of a block, by eight at a time: which of equal ones it is makes no difference.
ESLABON_EACH_WIDTH double largest_of(const double* values, std::size_t count) {
  constexpr std::size_t kGroup = 8;
  double largest[kGroup];
  for (double& value : largest) value = kNoWeight;
  std::size_t j = 0;
  for (; j + kGroup <= count; j += kGroup)
    for (std::size_t i = 0; i < kGroup; ++i)
      largest[i] = values[j + i] > largest[i] ? values[j + i] : largest[i];
  for (; j < count; ++j) largest[0] = values[j] > largest[0] ? values[j] : largest[0];
  return *std::max_element(largest, largest + kGroup);
}

/// log w less that of the largest weight, and w by it.
ESLABON_EACH_WIDTH void take_exponentials(double largest, std::size_t count, double* log, double* w) {
  for (std::size_t j = 0; j < count; ++j) {
    log[j] -= largest;  // (1)
    w[j] = core::lane_exp(log[j]);
  }
}

}  // namespace

template <class NewLogs>
double ParticleWeights::find_largest(ParticleCloud& cloud, const NewLogs& new_logs, std::size_t& block) {
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    double log[kBlock];
    new_logs(b * kBlock, lanes.count, log);
    sums_.of_block(b)[0] = largest_of(log, lanes.count);
  });
  double largest = kNoWeight;
  for (std::size_t b = 0; b < cloud.num_blocks(); ++b)
    if (sums_.of_block(b)[0] > largest) largest = sums_.of_block(block = b)[0];
  return largest;
}

template <class NewLogs>
double ParticleWeights::normalise(ParticleCloud& cloud, const NewLogs& new_logs) {
  std::size_t best_block = 0;
  const double largest = find_largest(cloud, new_logs, best_block);
  if (!(largest > kNoWeight)) return kNoWeight;
  double of_best[kBlock];
  best_ = best_block * kBlock;
  const std::size_t in_block = std::min(kBlock, cloud.count() - best_);
  new_logs(best_, in_block, of_best);
  best_ += static_cast<std::size_t>(std::find(of_best, of_best + in_block, largest) - of_best);
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    double sum = 0.0, squares = 0.0;
    double* const w = weight_.data() + b * kBlock;
    new_logs(b * kBlock, lanes.count, log_.data() + b * kBlock);
    take_exponentials(largest, lanes.count, log_.data() + b * kBlock, w);
    for (std::size_t j = 0; j < lanes.count; ++j) {
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

double ParticleWeights::multiply(ParticleCloud& cloud, const double* log_likelihood, double power) {
  const double before = std::log(sum_);
  const double after = normalise(cloud, [&](std::size_t first, std::size_t count, double* out) {
    multiply_logs(log_.data() + first, log_likelihood + first, power, count, out);
  });
  return after - before;  // (3)
}

double ParticleWeights::effective_size_with(ParticleCloud& cloud, const double* log_likelihood,
                                            double power) {
  const auto new_logs = [&](std::size_t first, std::size_t count, double* out) {
    multiply_logs(log_.data() + first, log_likelihood + first, power, count, out);
  };
  std::size_t block = 0;
  const double largest = find_largest(cloud, new_logs, block);
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    double log[kBlock], w[kBlock], sum = 0.0, squares = 0.0;
    new_logs(b * kBlock, lanes.count, log);
    take_exponentials(largest, lanes.count, log, w);
    for (std::size_t j = 0; j < lanes.count; ++j) sum += w[j], squares += w[j] * w[j];
    sums_.of_block(b)[0] = sum;
    sums_.of_block(b)[1] = squares;
  });
  const double sum = sums_.total(cloud.num_blocks(), 0);
  return sum * sum / sums_.total(cloud.num_blocks(), 1);
}

double ParticleWeights::replace(ParticleCloud& cloud, const double* log_weight) {
  const double log_sum = normalise(cloud, [&](std::size_t first, std::size_t count, double* out) {
    std::copy_n(log_weight + first, count, out);
  });
  if (log_sum > kNoWeight) count_ = cloud.count(), log_sum_ = log_sum;
  return log_sum;
}

}  // namespace eslabon::estimation
