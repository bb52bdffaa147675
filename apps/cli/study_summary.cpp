#include "study_summary.hpp"

#include <algorithm>

#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>

#include "eslabon/runs/size_text.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostLost = 8;     // tries of a point that are named
constexpr std::size_t kMostPoints = 12;  // of which tries are named

std::string percent(double part) { return fmt::format("{:.1f} %", 100.0 * part); }

std::string point_table(const StudyPage& page, const PageStyle& style) {
  std::vector<std::string> headings{">point"};
  for (const study::StudyAxis& axis : page.plan.study().axes) headings.push_back(">" + axis.name);
  for (const char* heading : {">converged", ">rate", "95 % interval"}) headings.emplace_back(heading);
  for (const core::Column& output : page.outputs) headings.push_back(">RMSE " + output.name);
  for (const char* heading : {">time per s", ">real time", ">per step"}) headings.emplace_back(heading);
  TextTable table(headings);
  for (std::size_t point = 0; point < page.summaries.size(); ++point) {
    const study::PointSummary& summary = page.summaries[point];
    std::vector<std::string> cells{std::to_string(point + 1)};
    const std::vector<std::size_t> values = page.plan.values_of(point);
    for (std::size_t k = 0; k < values.size(); ++k)
      cells.push_back(page.plan.study().axes[k].values[values[k]].shown());
    cells.push_back(fmt::format("{} of {}", summary.converged, summary.tries));
    cells.push_back(percent(summary.rate()));
    cells.push_back(fmt::format("{} … {}", percent(summary.interval.low), percent(summary.interval.high)));
    for (std::size_t k = 0; k < page.outputs.size(); ++k)
      cells.push_back(summary.converged > 0 ? runs::size_text(summary.rmse_converged[k], page.outputs[k].unit)
                                            : "–");
    if (summary.failed < summary.tries) {
      cells.push_back(fmt::format("{:.3g} ms", 1e3 * summary.per_simulated_second));
      cells.push_back(fmt::format("× {:.3g}", 1.0 / summary.per_simulated_second));
      cells.push_back(fmt::format("{:.3g} µs", 1e6 * summary.per_step));
    } else {
      cells.insert(cells.end(), 3, "–");
    }
    table.add_row(std::move(cells));
  }
  return table.text(0, "", style.table_width);
}

std::string lost_text(const StudyPage& page) {
  std::string text;
  std::size_t points = 0;
  for (std::size_t point = 0; point < page.summaries.size(); ++point) {
    const std::vector<std::size_t>& lost = page.summaries[point].lost;
    if (lost.empty()) continue;
    if (++points > kMostPoints) continue;
    std::vector<std::string> names;
    for (const std::size_t attempt : lost) names.push_back(std::to_string(attempt + 1));
    const std::string name = page.plan.name_of(point);
    text += fmt::format("{}point {}{}: {} {}", text.empty() ? "" : "\n", point + 1,
                        name.empty() ? "" : " (" + name + ")", lost.size() == 1 ? "try" : "tries",
                        listed(names, kMostLost));
  }
  if (points > kMostPoints) text += fmt::format("\n… and of {} more points", points - kMostPoints);
  return text;
}

std::string first_lost(const StudyPage& page) {
  for (std::size_t point = 0; point < page.summaries.size(); ++point)
    if (!page.summaries[point].lost.empty())
      return fmt::format("{}:{}", point + 1, page.summaries[point].lost.front() + 1);
  return "";
}

}  // namespace

std::string study_page(const StudyPage& page, const PageStyle& style) {
  const study::StudyFile& study = page.plan.study();
  TextPage text(style);
  text.title(study.title, "study");
  text.fact("Model", study.model);
  text.fact(
      "Tries",
      fmt::format("{} × {} {}, seed {}", counted(page.plan.num_points(), "point"), page.plan.num_tries(),
                  page.plan.num_tries() == 1 ? "try" : "tries", study.seed) +
          (page.found > 0 ? fmt::format("; {} of {} were done before", page.found, page.plan.size()) : ""));
  text.fact("Took", fmt::format("{:.3g} s in {}", page.elapsed,
                                counted(static_cast<std::size_t>(page.threads), "thread")));
  text.append("\n" + point_table(page, style) + "\n");
  if (const std::string lost = lost_text(page); !lost.empty()) {
    text.fact("Lost", lost);
    text.fact("Look", fmt::format("eslabon study {} --only {} --out {} writes every step of that try",
                                  study.file_name, first_lost(page), page.folder));
  }
  text.fact("RMSE",
            fmt::format("from {:.9g} s on, mean over the tries that converged", study.rmse_from.seconds()));
  text.fact("Written", fmt::format("{0}/summary.csv, {0}/results.csv, {0}/timing.csv", page.folder));
  if (!page.report.empty()) text.fact("Report", page.report);
  return text.text();
}

std::string try_page(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
                     const study::TryResult& result, const std::string& file, const PageStyle& style) {
  TextPage text(style);
  text.title(plan.study().title, "one try of a study");
  const std::string name = plan.name_of(result.index.point);
  text.fact("Point", std::to_string(result.index.point + 1) + (name.empty() ? "" : ": " + name));
  text.fact("Try", fmt::format("{}, seed {}", result.index.attempt + 1, plan.seed_of(result.index.attempt)));
  text.fact("Converged", result.outcome == study::TryResult::Outcome::kConverged ? "yes" : "no");
  TextTable table({"output", ">true start", ">true end", ">estimate", ">sigma", ">error", ">RMSE"});
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const study::OutputResult& output = result.outputs[k];
    std::vector<std::string> cells{outputs[k].name};
    for (const double value :
         {output.start, output.end, output.estimate, output.sigma, output.error, output.rmse})
      cells.push_back(runs::size_text(value, outputs[k].unit));
    table.add_row(std::move(cells));
  }
  text.append("\n" + table.text() + "\n");
  text.fact("Written", file);
  return text.text();
}

}  // namespace eslabon::cli
