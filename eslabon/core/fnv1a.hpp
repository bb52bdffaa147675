#pragma once

#include <cstdint>
#include <string_view>

namespace eslabon::core {

/// 64 bits that tell texts apart, the same on every machine: FNV-1a,
/// `h`: that of the text before this one.
///   h ← (h ⊕ byte) · 1099511628211   from h = 14695981039346656037           [FowlerNollVo1991]             (1)
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t h = 14695981039346656037u) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;  // (1)
  return h;
}

__extension__ using Bits128 = unsigned __int128;

/// The same of 128 bits, for names that must not meet by chance: 2⁸⁸ + 315 instead of the factor, and another start.
constexpr Bits128 fnv1a_128(std::string_view text,
                            Bits128 h = (Bits128{0x6c62272e07bb0142} << 64) | 0x62b821756295c58d) {
  constexpr Bits128 kFactor = (Bits128{1} << 88) + 0x13b;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * kFactor;
  return h;
}

}  // namespace eslabon::core
