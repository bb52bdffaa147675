#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eslabon::report {

/// A page made anew from the data of another: nothing else of that one, which may be a stranger's, is in it.
struct RemadePage {
  std::string html;
  std::vector<std::string> views;  ///< that it has: "motion", "structure", "charts", "numbers"
};

/// Nothing when `page` is not a report of this format.
std::optional<RemadePage> remade_page(std::string_view page);

}  // namespace eslabon::report
