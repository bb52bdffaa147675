#include "eslabon/sensing/random_stream.hpp"

#include "eslabon/core/fnv1a.hpp"

namespace eslabon::sensing {

namespace {

constexpr std::uint64_t kDrawsPerChannel = 8;

std::uint64_t mix(std::uint64_t z) {  // (3)
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

core::Rng random_stream(std::uint64_t seed, std::string_view sensor, int channel, Draw draw) {
  const std::uint64_t place =
      kDrawsPerChannel * static_cast<std::uint64_t>(channel) + static_cast<std::uint64_t>(draw);
  return core::Rng(seed, mix(core::fnv1a(sensor) + place));  // (1)
}

}  // namespace eslabon::sensing
