#include "eslabon/core/random/bulk_random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "eslabon/core/scalar/each_width.hpp"
#include "eslabon/core/scalar/lane_math.hpp"

// Compiled without fused operations (CMakeLists.txt), so that vectors of any width have the same bits.
namespace eslabon::core {

namespace {

constexpr std::size_t kPairs = 32;  // blocks of Philox at a time

constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// Bits of two uniform numbers for each of kPairs neighbouring pairs of slots, as halves.
struct PairBits {
  alignas(64) std::uint32_t word[4][kPairs];
};

/// Philox4x32-10 as in rng.cpp, in a loop over pairs that compilers make vectors of.
ESLABON_EACH_WIDTH void fill_bits(std::uint64_t seed, std::uint64_t position, std::uint64_t first_pair,
                                  PairBits& out) {
  constexpr int kRounds = 10;
  constexpr std::uint64_t kM0 = 0xD2511F53u, kM1 = 0xCD9E8D57u;
  constexpr std::uint32_t kW0 = 0x9E3779B9u, kW1 = 0xBB67AE85u;
  for (std::size_t j = 0; j < kPairs; ++j) {
    const std::uint64_t stream = first_pair + j;
    out.word[2][j] = low(stream);
    out.word[3][j] = high(stream);
  }
  const std::uint32_t position_low = low(position), position_high = high(position);
  for (std::size_t j = 0; j < kPairs; ++j) {
    std::uint32_t c0 = position_low, c1 = position_high, c2 = out.word[2][j], c3 = out.word[3][j];
    std::uint32_t k0 = low(seed), k1 = high(seed);
#pragma GCC unroll 10
    for (int round = 0; round < kRounds; ++round) {
      const std::uint64_t p0 = kM0 * c0, p1 = kM1 * c2;
      c0 = high(p1) ^ c1 ^ k0;
      c1 = low(p1);
      c2 = high(p0) ^ c3 ^ k1;
      c3 = low(p0);
      k0 += kW0;
      k1 += kW1;
    }
    out.word[0][j] = c0;
    out.word[1][j] = c1;
    out.word[2][j] = c2;
    out.word[3][j] = c3;
  }
}

/// open_unit of rng.hpp without a conversion, which narrow vectors lack: the bits of a number in [1, 2), less 1 − 2⁻⁵³.
double unit_of(std::uint32_t low_half, std::uint32_t high_half) {
  const std::uint64_t bits = (std::uint64_t{high_half} << 32) | low_half;
  return (std::bit_cast<double>((bits >> 12) | 0x3ff0000000000000) - 1.0) + 0x1.0p-53;
}

struct PairNumbers {
  alignas(64) double even[kPairs], odd[kPairs];
};

ESLABON_EACH_WIDTH void fill_pair_normals(const PairBits& bits, PairNumbers& out) {
  for (std::size_t j = 0; j < kPairs; ++j) {
    const double radius = std::sqrt(-2.0 * lane_log(unit_of(bits.word[0][j], bits.word[1][j])));
    const LaneSinCos angle = lane_sincos_of_turns(unit_of(bits.word[2][j], bits.word[3][j]));
    out.even[j] = radius * angle.cosine;
    out.odd[j] = radius * angle.sine;
  }
}

void fill_pair_uniforms(const PairBits& bits, PairNumbers& out) {
  for (std::size_t j = 0; j < kPairs; ++j) {
    out.even[j] = unit_of(bits.word[0][j], bits.word[1][j]);
    out.odd[j] = unit_of(bits.word[2][j], bits.word[3][j]);
  }
}

/// One row: pairs of slots are made kPairs at a time, and what lies outside first … first + count is left away.
template <class Fill>
void fill_row(const BulkRandom& random, std::uint64_t first, std::size_t count, std::uint64_t position,
              const Fill& fill, double* out) {
  PairBits bits;
  PairNumbers numbers;
  const std::uint64_t end = first + count, streams = random.kind << 56;
  for (std::uint64_t pair = first / 2; 2 * pair < end; pair += kPairs) {
    fill_bits(random.seed, position, streams + pair, bits);
    fill(bits, numbers);
    if (2 * pair >= first && 2 * (pair + kPairs) <= end) {
      double* const target = out + (2 * pair - first);
      for (std::size_t j = 0; j < kPairs; ++j) {
        target[2 * j] = numbers.even[j];
        target[2 * j + 1] = numbers.odd[j];
      }
      continue;
    }
    for (std::uint64_t slot = std::max(first, 2 * pair); slot < std::min(end, 2 * (pair + kPairs)); ++slot) {
      const std::size_t j = slot / 2 - pair;
      out[slot - first] = slot % 2 == 0 ? numbers.even[j] : numbers.odd[j];
    }
  }
}

}  // namespace

void BulkRandom::fill_normals(std::uint64_t first, std::size_t count, std::uint64_t position, int rows,
                              std::size_t stride, double* out) const {
  for (int r = 0; r < rows; ++r)
    fill_row(*this, first, count, position + static_cast<std::uint64_t>(r), fill_pair_normals,
             out + static_cast<std::size_t>(r) * stride);
}

void BulkRandom::fill_uniforms(std::uint64_t first, std::size_t count, std::uint64_t position,
                               double* out) const {
  fill_row(*this, first, count, position, fill_pair_uniforms, out);
}

}  // namespace eslabon::core
