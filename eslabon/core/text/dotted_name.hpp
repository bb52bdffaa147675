#pragma once

#include <cstddef>
#include <string_view>

namespace eslabon::core {

/// What a text such as "front.left.upright.C" begins with, up to one of its dots or its end, that `is_name` accepts; empty where there
/// is none. Of several the shortest.
template <class IsName>
std::string_view leading_name(std::string_view text, const IsName& is_name) {
  for (std::size_t dot = text.find('.');; dot = text.find('.', dot + 1)) {
    const std::string_view name = text.substr(0, dot);
    if (is_name(name)) return name;
    if (dot == std::string_view::npos) return {};
  }
}

/// What follows a leading name and its dot; empty where nothing does.
inline std::string_view after_name(std::string_view text, std::string_view name) {
  return text.size() > name.size() ? text.substr(name.size() + 1) : std::string_view();
}

}  // namespace eslabon::core
