#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Words of line-oriented files, whatever the language of the machine.
namespace eslabon::io {

inline constexpr std::string_view kBlanks = " \t\r\f\v";

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Small letters of ASCII as capitals.
std::string in_capitals(std::string_view text);

/// The number that a text is, and nothing else; infinite where no double can hold it.
std::optional<double> plain_number(std::string_view text);

}  // namespace eslabon::io
