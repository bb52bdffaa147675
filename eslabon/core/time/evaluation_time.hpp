#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace eslabon::core {

/// Seconds of one call of what repeats itself: the best of some batches of up to 200 calls, about 1 ms in all, or six calls of what takes
/// longer.
template <class Work>
double evaluation_time(Work work) {
  constexpr int kBatches = 5, kMostCalls = 200;
  constexpr double kBatch = 2e-4;  // [s]
  const auto time_of = [&](int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double first = time_of(1);
  const int calls = std::clamp(static_cast<int>(kBatch / std::max(first, 1e-9)), 1, kMostCalls);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kBatches; ++k) best = std::min(best, time_of(calls) / calls);
  return best;
}

}  // namespace eslabon::core
