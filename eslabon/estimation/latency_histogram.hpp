#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eslabon/core/time/time.hpp"

namespace eslabon::estimation {

/// Times of many steps in bins of fixed number and relative width: below 32 ns each nanosecond has its own, above 32 bins in an octave,
/// so that a quantile is known to 1/32 of itself. Up to 2⁴⁰ ns = 18 min; longer ones go to the last bin. Least, largest and sum are exact.
/// Nothing allocates but bars() and text.
class LatencyHistogram {
 public:
  void add(core::Duration latency);  ///< negative ones count as 0
  void add(const LatencyHistogram& other);
  void clear() { *this = LatencyHistogram(); }

  std::uint64_t count() const { return count_; }
  core::Duration least() const;    ///< 0 for none
  core::Duration largest() const;  ///< 0 for none
  double mean() const;             ///< [s]; 0 for none
  /// The least time that at least the fraction p of all do not exceed, 0 ≤ p ≤ 1: the upper end of its bin, so never too low. 0 for none.
  core::Duration quantile(double p) const;

  /// How many there are in each of some neighbouring ranges of time, those of both ends not 0.
  struct Bars {
    std::vector<double> edges;          ///< (bars + 1) [s]; the first is 0 where times are below 8 ns
    std::vector<std::uint64_t> counts;  ///< (bars)
  };
  /// A quarter of an octave each; none for none.
  Bars bars() const;

  /// "p50 4.1 µs  p99 5.2 µs  p99.9 9.0 µs  max 31 µs  (60000)".
  std::string brief() const;
  /// Bars, one line for each half octave between least and largest: "  4.0 µs …  5.7 µs  ██████ 61.2 %".
  std::string text(int width = 40) const;

 private:
  static constexpr int kPerOctave = 32;
  static constexpr int kOctaves = 35;  // above the first 32 ns
  static constexpr int kBins = kPerOctave * (kOctaves + 1);

  static int bin_of(std::int64_t ns);
  static std::int64_t end_of(int bin);  // largest time of the bin [ns]

  std::array<std::uint64_t, kBins> bins_ = {};
  std::uint64_t count_ = 0;
  std::int64_t least_ = 0, largest_ = 0;  // [ns]
  double sum_ = 0.0;                      // [ns]
};

}  // namespace eslabon::estimation
