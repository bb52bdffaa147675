#include "eslabon/estimation/particle/kld_size.hpp"

#include <bit>
#include <cmath>

#include "eslabon/estimation/circular.hpp"

namespace eslabon::estimation {

namespace {

/// Spreads bits: multiplications by odd numbers and shifts, a bijection.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ (x >> 32);
}

}  // namespace

double kld_number(std::size_t num_bins, double error, double quantile) {
  if (num_bins <= 1) return 1.0;
  const double k = static_cast<double>(num_bins - 1), a = 2.0 / (9.0 * k);
  const double root = 1.0 - a + std::sqrt(a) * quantile;
  return std::max(1.0, k / (2.0 * error) * root * root * root);  // (1)
}

BinCounter::BinCounter(const System& system, std::size_t capacity) : table_(std::bit_ceil(2 * capacity)) {
  for (const StateInfo& state : system.states()) {
    per_unit_.push_back(kBinsPerScale / state.unknown_scale);
    is_angle_.push_back(state.is_angle);
  }
}

std::size_t BinCounter::count(ParticleCloud& cloud, std::span<const std::uint32_t> offspring,
                              std::size_t most) {
  std::ranges::fill(table_, std::uint64_t{0});
  const std::size_t mask = table_.size() - 1;
  std::size_t found = 0;
  for (std::size_t i = 0; i < offspring.size() && found < most; ++i) {
    if (offspring[i] == 0) continue;
    std::uint64_t cell = 1;
    for (std::size_t k = 0; k < per_unit_.size(); ++k) {
      const double x = cloud.state(static_cast<Eigen::Index>(k))[i];
      const double bin = std::floor((is_angle_[k] ? wrap_lane(x) : x) * per_unit_[k]);
      cell = mix(cell + std::bit_cast<std::uint64_t>(bin + 0.0));
    }
    cell |= 1;  // not 0
    std::size_t at = cell >> 1 & mask;
    while (table_[at] != 0 && table_[at] != cell) at = (at + 1) & mask;
    if (table_[at] == cell) continue;
    table_[at] = cell;
    ++found;
  }
  return found;
}

}  // namespace eslabon::estimation
