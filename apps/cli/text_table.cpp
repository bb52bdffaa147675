#include "text_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace eslabon::cli {

std::size_t display_width(std::string_view text) {
  // Bytes that continue a character are 10xxxxxx.
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

TextTable::TextTable(std::vector<std::string> headings) : headings_(std::move(headings)) {
  for (std::string& heading : headings_) {
    is_flush_right_.push_back(heading.starts_with('>'));
    if (is_flush_right_.back()) heading.erase(0, 1);
  }
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(headings_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t most_rows) const {
  const std::size_t shown = most_rows == 0 ? rows_.size() : std::min(most_rows, rows_.size());
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    std::size_t width = display_width(headings_[c]);
    for (std::size_t r = 0; r < shown; ++r) width = std::max(width, display_width(rows_[r][c]));
    widths.push_back(width);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out = "  ";
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string pad(widths[c] - display_width(cells[c]), ' ');
      out += is_flush_right_[c] ? pad + cells[c] : cells[c] + pad;
      if (c + 1 < cells.size()) out += "   ";
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  };
  std::string out = line(headings_);
  for (std::size_t r = 0; r < shown; ++r) out += line(rows_[r]);
  if (shown < rows_.size()) out += fmt::format("  … and {} more; --all shows them\n", rows_.size() - shown);
  return out;
}

}  // namespace eslabon::cli
