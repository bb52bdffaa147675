#include "apps/cli/text/estimate_page.hpp"

#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/text_table.hpp"

#include "eslabon/recording/filters/filter_tables.hpp"

namespace eslabon::cli {

std::string estimate_page(const EstimateSummary& summary, const PageStyle& style) {
  TextPage page(style);
  page.title(summary.filter.mechanism().name(), "estimate");
  add_facts(page, recording::estimate_facts(summary));
  page.append("\n" + TextTable({"sensor", ">accepted", "refused", "noted", ">NIS", ">expected"},
                               recording::reading_rows(summary.filter))
                         .text());
  if (summary.truth != nullptr) {
    page.heading("Against the truth");
    page.append(TextTable({"output", ">RMSE", ">max error"}, recording::error_rows(*summary.truth)).text());
    add_facts(page, recording::truth_facts(*summary.truth));
  }
  page.append("\n");
  page.fact("Written", summary.file);
  if (summary.report) page.fact("Report", *summary.report);
  return page.text();
}

}  // namespace eslabon::cli
