#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace eslabon::cli {

/// Columns of text that line up, for people.
class TextTable {
 public:
  /// `headings` may start with '>' for a column that is flush right.
  explicit TextTable(std::vector<std::string> headings, std::vector<std::vector<std::string>> rows = {});

  void add_row(std::vector<std::string> cells);
  /// The table, every line indented; after `most_rows` rows a line says how many more there are, and `where`
  /// they can be seen. 0: all rows. `width`: cells are wrapped so that lines are not longer, as far as words allow it; 0: at 34
  /// characters each.
  std::string text(std::size_t most_rows = 0, std::string_view where = "; --all shows them",
                   std::size_t width = 0) const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> is_flush_right_;
  std::vector<std::vector<std::string>> rows_;
};

/// The words of a text in lines of at most `width` characters; a longer word keeps a line of its own.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// Number of characters that a terminal shows for UTF-8 text without wide characters.
std::size_t display_width(std::string_view text);

}  // namespace eslabon::cli
