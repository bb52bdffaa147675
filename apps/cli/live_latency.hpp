#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace eslabon::cli {

/// Counts of times in bins that grow with the time: 32 to each doubling, so that a quantile is at most 1/32 too large; below 32 ns
/// exact. Fixed memory, nothing is lost, any time from 0 to 292 years.
class LiveLatency {
 public:
  /// Times below 0 count as 0.
  void record(std::int64_t nanoseconds);

  std::int64_t count() const { return count_; }
  std::int64_t largest() const { return largest_; }  ///< [ns], exact
  double mean() const;                               ///< [ns], exact; 0 of none
  /// The least time [ns], rounded up to the end of its bin and not beyond the largest, that a part p of all, 0 to 1, does not exceed. 0 of
  /// none.
  std::int64_t quantile(double p) const;

 private:
  static constexpr int kBits = 5;  ///< 2⁵ bins to a doubling
  static constexpr std::size_t kPerDoubling = std::size_t{1} << kBits;
  static constexpr std::size_t kNumBins = (64 - kBits) * kPerDoubling;
  static std::size_t bin_of(std::uint64_t t);
  static std::uint64_t end_of(std::size_t bin);

  std::array<std::int64_t, kNumBins> bins_ = {};
  std::int64_t count_ = 0, largest_ = 0;
  double sum_ = 0.0;
};

}  // namespace eslabon::cli
