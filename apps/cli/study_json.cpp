#include "result_json.hpp"
#include "study_summary.hpp"

#include "eslabon/io/document.hpp"

// The results of `study` for programs.
namespace eslabon::cli {

namespace {

Json study_object(const study::StudyPlan& plan) {
  return {{"command", "study"},
          {"study", plan.study().title},
          {"model", plan.study().model},
          {"tries", plan.num_tries()},
          {"seed", plan.study().seed}};
}

}  // namespace

std::string study_json(const StudyPage& page) {
  Json json = study_object(page.plan);
  json["done_before"] = page.found;
  json["seconds"] = page.elapsed;
  json["threads"] = page.threads;
  json["points"] = table_json(io::read_file_text(page.folder + "/summary.csv"));
  json["files"] = {{"summary", page.folder + "/summary.csv"},
                   {"results", page.folder + "/results.csv"},
                   {"timing", page.folder + "/timing.csv"},
                   {"report", page.report.empty() ? Json(nullptr) : Json(page.report)}};
  return text_of(json);
}

std::string plan_json(const study::StudyPlan& plan) {
  Json json = study_object(plan);
  json["points"] = Json::array();
  for (std::size_t point = 0; point < plan.num_points(); ++point)
    json["points"].push_back({{"point", point + 1}, {"name", plan.name_of(point)}});
  return text_of(json);
}

std::string try_json(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
                     const study::TryResult& result, const std::string& file) {
  Json json = study_object(plan);
  json["point"] = result.index.point + 1;
  json["try"] = result.index.attempt + 1;
  json["converged"] = result.outcome == study::TryResult::Outcome::kConverged;
  json["outputs"] = Json::array();
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const study::OutputResult& output = result.outputs[k];
    json["outputs"].push_back({{"name", outputs[k].name},
                               {"unit", outputs[k].unit},
                               {"true_start", output.start},
                               {"true_end", output.end},
                               {"estimate", output.estimate},
                               {"sigma", output.sigma},
                               {"error", output.error},
                               {"rmse", output.rmse}});
  }
  json["files"] = {{"results", file}};
  return text_of(json);
}

}  // namespace eslabon::cli
