#pragma once

#include <array>
#include <cstdint>

namespace eslabon::core {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox4x32-10: 128 random bits as a pure function of a counter and a key. For each key it is a
/// bijection of the counters, so no two counters give the same block. Source: [Salmon2011].
PhiloxCounter philox4x32(const PhiloxCounter& counter, const PhiloxKey& key);

/// 64 random bits as a number strictly between 0 and 1: the odd multiples of 2⁻⁵³,
///
///   u = (2 ⌊bits / 2¹²⌋ + 1) / 2⁵³                                               (1)
///
/// Every one of them is a double, they lie evenly and symmetrically about ½, and neither 0 (log!) nor
/// 1 is among them. (k + ½)/2⁵³ with 53 random bits k would not do: k + ½ needs 54 bits and the last
/// one rounds to 1.
constexpr double open_unit(std::uint64_t bits) { return static_cast<double>((bits >> 11) | 1u) * 0x1.0p-53; }

/// All randomness comes from one of these, and its seed from the caller.
///
/// A generator is (seed, stream, position). Draw number `position` is a pure function of the three,
///
///   block = philox4x32(counter = (position / 2, stream), key = seed)               (2)
///
/// so a particle, a run or a sensor that owns a stream draws the same numbers whichever thread serves
/// it and however many there are. Streams of one seed never overlap (bijection); each has 2⁶⁴ draws.
/// Plain value: a copy continues where the original stands. One per thread at a time.
///
/// Integers and uniform() are the same bits on every machine; normal() as far as log, sin and cos of
/// the C library are.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream_index = 0) : seed_(seed), stream_(stream_index) {}

  /// The generator of (seed, index), at its start, wherever this one stands. Streams are one flat list
  /// per seed: a caller with two indices combines them (run · particles + particle).
  Rng stream(std::uint64_t index) const { return Rng(seed_, index); }

  /// The next 64 random bits. One draw.
  std::uint64_t bits();

  /// Uniform on (0, 1), see (1). One draw.
  double uniform() { return open_unit(bits()); }

  /// Standard normal: mean 0, variance 1, |x| < 8.6. Two draws give two values, of which the second is
  /// kept for the next call.
  double normal();

  /// Uniform on {0, …, n − 1} without bias. One draw, rarely more (probability < n / 2⁶⁴ each).
  /// Throws ContractError when n = 0.
  std::uint64_t uniform_index(std::uint64_t n);

  /// The number of draws taken since the start of the stream.
  std::uint64_t position() const { return position_; }

  /// Makes draw number `counter` the next one and forgets a kept normal. Costs nothing.
  void jump_to(std::uint64_t counter);

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  PhiloxCounter block_{};         ///< holds draw position_ − 1; read when position_ is odd; set by bits
  bool has_kept_normal_ = false;  ///< set by normal
  double kept_normal_ = 0.0;      ///< set by normal
};

}  // namespace eslabon::core
