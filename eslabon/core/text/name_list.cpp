#include "eslabon/core/text/name_list.hpp"

#include <algorithm>

namespace eslabon::core {

namespace {

std::string number_of_more(std::size_t count) { return std::to_string(count) + " more"; }

}  // namespace

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string quoted_list(std::span<const std::string> names) {
  constexpr std::size_t kShown = 10;
  if (names.empty()) return "nothing";
  const std::size_t shown = std::min(names.size(), kShown);
  const bool elided = names.size() > kShown;
  std::string list;
  for (std::size_t k = 0; k < shown; ++k) {
    if (k > 0) list += (k + 1 == shown && !elided) ? " or " : ", ";
    list += core::quoted(names[k]);
  }
  if (elided) list += " or " + number_of_more(names.size() - kShown);
  return list;
}

std::string joined(std::span<const std::string> names, std::string_view between) {
  std::string list;
  for (std::size_t k = 0; k < names.size(); ++k) list.append(k == 0 ? "" : between).append(names[k]);
  return list;
}

std::string conjunction(std::span<const std::string> names) {
  if (names.size() < 2) return joined(names);
  return joined(names.first(names.size() - 1)) + " and " + names.back();
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  const std::string list = joined(names.first(shown));
  return shown < names.size() ? list + " and " + number_of_more(names.size() - shown) : list;
}

std::string counted(std::size_t count, std::string_view one) {
  return std::to_string(count).append(" ").append(one).append(count == 1 ? "" : "s");
}

}  // namespace eslabon::core
