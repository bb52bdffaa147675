#include "eslabon/core/random/rng.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {

namespace {

constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

/// Ten rounds; in each, with the multipliers M₀, M₁ and 32-bit halves "high", "low" of a product,
///
///   (c₀, c₁, c₂, c₃) ← (high(M₁c₂) ⊕ c₁ ⊕ k₀,  low(M₁c₂),  high(M₀c₀) ⊕ c₃ ⊕ k₁,  low(M₀c₀))   (1)
///   (k₀, k₁) ← (k₀ + W₀, k₁ + W₁)   mod 2³², between rounds                                       (2)
///
/// W₀ is the golden ratio and W₁ is √3 − 1, as fractions of 2³². Source: [Salmon2011].
PhiloxCounter philox4x32(const PhiloxCounter& counter, const PhiloxKey& key) {
  constexpr int kRounds = 10;
  constexpr std::uint64_t kM0 = 0xD2511F53u, kM1 = 0xCD9E8D57u;
  constexpr std::uint32_t kW0 = 0x9E3779B9u, kW1 = 0xBB67AE85u;
  PhiloxCounter c = counter;
  PhiloxKey k = key;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = kM0 * c[0];
    const std::uint64_t p1 = kM1 * c[2];
    c = {high(p1) ^ c[1] ^ k[0], low(p1), high(p0) ^ c[3] ^ k[1], low(p0)};  // (1)
    k = {k[0] + kW0, k[1] + kW1};                                            // (2)
  }
  return c;
}

std::uint64_t Rng::bits() {
  const bool first_half = position_ % 2 == 0;
  if (first_half) {
    const std::uint64_t block = position_ / 2;
    block_ = philox4x32({low(block), high(block), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
  }
  ++position_;
  const std::size_t word = first_half ? 0 : 2;
  return (std::uint64_t{block_[word + 1]} << 32) | block_[word];
}

/// Two independent standard normals from two uniforms:
///
///   n₁ = √(−2 log u₁) cos 2πu₂,   n₂ = √(−2 log u₁) sin 2πu₂
///
/// Source: [BoxMuller1958]. Written out because std::normal_distribution may differ between standard
/// libraries for the same seed.
double Rng::normal() {
  if (has_kept_normal_) {
    has_kept_normal_ = false;
    return kept_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  kept_normal_ = radius * std::sin(angle);
  has_kept_normal_ = true;
  return radius * std::cos(angle);
}

/// 2⁶⁴ is in general no multiple of n. Draws below 2⁶⁴ mod n are thrown away, so that what is left is
/// a whole number of copies of {0, …, n − 1}.
std::uint64_t Rng::uniform_index(std::uint64_t n) {
  if (n == 0) {
    throw ContractError({.what = "nothing to choose from",
                         .where = "Rng::uniform_index",
                         .expected = "n >= 1",
                         .actual = "n = 0",
                         .next = "Ask only when there is at least one alternative."});
  }
  const std::uint64_t first_kept = (std::numeric_limits<std::uint64_t>::max() % n + 1) % n;  // 2⁶⁴ mod n
  std::uint64_t draw = bits();
  while (draw < first_kept) draw = bits();
  return draw % n;
}

void Rng::jump_to(std::uint64_t counter) {
  has_kept_normal_ = false;
  position_ = counter - counter % 2;
  if (counter % 2 == 1) static_cast<void>(bits());
}

}  // namespace eslabon::core
