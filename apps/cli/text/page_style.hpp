#pragma once

#include <cstddef>

namespace eslabon::cli {

/// How text for people looks where it is written to.
struct PageStyle {
  bool has_colour = false;      ///< headings in bold
  std::size_t width = 96;       ///< characters in a line
  std::size_t table_width = 0;  ///< of tables; 0: cells of at most 34 characters, however many there are
};

/// Of a terminal its own width, and colours unless NO_COLOR is set. Of files and pipes always the same: plain, 96 characters.
/// `file`: STDOUT_FILENO, STDERR_FILENO.
PageStyle page_style(int file);

}  // namespace eslabon::cli
