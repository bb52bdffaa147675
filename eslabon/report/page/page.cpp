#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "eslabon/report/charts/markup.hpp"
#include "eslabon/report/check_report.hpp"
#include "eslabon/report/data/report_json.hpp"
#include "eslabon/report/data/thinned_report.hpp"
#include "eslabon/report/page/page_template.hpp"
#include "eslabon/report/page/viewer_template.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::report {

Page make_page(const Report& report, const std::string& made_by, const SizeLimits& limits) {
  check_report(report);
  const std::string_view page = viewer_template();
  Report beside{report.title, report.subtitle,  report.facts,  report.notes,  report.mechanism, {},
                {},           report.structure, report.charts, report.tables, report.cones};
  const double other_bytes =
      static_cast<double>(page.size() + escaped_json(report_json(beside, made_by)).size());
  const std::optional<ThinnedReport> thinned = thinned_report(report, other_bytes, limits);
  const Report& shown = thinned ? thinned->report : report;
  Page out{filled_template(report.title, report_json(shown, made_by)), {}};
  if (thinned) out.warnings = thinned->warnings;
  if (static_cast<double>(out.html.size()) > limits.bytes)
    out.warnings.push_back(
        fmt::format("The page has {:.3g} MB, more than {:.3g} MB: what is left of it cannot be thinned.",
                    1e-6 * static_cast<double>(out.html.size()), 1e-6 * limits.bytes));
  return out;
}

}  // namespace eslabon::report
