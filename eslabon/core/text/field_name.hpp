#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace eslabon::core {

/// The name of a field of a request inside a message, between marks that nobody types: field("largest_step"). Who shows the message says it
/// in the words of its readers. The marks are U+FDD0 and U+FDD1, which Unicode sets apart for the inside of programs.
std::string field(std::string_view name);

/// The text with what `say` makes of each name: "--largest-step" in a terminal. Marks around anything but a name, of a user's text
/// that has them, are left out.
std::string with_field_words(std::string_view text, const std::function<std::string(std::string_view)>& say);

/// The text with the names as they are: "largest_step".
std::string without_marks(std::string_view text);

}  // namespace eslabon::core
