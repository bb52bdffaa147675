#include "eslabon/core/text/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace eslabon::core {

namespace {

/// Processors differ in the sign of the NaN that an undefined operation gives; it means nothing.
double without_sign_of_nan(double x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x; }

}  // namespace

std::string number_text(double x) {
  std::array<char, 32> text;  // the longest double, "-2.2250738585072014e-308", has 24 characters
  const auto result = std::to_chars(text.data(), text.data() + text.size(), without_sign_of_nan(x));
  return std::string(text.data(), result.ptr);
}

std::string rounded_text(double x, int digits) {
  std::array<char, 64> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), without_sign_of_nan(x),
                                    std::chars_format::general, digits);
  return std::string(text.data(), result.ptr);
}

}  // namespace eslabon::core
