#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/runs/run_observer.hpp"

/// Pictures of pages, by a browser without a window.
namespace eslabon::recording {

struct PictureSize {
  static constexpr int kLeast = 16, kMost = 8192;  ///< of a side [pixels]
  int width = 1280, height = 720;                  ///< [pixels]
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

/// The browser that takes pictures: $CHROMIUM, or chromium, chromium-browser or google-chrome in the path. Throws core::ModelError with
/// what to install where there is none.
std::string find_browser();

/// A view of a page as the bytes of a PNG; none when the observer stops it. The browser has a folder of its own for a profile, which is gone
/// afterwards, and 60 s. Throws core::ModelError when no picture comes of it.
std::optional<std::string> picture_of(const std::string& html, const PictureView& view,
                                      const std::string& browser,
                                      runs::RunObserver& observer = runs::nobody());

}  // namespace eslabon::recording
