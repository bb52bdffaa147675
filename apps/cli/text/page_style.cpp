#include "apps/cli/text/page_style.hpp"

#include <algorithm>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace eslabon::cli {

PageStyle page_style(int file) {
  constexpr std::size_t kNarrowest = 60, kWidest = 180;
  PageStyle style;
  if (isatty(file) == 0) return style;
  style.has_colour = std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
  style.table_width = style.width;
  return style;
}

}  // namespace eslabon::cli
