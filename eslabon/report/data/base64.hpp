#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace eslabon::report {

/// Bytes as text of 64 harmless characters, four for every three bytes, padded with '=' [RFC4648, §4].
std::string base64(std::span<const std::byte> bytes);

/// How long the text of so many bytes is.
constexpr std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

}  // namespace eslabon::report
