#include "apps/cli/text/study_pages.hpp"

#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/text_table.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

/// All columns are numbers but the interval.
std::string point_table(const study::ToldStudy& outcome, const PageStyle& style) {
  std::vector<std::string> headings = study::point_headings(outcome);
  for (std::string& heading : headings)
    if (heading != "95 % interval") heading.insert(0, ">");
  return TextTable(headings, study::point_rows(outcome)).text(0, "", style.table_width);
}

}  // namespace

std::string study_page(const study::ToldStudy& outcome, const PageStyle& style) {
  const study::StudyFile& study = outcome.plan.study();
  TextPage page(style);
  page.title(study.title, "study");
  add_facts(page, study::study_facts(outcome));
  page.append("\n" + point_table(outcome, style) + "\n");
  if (const auto lost = study::first_lost(outcome)) {
    page.fact("Lost", study::lost_tries_text(outcome));
    page.fact("Look", fmt::format("eslabon study {} --only {}:{} --out {} writes every step of that try",
                                  study.file_name, lost->point + 1, lost->attempt + 1, outcome.folder));
  }
  page.fact("RMSE",
            fmt::format("from {:.9g} s on, mean over the tries that converged", study.rmse_from.seconds()));
  page.fact("Written", fmt::format("{0}/summary.csv, {0}/results.csv, {0}/timing.csv", outcome.folder));
  if (!outcome.report.empty()) page.fact("Report", outcome.report);
  return page.text();
}

std::string plan_page(const study::StudyPlan& plan, const PageStyle& style) {
  TextPage page(style);
  page.title(plan.study().title, "plan of a study");
  page.fact("Model", plan.study().model);
  page.fact("Tries", fmt::format("{} × {} = {}", plan.num_points(), plan.num_tries(), plan.size()));
  for (std::size_t point = 0; point < plan.num_points(); ++point)
    page.fact(fmt::format("Point {}", point + 1), plan.name_of(point));
  return page.text();
}

std::string try_page(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
                     const study::TryResult& result, const std::string& file,
                     const std::optional<codegen::NativeCompiler::Report>& compiled, const PageStyle& style) {
  TextPage page(style);
  page.title(plan.study().title, "one try of a study");
  const std::string name = plan.name_of(result.index.point);
  page.fact("Point", std::to_string(result.index.point + 1) + (name.empty() ? "" : ": " + name));
  page.fact("Try", fmt::format("{}, seed {}", result.index.attempt + 1, plan.seed_of(result.index.attempt)));
  page.fact("Converged", result.outcome == study::TryResult::Outcome::kConverged ? "yes" : "no");
  page.append("\n" +
              TextTable({"output", ">true start", ">true end", ">estimate", ">sigma", ">error", ">RMSE"},
                        study::try_rows(outputs, result))
                  .text() +
              "\n");
  if (compiled) page.fact("Compiled", codegen::summary(*compiled));
  page.fact("Written", file);
  return page.text();
}

}  // namespace eslabon::cli
