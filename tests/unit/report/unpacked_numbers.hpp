#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// Reads packed numbers as the page does, sharing nothing with what packs them.
namespace eslabon::test {

inline std::vector<std::byte> bytes_of_base64(const std::string& text) {
  std::vector<std::byte> bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const unsigned value = c >= 'A' && c <= 'Z'   ? static_cast<unsigned>(c - 'A')
                           : c >= 'a' && c <= 'z' ? static_cast<unsigned>(c - 'a') + 26u
                           : c >= '0' && c <= '9' ? static_cast<unsigned>(c - '0') + 52u
                           : c == '+'             ? 62u
                                                  : 63u;
    bits = bits << 6 | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<std::byte>((bits >> count) & 0xffu));
    }
  }
  return bytes;
}

/// The numbers of a machine that is little endian, as every one that has a browser.
template <class Number>
std::vector<Number> numbers_of_base64(const std::string& text) {
  const std::vector<std::byte> bytes = bytes_of_base64(text);
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

/// `kind`: 0 same, 1 even, 2 u8, 3 u16, 4 f32, 5 f64.
inline std::vector<double> unpacked(const std::string& codes, int kind, std::size_t count, double first,
                                    double step) {
  std::vector<double> values;
  if (kind == 0) values.assign(count, first);
  if (kind == 1)
    for (std::size_t k = 0; k < count; ++k) values.push_back(first + step * static_cast<double>(k));
  if (kind == 2)
    for (const std::uint8_t code : numbers_of_base64<std::uint8_t>(codes))
      values.push_back(first + step * code);
  if (kind == 3)
    for (const std::uint16_t code : numbers_of_base64<std::uint16_t>(codes))
      values.push_back(first + step * code);
  if (kind == 4)
    for (const float value : numbers_of_base64<float>(codes)) values.push_back(static_cast<double>(value));
  if (kind == 5) values = numbers_of_base64<double>(codes);
  return values;
}

}  // namespace eslabon::test
