#include "apps/cli/text/manoeuvre_page.hpp"

#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/text_table.hpp"

#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/vehicle/manoeuvre_facts.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kWidth = 96;  // characters of a line

}  // namespace

std::string manoeuvre_page(const vehicle::ManoeuvreSummary& summary, const recording::WrittenRun& written,
                           const PageStyle& style) {
  TextPage page(style);
  page.title(summary.simulation.mechanism, summary.manoeuvre);
  add_facts(page, vehicle::manoeuvre_facts(summary));
  for (const vehicle::FigureCells& cells : vehicle::figure_cells(summary)) {
    std::vector<std::string> headings;
    for (const auto& column : cells.columns)
      headings.push_back((column.label == "figure" || column.label == "unit" ? "" : ">") + column.label +
                         (column.unit.empty() ? "" : ", " + column.unit));
    page.heading(cells.title);
    page.append(TextTable(headings, cells.rows).text(0, "", kWidth));
  }
  page.heading("Computed by");
  add_facts(page, recording::simulation_facts(summary.simulation, written.seconds));
  if (!written.results.empty()) page.fact("Written", written.results);
  if (written.report) page.fact("Report", *written.report);
  return page.text();
}

}  // namespace eslabon::cli
