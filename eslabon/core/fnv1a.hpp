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

}  // namespace eslabon::core
