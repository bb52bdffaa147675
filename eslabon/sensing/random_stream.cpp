#include "eslabon/sensing/random_stream.hpp"

namespace eslabon::sensing {

namespace {

constexpr std::uint64_t kDrawsPerChannel = 8;

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t h = 14695981039346656037u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;  // (2)
  return h;
}

std::uint64_t mix(std::uint64_t z) {  // (3)
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

core::Rng random_stream(std::uint64_t seed, std::string_view sensor, int channel, Draw draw) {
  const std::uint64_t place =
      kDrawsPerChannel * static_cast<std::uint64_t>(channel) + static_cast<std::uint64_t>(draw);
  return core::Rng(seed, mix(fnv1a(sensor) + place));  // (1)
}

}  // namespace eslabon::sensing
