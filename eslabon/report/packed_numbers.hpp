#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace eslabon::report {

/// Numbers as a page holds them: `Numbers` of viewer/src/report_data.ts.
struct PackedNumbers {
  enum class Kind {
    kSame,   ///< `first` throughout
    kEven,   ///< first + step·k
    kU8,     ///< first + step·code, codes of 1 byte
    kU16,    ///< first + step·code, codes of 2 bytes, little endian
    kFloat,  ///< 4 bytes each, little endian
    kDouble  ///< 8 bytes each, little endian
  };
  Kind kind = Kind::kSame;
  std::size_t count = 0;
  double first = 0.0;
  double step = 0.0;
  std::string codes;  ///< base64; empty for kSame and kEven

  /// Roughly what it takes in a page.
  std::size_t bytes() const { return codes.size() + 48; }
};

/// Each function takes the shortest form that keeps what is promised; numbers that are all the same, or evenly spaced to a millionth
/// of their step, cost nothing. All throw core::ContractError for numbers that are not finite, naming `what`.

/// To the last bit, unless evenly spaced.
PackedNumbers pack_times(std::span<const double> values, const std::string& what);
/// To 24 bits, and to 1e-5 of the range of the values; a small change of a large value takes 53 bits.
PackedNumbers pack_channel(std::span<const double> values, const std::string& what);
/// Lengths to 1/131070 of their range where that is at most `tolerance`, otherwise as a channel.
PackedNumbers pack_lengths(std::span<const double> values, double tolerance, const std::string& what);
/// Numbers −1 … 1, to 1/65535.
PackedNumbers pack_units(std::span<const double> values, const std::string& what);
/// Numbers 0 … 1, to 1/510.
PackedNumbers pack_weights(std::span<const double> values, const std::string& what);

}  // namespace eslabon::report
