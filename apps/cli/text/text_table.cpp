#include "apps/cli/text/text_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace eslabon::cli {

std::size_t display_width(std::string_view text) {
  // Bytes that continue a character are 10xxxxxx.
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

TextTable::TextTable(std::vector<std::string> headings, std::vector<std::vector<std::string>> rows)
    : headings_(std::move(headings)) {
  for (std::string& heading : headings_) {
    is_flush_right_.push_back(heading.starts_with('>'));
    if (is_flush_right_.back()) heading.erase(0, 1);
  }
  for (std::vector<std::string>& cells : rows) add_row(std::move(cells));
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(headings_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    start = end + 1;
  }
  return lines;
}

namespace {

constexpr std::size_t kMostWidth = 34;  // of a cell, before it goes on in the next line
constexpr std::size_t kLeastWidth = 12;

using Row = std::vector<std::vector<std::string>>;  // cells of lines

/// The cells in lines of at most `width`, and how wide the columns then are.
struct Layout {
  Layout(const std::vector<const std::vector<std::string>*>& cells, std::size_t width)
      : widths(cells.front()->size(), 0) {
    for (const std::vector<std::string>* row : cells) {
      rows.emplace_back();
      for (std::size_t c = 0; c < row->size(); ++c) {
        rows.back().push_back(wrapped((*row)[c], width));
        for (const std::string& line : rows.back().back())
          widths[c] = std::max(widths[c], display_width(line));
      }
    }
  }
  /// Of a line: two characters before the first column, three before each other.
  std::size_t width() const {
    std::size_t sum = 2 + 3 * (widths.size() - 1);
    for (const std::size_t one : widths) sum += one;
    return sum;
  }

  std::vector<Row> rows;
  std::vector<std::size_t> widths;
};

/// The widest cells with which lines are not longer than `width`.
Layout fitting(const std::vector<const std::vector<std::string>*>& cells, std::size_t width) {
  if (width == 0) return {cells, kMostWidth};
  std::size_t most = width;
  Layout layout(cells, most);
  while (layout.width() > width && most > kLeastWidth) layout = Layout(cells, --most);
  return layout;
}

}  // namespace

std::string TextTable::text(std::size_t most_rows, std::string_view where, std::size_t width) const {
  const std::size_t shown = most_rows == 0 ? rows_.size() : std::min(most_rows, rows_.size());
  std::vector<const std::vector<std::string>*> cells{&headings_};
  for (std::size_t r = 0; r < shown; ++r) cells.push_back(&rows_[r]);
  const Layout layout = fitting(cells, width);
  const std::vector<std::size_t>& widths = layout.widths;

  std::string out;
  for (const Row& row : layout.rows) {
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
