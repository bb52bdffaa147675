#include "eslabon/report/data/packed_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/report/data/base64.hpp"
#include "eslabon/report/report_error.hpp"

namespace eslabon::report {

namespace {

constexpr double kEvenTolerance = 1e-6;     // of the step
constexpr double kChannelTolerance = 1e-5;  // of the range
constexpr double kLastU16 = std::numeric_limits<std::uint16_t>::max();
constexpr double kLastU8 = std::numeric_limits<std::uint8_t>::max();

struct Range {
  double least = 0.0;
  double largest = 0.0;
  double length() const { return largest - least; }
};

/// Least and largest; fails for what is not finite.
Range checked_range(std::span<const double> values, const std::string& what) {
  if (values.empty()) return {};
  Range range{values[0], values[0]};
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]))
      fail_report(what, "finite numbers", core::number_text(values[k]) + " in row " + std::to_string(k + 1));
    range.least = std::min(range.least, values[k]);
    range.largest = std::max(range.largest, values[k]);
  }
  return range;
}

/// The same for numbers that lie between two known ones.
Range checked_range(std::span<const double> values, const Range& limits, const std::string& what) {
  const Range range = checked_range(values, what);
  if (range.least < limits.least || range.largest > limits.largest)
    fail_report(
        what, "numbers from " + core::number_text(limits.least) + " to " + core::number_text(limits.largest),
        core::number_text(range.least < limits.least ? range.least : range.largest));
  return range;
}

std::optional<NumberForm> form_of_one_value(std::span<const double> values, const Range& range) {
  if (values.empty()) return NumberForm{};
  if (range.least != range.largest) return std::nullopt;
  return NumberForm{NumberForm::Kind::kSame, values.size(), range.least, 0.0};
}

/// What takes no codes: one value throughout, or evenly spaced ones.
std::optional<NumberForm> form_without_codes(std::span<const double> values, const Range& range) {
  if (const auto form = form_of_one_value(values, range)) return form;
  const std::size_t count = values.size();
  const double step = (values[count - 1] - values[0]) / static_cast<double>(count - 1);
  if (count < 3 || step == 0.0 || !std::isfinite(range.length())) return std::nullopt;
  for (std::size_t k = 0; k < count; ++k)
    if (!(std::abs(values[0] + step * static_cast<double>(k) - values[k]) <= kEvenTolerance * std::abs(step)))
      return std::nullopt;
  return NumberForm{NumberForm::Kind::kEven, count, values[0], step};
}

/// Whether 24 bits tell the values apart well enough to draw them.
bool fits_float(std::span<const double> values, const Range& range) {
  const double largest = std::max(std::abs(range.least), std::abs(range.largest));
  if (largest > static_cast<double>(std::numeric_limits<float>::max())) return false;
  const double tolerance = kChannelTolerance * range.length();
  return std::all_of(values.begin(), values.end(), [&](double value) {
    return std::abs(static_cast<double>(static_cast<float>(value)) - value) <= tolerance;
  });
}

NumberForm form_within(std::span<const double> values, const Range& range) {
  if (const auto form = form_without_codes(values, range)) return *form;
  return {fits_float(values, range) ? NumberForm::Kind::kFloat : NumberForm::Kind::kDouble, values.size(),
          0.0, 0.0};
}

/// Base64 of the unsigned integers that `code_of` gives, little endian.
template <std::unsigned_integral Code, class CodeOf>
std::string coded_as(std::span<const double> values, CodeOf code_of) {
  std::vector<std::byte> bytes(values.size() * sizeof(Code));
  std::byte* next = bytes.data();
  for (const double value : values) {
    const Code code = code_of(value);
    for (std::size_t k = 0; k < sizeof(Code); ++k)
      *next++ = static_cast<std::byte>((code >> (8 * k)) & 0xffu);
  }
  return base64(bytes);
}

/// round((value − first)/step), which is 0 … the largest code.
template <std::unsigned_integral Code>
std::string quantised(std::span<const double> values, const NumberForm& form) {
  return coded_as<Code>(values, [&](double value) {
    constexpr double kLast = std::numeric_limits<Code>::max();
    return static_cast<Code>(std::clamp(std::round((value - form.first) / form.step), 0.0, kLast));
  });
}

double bytes_per_number(NumberForm::Kind kind) {
  switch (kind) {
    case NumberForm::Kind::kSame:
    case NumberForm::Kind::kEven:
      return 0.0;
    case NumberForm::Kind::kU8:
      return 1.0;
    case NumberForm::Kind::kU16:
      return 2.0;
    case NumberForm::Kind::kFloat:
      return 4.0;
    case NumberForm::Kind::kDouble:
      break;
  }
  return 8.0;
}

}  // namespace

double NumberForm::bytes() const {
  constexpr double kKeys = 48.0;  // {"u16":"","least":-0.1234567890123456,"step":…}
  return 4.0 / 3.0 * bytes_per_number(kind) * static_cast<double>(count) + kKeys;
}

NumberForm form_of_times(std::span<const double> values, const std::string& what) {
  const Range range = checked_range(values, what);
  if (const auto form = form_without_codes(values, range)) return *form;
  return {NumberForm::Kind::kDouble, values.size(), 0.0, 0.0};
}

NumberForm form_of_channel(std::span<const double> values, const std::string& what) {
  return form_within(values, checked_range(values, what));
}

NumberForm form_of_lengths(std::span<const double> values, double tolerance, const std::string& what) {
  const Range range = checked_range(values, what);
  if (const auto form = form_without_codes(values, range)) return *form;
  const double step = range.length() / kLastU16;
  // A step that is not normal: the range is too long or too short to be cut.
  if (0.5 * step > tolerance || !std::isnormal(step)) return form_within(values, range);
  return {NumberForm::Kind::kU16, values.size(), range.least, step};
}

NumberForm form_of_units(std::span<const double> values, const std::string& what) {
  const Range range = checked_range(values, {-1.0, 1.0}, what);
  if (const auto form = form_of_one_value(values, range)) return *form;
  return {NumberForm::Kind::kU16, values.size(), -1.0, 2.0 / kLastU16};
}

NumberForm form_of_weights(std::span<const double> values, const std::string& what) {
  const Range range = checked_range(values, {0.0, 1.0}, what);
  if (const auto form = form_of_one_value(values, range)) return *form;
  return {NumberForm::Kind::kU8, values.size(), 0.0, 1.0 / kLastU8};
}

std::string coded(std::span<const double> values, const NumberForm& form) {
  switch (form.kind) {
    case NumberForm::Kind::kSame:
    case NumberForm::Kind::kEven:
      return {};
    case NumberForm::Kind::kU8:
      return quantised<std::uint8_t>(values, form);
    case NumberForm::Kind::kU16:
      return quantised<std::uint16_t>(values, form);
    case NumberForm::Kind::kFloat:
      return coded_as<std::uint32_t>(
          values, [](double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); });
    case NumberForm::Kind::kDouble:
      break;
  }
  return coded_as<std::uint64_t>(values, [](double value) { return std::bit_cast<std::uint64_t>(value); });
}

}  // namespace eslabon::report
