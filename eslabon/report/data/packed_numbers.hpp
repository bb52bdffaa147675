#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace eslabon::report {

/// How a column of numbers is written into a page: one of `Numbers` of viewer/src/report_data.ts.
struct NumberForm {
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

  /// What it takes in a page, to a few dozen.
  double bytes() const;
};

/// Each of these takes the shortest form that keeps what it promises; numbers that are all the same, or times, channels and lengths
/// that are evenly spaced to a millionth of their step, take no codes. All throw core::ContractError, naming `what`, for numbers that
/// are not finite or out of range.

/// To the last bit, unless evenly spaced.
NumberForm form_of_times(std::span<const double> values, const std::string& what);
/// To 24 bits where these are 1e-5 of the range of the values or better; otherwise, a small change of a large value, to the last bit.
NumberForm form_of_channel(std::span<const double> values, const std::string& what);
/// To 1/131070 of the range of the values where that is at most `tolerance`, otherwise as a channel.
NumberForm form_of_lengths(std::span<const double> values, double tolerance, const std::string& what);
/// Numbers −1 … 1, to 1/65535.
NumberForm form_of_units(std::span<const double> values, const std::string& what);
/// Numbers 0 … 1, to 1/510.
NumberForm form_of_weights(std::span<const double> values, const std::string& what);

/// The codes of the numbers in base64; empty where the form has none.
std::string coded(std::span<const double> values, const NumberForm& form);

}  // namespace eslabon::report
