#include "eslabon/report/data/base64.hpp"

#include <cstdint>

namespace eslabon::report {

namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The first `count` characters of 24 bits.
void append(std::string& text, std::uint32_t bits, int count) {
  for (int k = 0; k < count; ++k) text += kAlphabet[(bits >> (18 - 6 * k)) & 0x3fu];
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(base64_length(bytes.size()));
  const auto byte = [&](std::size_t k) { return std::to_integer<std::uint32_t>(bytes[k]); };
  std::size_t k = 0;
  for (; k + 3 <= bytes.size(); k += 3) append(text, byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2), 4);
  if (bytes.size() - k == 1) {
    append(text, byte(k) << 16, 2);
    text += "==";
  } else if (bytes.size() - k == 2) {
    append(text, byte(k) << 16 | byte(k + 1) << 8, 3);
    text += '=';
  }
  return text;
}

}  // namespace eslabon::report
