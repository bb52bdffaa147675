#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "eslabon/core/error.hpp"
#include "eslabon/report/check_report.hpp"
#include "eslabon/report/markup.hpp"
#include "eslabon/report/report.hpp"
#include "eslabon/report/report_json.hpp"
#include "eslabon/report/thinned_report.hpp"
#include "eslabon/report/viewer_template.hpp"

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

/// The template with title and data in their places; neither is searched for marks.
std::string filled(std::string_view page, const std::string& title, const std::string& data) {
  constexpr std::string_view kTitle = "%TITLE%";
  constexpr std::string_view kData = "%DATA%";
  const std::size_t title_place = place_of(page, kTitle);
  const std::size_t data_place = place_of(page, kData);
  if (data_place < title_place) fail_template("its title before its data");
  std::string html;
  html.reserve(page.size() + title.size() + data.size());
  html += page.substr(0, title_place);
  html += title;
  const std::size_t middle = title_place + kTitle.size();
  html += page.substr(middle, data_place - middle);
  html += data;
  html += page.substr(data_place + kData.size());
  return html;
}

}  // namespace

Page make_page(const Report& report, const std::string& made_by, const SizeLimits& limits) {
  check_report(report);
  const std::string_view page = viewer_template();
  Report beside{report.title, report.subtitle,  report.facts,  report.notes, report.mechanism, {},
                {},           report.structure, report.charts, report.tables};
  const double other_bytes =
      static_cast<double>(page.size() + escaped_json(report_json(beside, made_by)).size());
  const std::optional<ThinnedReport> thinned = thinned_report(report, other_bytes, limits);
  const Report& shown = thinned ? thinned->report : report;
  Page out{filled(page, escaped_text(report.title), escaped_json(report_json(shown, made_by))), {}};
  if (thinned) out.warnings = thinned->warnings;
  if (static_cast<double>(out.html.size()) > limits.bytes)
    out.warnings.push_back(
        fmt::format("The page has {:.3g} MB, more than {:.3g} MB: what is left of it cannot be thinned.",
                    1e-6 * static_cast<double>(out.html.size()), 1e-6 * limits.bytes));
  return out;
}

}  // namespace eslabon::report
