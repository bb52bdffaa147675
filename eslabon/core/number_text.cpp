#include "eslabon/core/number_text.hpp"

#include <array>
#include <charconv>

namespace eslabon::core {

std::string number_text(double x) {
  std::array<char, 32> text;  // the longest double, "-2.2250738585072014e-308", has 24 characters
  const auto result = std::to_chars(text.data(), text.data() + text.size(), x);
  return std::string(text.data(), result.ptr);
}

}  // namespace eslabon::core
