#include "eslabon/core/text/field_name.hpp"

#include <algorithm>

namespace eslabon::core {

namespace {

constexpr std::string_view kOpen = "\xEF\xB7\x90", kClose = "\xEF\xB7\x91";

/// The name between the mark that the text begins with and the next one; empty where there is none.
std::string_view name_behind_mark(std::string_view text) {
  text.remove_prefix(kOpen.size());
  const auto is_of_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  const auto end = std::ranges::find_if_not(text, is_of_name);
  const auto length = static_cast<std::size_t>(end - text.begin());
  return text.substr(length).starts_with(kClose) ? text.substr(0, length) : std::string_view();
}

}  // namespace

std::string field(std::string_view name) {
  return std::string(kOpen) + std::string(name) + std::string(kClose);
}

std::string with_field_words(std::string_view text, const std::function<std::string(std::string_view)>& say) {
  std::string said;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find(kOpen), text.find(kClose));
    said += text.substr(0, mark);
    if (mark == std::string_view::npos) break;
    text.remove_prefix(mark);
    const std::string_view name = text.starts_with(kOpen) ? name_behind_mark(text) : std::string_view();
    if (!name.empty()) said += say(name);
    text.remove_prefix(name.empty() ? kOpen.size() : kOpen.size() + name.size() + kClose.size());
  }
  return said;
}

std::string without_marks(std::string_view text) {
  return with_field_words(text, [](std::string_view name) { return std::string(name); });
}

}  // namespace eslabon::core
