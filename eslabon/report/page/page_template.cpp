#include "eslabon/report/page/page_template.hpp"

#include "eslabon/core/text/error.hpp"
#include "eslabon/report/charts/markup.hpp"
#include "eslabon/report/page/viewer_template.hpp"

namespace eslabon::report {

namespace {

[[noreturn]] void fail_template(const std::string& expected) {
  throw core::ContractError(
      {"The page of the viewer cannot be used", {}, expected, {}, "Build viewer/dist/viewer.html again."});
}

/// Position of the one place `mark` of the template.
std::size_t place_of(std::string_view page, std::string_view mark) {
  const std::size_t place = page.find(mark);
  if (place == std::string_view::npos || page.find(mark, place + 1) != std::string_view::npos)
    fail_template(std::string(mark) + " once");
  return place;
}

}  // namespace

std::string filled_template(std::string_view title, std::string_view json) {
  const std::string_view page = viewer_template();
  const std::string data = escaped_json(json);
  constexpr std::string_view kTitle = "%TITLE%";
  constexpr std::string_view kData = "%DATA%";
  const std::size_t title_place = place_of(page, kTitle);
  const std::size_t data_place = place_of(page, kData);
  if (data_place < title_place) fail_template("its title before its data");
  std::string html;
  html.reserve(page.size() + title.size() + data.size());
  html += page.substr(0, title_place);
  html += escaped_text(title);
  const std::size_t middle = title_place + kTitle.size();
  html += page.substr(middle, data_place - middle);
  html += data;
  html += page.substr(data_place + kData.size());
  return html;
}

}  // namespace eslabon::report
