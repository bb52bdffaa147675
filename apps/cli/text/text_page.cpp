#include "apps/cli/text/text_page.hpp"

#include <algorithm>

#include "apps/cli/text/text_table.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

std::string TextPage::bold(const std::string& text) const {
  return style_.has_colour ? "\033[1m" + text + "\033[0m" : text;
}

void TextPage::title(const std::string& left, const std::string& right) {
  const std::size_t used = display_width(left) + display_width(right);
  out_ += bold(left) + std::string(used < style_.width ? style_.width - used : 3, ' ') + right + "\n";
  for (std::size_t i = 0; i < style_.width; ++i) out_ += "─";
  out_ += "\n";
}

void TextPage::fact(const std::string& word, const std::string& text) {
  constexpr std::size_t kIndent = 13;
  std::string line;
  bool is_first = true;
  const auto flush = [&] {
    out_ += (is_first ? bold(fmt::format("{:<{}}", word, kIndent)) : std::string(kIndent, ' ')) + line + "\n";
    is_first = false;
    line.clear();
  };
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string next = text.substr(start, end - start);
    if (!line.empty() && display_width(line) + display_width(next) + 1 > style_.width - kIndent) flush();
    line += (line.empty() ? "" : " ") + next;
    if (end < text.size() && text[end] == '\n') flush();
    start = end + 1;
  }
  if (!line.empty() || is_first) flush();
}

void TextPage::heading(const std::string& text) { out_ += "\n" + bold(text) + "\n"; }

}  // namespace eslabon::cli
