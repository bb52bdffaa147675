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

namespace {

constexpr std::size_t kMostWidth = 34;  // of a cell, before it goes on in the next line

/// The words of a cell in lines of at most kMostWidth; a longer word keeps a line of its own.
std::vector<std::string> wrapped(const std::string& cell) {
  std::vector<std::string> lines(1);
  std::size_t start = 0;
  while (start <= cell.size()) {
    const std::size_t end = std::min(cell.find(' ', start), cell.size());
    const std::string word = cell.substr(start, end - start);
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > kMostWidth)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    start = end + 1;
  }
  return lines;
}

}  // namespace

std::string TextTable::text(std::size_t most_rows, std::string_view where) const {
  const std::size_t shown = most_rows == 0 ? rows_.size() : std::min(most_rows, rows_.size());
  using Row = std::vector<std::vector<std::string>>;  // cells of lines
  std::vector<Row> rows;
  const auto add = [&](const std::vector<std::string>& cells) {
    rows.emplace_back();
    for (const std::string& cell : cells) rows.back().push_back(wrapped(cell));
  };
  add(headings_);
  for (std::size_t r = 0; r < shown; ++r) add(rows_[r]);

  std::vector<std::size_t> widths(headings_.size(), 0);
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      for (const std::string& line : row[c]) widths[c] = std::max(widths[c], display_width(line));

  std::string out;
  for (const Row& row : rows) {
    std::size_t height = 0;
    for (const auto& cell : row) height = std::max(height, cell.size());
    for (std::size_t l = 0; l < height; ++l) {
      std::string line = " ";
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string text = l < row[c].size() ? row[c][l] : "";
        const std::string pad(widths[c] - display_width(text), ' ');
        line += (c == 0 ? " " : "   ") + (is_flush_right_[c] ? pad + text : text + pad);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }
  if (shown < rows_.size()) out += fmt::format("  … and {} more{}\n", rows_.size() - shown, where);
  return out;
}

}  // namespace eslabon::cli
