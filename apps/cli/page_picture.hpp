#pragma once

#include <optional>
#include <string>
#include <vector>

/// Pictures of pages, by a browser without a window.
namespace eslabon::cli {

struct PictureSize {
  int width = 1280, height = 720;  ///< [pixels]
};

/// How the page is opened for its picture.
struct PictureView {
  PictureSize size;
  std::optional<double> t;          ///< time of the clock [s]; none: the beginning
  std::optional<std::string> name;  ///< one of picture_views(); none: the first
  bool is_dark = false;
};

/// Views that pages may have: "motion", …
const std::vector<std::string>& picture_views();

/// "1280x720". Throws CommandLineError.
PictureSize read_picture_size(const std::string& text);

/// The browser that takes pictures: $CHROMIUM, or chromium, chromium-browser or google-chrome in the path. Throws core::ModelError with
/// what to install where there is none.
std::string find_browser();

/// A view of a page as PNG. The browser has a folder of its own for a profile, which is gone afterwards, and 60 s. Throws
/// core::ModelError when no picture comes of it.
void write_picture(const std::string& path, const std::string& html, const PictureView& view,
                   const std::string& browser);

}  // namespace eslabon::cli
