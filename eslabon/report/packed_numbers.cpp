#include "eslabon/report/packed_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "eslabon/core/number_text.hpp"
#include "eslabon/report/base64.hpp"
#include "eslabon/report/report_error.hpp"

namespace eslabon::report {

namespace {

using Kind = PackedNumbers::Kind;

constexpr double kEvenTolerance = 1e-6;     // of the step
constexpr double kChannelTolerance = 1e-5;  // of the range

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

void check_inside(const Range& range, double least, double largest, const std::string& what) {
  if (range.least >= least && range.largest <= largest) return;
  fail_report(what, "numbers from " + core::number_text(least) + " to " + core::number_text(largest),
              core::number_text(range.least < least ? range.least : range.largest));
}

/// Text of the numbers, each as the unsigned integer `code_of` gives, little endian.
template <std::unsigned_integral Code, class CodeOf>
std::string coded(std::span<const double> values, CodeOf code_of) {
  std::vector<std::byte> bytes;
  bytes.reserve(values.size() * sizeof(Code));
  for (const double value : values) {
    const Code code = code_of(value);
    for (std::size_t k = 0; k < sizeof(Code); ++k)
      bytes.push_back(static_cast<std::byte>((code >> (8 * k)) & 0xffu));
  }
  return base64(bytes);
}

/// What costs nothing: one value throughout, or evenly spaced ones.
std::optional<PackedNumbers> packed_without_codes(std::span<const double> values, const Range& range) {
  const std::size_t count = values.size();
  if (count == 0) return PackedNumbers{};
  if (range.least == range.largest) return PackedNumbers{Kind::kSame, count, values[0], 0.0, {}};
  if (count < 3 || !std::isfinite(range.length())) return std::nullopt;
  const double step = (values[count - 1] - values[0]) / static_cast<double>(count - 1);
  for (std::size_t k = 0; k < count; ++k)
    if (!(std::abs(values[0] + step * static_cast<double>(k) - values[k]) <= kEvenTolerance * std::abs(step)))
      return std::nullopt;
  return PackedNumbers{Kind::kEven, count, values[0], step, {}};
}

PackedNumbers packed_doubles(std::span<const double> values) {
  return {Kind::kDouble, values.size(), 0.0, 0.0,
          coded<std::uint64_t>(values, [](double value) { return std::bit_cast<std::uint64_t>(value); })};
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

PackedNumbers packed_channel(std::span<const double> values, const Range& range) {
  if (auto free = packed_without_codes(values, range)) return *std::move(free);
  if (!fits_float(values, range)) return packed_doubles(values);
  return {Kind::kFloat, values.size(), 0.0, 0.0, coded<std::uint32_t>(values, [](double value) {
            return std::bit_cast<std::uint32_t>(static_cast<float>(value));
          })};
}

/// Codes 0 … the largest of their type over `range`.
template <std::unsigned_integral Code>
PackedNumbers quantised(Kind kind, std::span<const double> values, const Range& range) {
  constexpr double kLast = std::numeric_limits<Code>::max();
  const double step = range.length() / kLast;
  return {kind, values.size(), range.least, step, coded<Code>(values, [&](double value) {
            return static_cast<Code>(std::clamp(std::round((value - range.least) / step), 0.0, kLast));
          })};
}

}  // namespace

PackedNumbers pack_times(std::span<const double> values, const std::string& what) {
  const Range range = checked_range(values, what);
  if (auto free = packed_without_codes(values, range)) return *std::move(free);
  return packed_doubles(values);
}

PackedNumbers pack_channel(std::span<const double> values, const std::string& what) {
  return packed_channel(values, checked_range(values, what));
}

PackedNumbers pack_lengths(std::span<const double> values, double tolerance, const std::string& what) {
  const Range range = checked_range(values, what);
  if (auto free = packed_without_codes(values, range)) return *std::move(free);
  const double step = range.length() / std::numeric_limits<std::uint16_t>::max();
  // A range too short to be cut into 65535 steps is one that doubles hardly resolve.
  if (!(0.5 * step <= tolerance) || !std::isnormal(step)) return packed_channel(values, range);
  return quantised<std::uint16_t>(Kind::kU16, values, range);
}

PackedNumbers pack_units(std::span<const double> values, const std::string& what) {
  const Range range = checked_range(values, what);
  check_inside(range, -1.0, 1.0, what);
  if (!values.empty() && range.least == range.largest)
    return {Kind::kSame, values.size(), values[0], 0.0, {}};
  if (values.empty()) return {};
  return quantised<std::uint16_t>(Kind::kU16, values, {-1.0, 1.0});
}

PackedNumbers pack_weights(std::span<const double> values, const std::string& what) {
  const Range range = checked_range(values, what);
  check_inside(range, 0.0, 1.0, what);
  if (!values.empty() && range.least == range.largest)
    return {Kind::kSame, values.size(), values[0], 0.0, {}};
  if (values.empty()) return {};
  return quantised<std::uint8_t>(Kind::kU8, values, {0.0, 1.0});
}

}  // namespace eslabon::report
