#pragma once

#include <string_view>

namespace eslabon::report {

/// The page without a report: viewer/dist/viewer.html as it was when the program was built, with %TITLE% and %DATA% where title and
/// data go. Its definition is written by cmake/embed_text.cmake.
std::string_view viewer_template();

}  // namespace eslabon::report
