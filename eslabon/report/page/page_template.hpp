#pragma once

#include <string>
#include <string_view>

namespace eslabon::report {

/// How the line begins on which the data of a page stand; `</script>` ends them.
inline constexpr std::string_view kDataElement = "<script type=\"application/json\" id=\"report-data\">";

/// The page of the viewer with a title, which is escaped, and JSON, which is escaped, in their places.
std::string filled_template(std::string_view title, std::string_view json);

}  // namespace eslabon::report
