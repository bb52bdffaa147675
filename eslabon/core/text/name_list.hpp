#pragma once

#include <span>
#include <string>
#include <string_view>

/// Names as sentences speak of them.
namespace eslabon::core {

/// "'a'"
std::string quoted(std::string_view text);

/// "'a', 'b' or 'c'"; after ten names "'a', …, 'j' or 3 more"; "nothing" for none.
std::string quoted_list(std::span<const std::string> names);

/// "a, b, c"
std::string joined(std::span<const std::string> names, std::string_view between = ", ");

/// "a, b and c"
std::string conjunction(std::span<const std::string> names);

inline constexpr std::size_t kMostListed = 6;

/// "a, b, c and 4 more" of at most `most` names.
std::string listed(std::span<const std::string> names, std::size_t most = kMostListed);

/// "1 joint", "2 joints"
std::string counted(std::size_t count, std::string_view one);

}  // namespace eslabon::core
