#include "eslabon/report/charts/axis_ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::report {

namespace {

/// A step m·10^e with m of 1, 2, 5: the same everywhere, and as text without roundoff.
struct NiceStep {
  int mantissa = 1;
  int exponent = 0;
  double value() const {
    return exponent < 0 ? mantissa / std::pow(10.0, -exponent) : mantissa * std::pow(10.0, exponent);
  }
};

/// The smallest nice step that is at least `rough`.
NiceStep nice_step(double rough) {
  NiceStep step{1, static_cast<int>(std::floor(std::log10(rough)))};
  for (const int mantissa : {1, 2, 5}) {
    step.mantissa = mantissa;
    if (step.value() >= (1.0 - 1e-12) * rough) return step;
  }
  return {1, step.exponent + 1};
}

NiceStep next_smaller(const NiceStep& step) {
  if (step.mantissa == 1) return {5, step.exponent - 1};
  return {step.mantissa == 5 ? 2 : 1, step.exponent};
}

constexpr double kRoundoff = 1e-9;  // of a step

/// Multiples of the step from the least to the largest.
double count_between(double least, double largest, double step) {
  return std::floor(largest / step + kRoundoff) - std::ceil(least / step - kRoundoff) + 1.0;
}

std::string label_of(double value, int exponent, int decimals) {
  std::string label = fmt::format("{:.{}f}", value / std::pow(10.0, exponent), decimals);
  if (label.find_first_not_of("-0.") == std::string::npos && label.front() == '-') label.erase(0, 1);
  if (label.front() == '-') label.replace(0, 1, "−");
  return label;
}

/// A number 1 … 9 times a power of ten.
std::string short_label(int mantissa, int exponent, bool is_plain) {
  if (is_plain) return core::number_text(NiceStep{mantissa, exponent}.value());
  return (mantissa == 1 ? "" : std::to_string(mantissa) + "·") + power_of_ten(exponent);
}

}  // namespace

std::string power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(exponent))
    text += c == '-' ? std::string_view("⁻") : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

AxisTicks linear_ticks(double least, double largest, int most) {
  const double far = std::max(std::abs(least), std::abs(largest));
  NiceStep step = nice_step((largest - least) / std::max(most, 1));
  while (count_between(least, largest, step.value()) < 2.0) step = next_smaller(step);
  AxisTicks out;
  if (far >= 1e5 || far < 1e-2) out.exponent = 3 * static_cast<int>(std::floor(std::log10(far) / 3.0));
  const int decimals = std::max(0, out.exponent - step.exponent);
  const double first = std::ceil(least / step.value() - kRoundoff);
  const double count = count_between(least, largest, step.value());
  for (double k = first; k < first + count; ++k) {
    const double value =
        step.exponent < 0 ? k * step.mantissa / std::pow(10.0, -step.exponent) : k * step.value();
    out.ticks.push_back({value, label_of(value, out.exponent, decimals)});
  }
  return out;
}

AxisTicks log_ticks(double least, double largest, int most) {
  const double from = std::log10(least) - kRoundoff;
  const double to = std::log10(largest) + kRoundoff;
  const int first = static_cast<int>(std::ceil(from));
  const int last = static_cast<int>(std::floor(to));
  if (last <= first && to - from < 1.0) return linear_ticks(least, largest, most);
  const int stride = (last - first + most - 1) / std::max(most, 1);
  const bool has_between = stride <= 1 && 3 * (last - first + 1) <= most + 1;
  const bool is_plain = first >= -3 && last <= 4;
  AxisTicks out;
  for (int exponent = first - 1; exponent <= last; ++exponent)
    for (const int mantissa : {1, 2, 5}) {
      const double value = NiceStep{mantissa, exponent}.value();
      if (std::log10(value) < from || std::log10(value) > to) continue;
      if (mantissa != 1 && !has_between) continue;
      if (mantissa == 1 && (exponent - first) % std::max(stride, 1) != 0) continue;
      out.ticks.push_back({value, short_label(mantissa, exponent, is_plain)});
    }
  return out;
}

}  // namespace eslabon::report
