#include "eslabon/study/study_facts.hpp"

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/estimation/size_text.hpp"

namespace eslabon::study {

namespace {

constexpr std::size_t kMostLost = 8;     // tries of a point that are named
constexpr std::size_t kMostPoints = 12;  // of which tries are named

std::string percent(double part) { return fmt::format("{:.1f} %", 100.0 * part); }

std::vector<std::string> point_cells(const ToldStudy& outcome, std::size_t point) {
  const PointSummary& summary = outcome.summaries[point];
  std::vector<std::string> cells{std::to_string(point + 1)};
  const std::vector<std::size_t> values = outcome.plan.values_of(point);
  for (std::size_t k = 0; k < values.size(); ++k)
    cells.push_back(outcome.plan.study().axes[k].values[values[k]].shown());
  cells.push_back(fmt::format("{} of {}", summary.converged, summary.tries));
  cells.push_back(percent(summary.rate()));
  cells.push_back(fmt::format("{} … {}", percent(summary.interval.low), percent(summary.interval.high)));
  for (std::size_t k = 0; k < outcome.outputs.size(); ++k)
    cells.push_back(
        summary.converged > 0 ? runs::size_text(summary.rmse_converged[k], outcome.outputs[k].unit) : "–");
  if (summary.failed < summary.tries) {
    cells.push_back(fmt::format("{:.3g} ms", 1e3 * summary.per_simulated_second));
    cells.push_back(fmt::format("× {:.3g}", 1.0 / summary.per_simulated_second));
    cells.push_back(fmt::format("{:.3g} µs", 1e6 * summary.per_step));
  } else {
    cells.insert(cells.end(), 3, "–");
  }
  return cells;
}

}  // namespace

std::vector<report::Fact> study_facts(const ToldStudy& outcome) {
  const StudyPlan& plan = outcome.plan;
  std::vector<report::Fact> facts{
      {"Model", plan.study().model},
      {"Tries",
       fmt::format("{} × {} {}, seed {}", core::counted(plan.num_points(), "point"), plan.num_tries(),
                   plan.num_tries() == 1 ? "try" : "tries", plan.study().seed) +
           (outcome.found > 0 ? fmt::format("; {} of {} were done before", outcome.found, plan.size()) : "")},
      {"Took", fmt::format("{:.3g} s in {}", outcome.elapsed,
                           core::counted(static_cast<std::size_t>(outcome.threads), "thread"))}};
  if (outcome.compiled) facts.push_back({"Compiled", codegen::summary(*outcome.compiled)});
  return facts;
}

std::vector<std::string> point_headings(const ToldStudy& outcome) {
  std::vector<std::string> headings{"point"};
  for (const StudyAxis& axis : outcome.plan.study().axes) headings.push_back(axis.name);
  for (const char* heading : {"converged", "rate", "95 % interval"}) headings.emplace_back(heading);
  for (const core::Column& output : outcome.outputs) headings.push_back("RMSE " + output.name);
  for (const char* heading : {"time per s", "real time", "per step"}) headings.emplace_back(heading);
  return headings;
}

std::vector<std::vector<std::string>> point_rows(const ToldStudy& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t point = 0; point < outcome.summaries.size(); ++point)
    rows.push_back(point_cells(outcome, point));
  return rows;
}

std::string lost_tries_text(const ToldStudy& outcome) {
  std::string text;
  std::size_t points = 0;
  for (std::size_t point = 0; point < outcome.summaries.size(); ++point) {
    const std::vector<std::size_t>& lost = outcome.summaries[point].lost;
    if (lost.empty()) continue;
    if (++points > kMostPoints) continue;
    std::vector<std::string> names;
    for (const std::size_t attempt : lost) names.push_back(std::to_string(attempt + 1));
    const std::string name = outcome.plan.name_of(point);
    text += fmt::format("{}point {}{}: {} {}", text.empty() ? "" : "\n", point + 1,
                        name.empty() ? "" : " (" + name + ")", lost.size() == 1 ? "try" : "tries",
                        core::listed(names, kMostLost));
  }
  if (points > kMostPoints) text += fmt::format("\n… and of {} more points", points - kMostPoints);
  return text;
}

std::optional<TryIndex> first_lost(const ToldStudy& outcome) {
  for (std::size_t point = 0; point < outcome.summaries.size(); ++point)
    if (!outcome.summaries[point].lost.empty()) return TryIndex{point, outcome.summaries[point].lost.front()};
  return std::nullopt;
}

std::vector<std::vector<std::string>> try_rows(const std::vector<core::Column>& outputs,
                                               const TryResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const OutputResult& output = result.outputs[k];
    rows.push_back({outputs[k].name});
    for (const double value :
         {output.start, output.end, output.estimate, output.sigma, output.error, output.rmse})
      rows.back().push_back(runs::size_text(value, outputs[k].unit));
  }
  return rows;
}

}  // namespace eslabon::study
