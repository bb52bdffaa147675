#include "apps/cli/live_latency.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace eslabon::cli {

/// t = (32 + low) 2ˢ with low < 32 is in bin 32 (s + 1) + low; t < 32 in bin t.
std::size_t LiveLatency::bin_of(std::uint64_t t) {
  if (t < kPerDoubling) return static_cast<std::size_t>(t);
  const int shift = static_cast<int>(std::bit_width(t)) - 1 - kBits;
  return static_cast<std::size_t>(shift) * kPerDoubling + static_cast<std::size_t>(t >> shift);
}

/// The largest time in it.
std::uint64_t LiveLatency::end_of(std::size_t bin) {
  if (bin < kPerDoubling) return bin;
  const std::size_t shift = bin / kPerDoubling - 1;
  const std::uint64_t mantissa = bin % kPerDoubling + kPerDoubling;
  return ((mantissa + 1) << shift) - 1;
}

void LiveLatency::record(std::int64_t nanoseconds) {
  const std::int64_t t = std::max<std::int64_t>(nanoseconds, 0);
  ++bins_[bin_of(static_cast<std::uint64_t>(t))];
  ++count_;
  largest_ = std::max(largest_, t);
  sum_ += static_cast<double>(t);
}

double LiveLatency::mean() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }

std::int64_t LiveLatency::quantile(double p) const {
  const auto wanted =
      static_cast<std::int64_t>(std::ceil(std::clamp(p, 0.0, 1.0) * static_cast<double>(count_)));
  std::int64_t below = 0;
  for (std::size_t bin = 0; bin < kNumBins && count_ > 0; ++bin) {
    below += bins_[bin];
    if (below >= std::max<std::int64_t>(wanted, 1))
      return std::min(static_cast<std::int64_t>(end_of(bin)), largest_);
  }
  return largest_;
}

}  // namespace eslabon::cli
