#include "apps/cli/text/bench_pages.hpp"

#include "apps/cli/text/result_json.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/text/text_table.hpp"

#include "eslabon/recording/facts/table_json.hpp"

namespace eslabon::cli {

using namespace benchmarks;

namespace {

/// Adds a part of what was found to a page.
struct Shown {
  TextPage& page;
  void operator()(const Findings::Heading& heading) const { page.heading(heading.text); }
  void operator()(const Findings::Fact& fact) const { page.fact(fact.word, fact.text); }
  void operator()(const Findings::Remark& remark) const { page.append("  " + remark.text + "\n"); }
  void operator()(const Findings::Lines& lines) const { page.append(lines.text); }
  void operator()(const Findings::Gap&) const { page.append("\n"); }
  void operator()(const Findings::Table& table) const {
    TextTable text(table.headings);
    for (const std::vector<std::string>& row : table.rows) text.add_row(row);
    page.append(text.text());
  }
};

}  // namespace

std::string bench_page(const Findings& found, const std::vector<std::string>& files, const PageStyle& style) {
  TextPage page(style);
  page.title(found.title, found.subtitle.empty() ? "bench" : found.subtitle);
  for (const Findings::Part& part : found.parts) std::visit(Shown{page}, part);
  if (!files.empty() && !std::holds_alternative<Findings::Fact>(found.parts.back())) page.append("\n");
  for (const std::string& file : files) page.fact("Written", file);
  return page.text();
}

std::string bench_json(const std::string& command, const std::string& csv,
                       const std::optional<std::string>& out) {
  return text_of({{"command", command},
                  {"table", Json::parse(recording::table_json(csv))},
                  {"files", {{"table", or_null(out)}}}});
}

std::string bench_json(const VehicleFigures& figures, const std::vector<std::string>& files) {
  const VehicleCount& count = figures.count;
  Json largest = Json::object();
  for (const VehicleRun& run : figures.drifts) largest[run.model] = run.largest_drift();
  return text_of({{"command", "bench quarter-vehicle"},
                  {"bodies", count.bodies},
                  {"coordinates", count.coordinates},
                  {"equations", count.rows},
                  {"independent", count.rank},
                  {"redundant", count.redundant},
                  {"freedoms", count.freedoms},
                  {"largest_drift", largest},
                  {"files", {{"tables", files}}}});
}

std::string bench_json(const EstimationTable& measured) {
  Json json{{"command", "bench estimation"}, {"seeds", measured.seeds}, {"stops_at", measured.stops_at}};
  for (const KinematicError& error : measured.kinematics) json["kinematics"][error.name] = error.rmse;
  json["filters"] = Json::array();
  for (const auto& [way, published, errors] : measured.filters)
    json["filters"].push_back(
        {{"name", way.name},
         {"rmse", errors.mean_rmse},
         {"worst_rmse", errors.worst_rmse},
         {"warned_after", errors.warned_after < 0.0 ? Json(nullptr) : Json(errors.warned_after)},
         {"false_alarms", errors.false_alarms},
         {"median_step", errors.step_times.quantile(0.5).seconds()},
         {"largest_step", errors.step_times.quantile(1.0).seconds()}});
  return text_of(json);
}

}  // namespace eslabon::cli
