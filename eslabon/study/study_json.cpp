#include <nlohmann/json.hpp>

#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/recording/facts/json_parts.hpp"
#include "eslabon/recording/facts/table_json.hpp"
#include "eslabon/study/study_facts.hpp"

namespace eslabon::study {

namespace {

using Json = nlohmann::ordered_json;
using recording::json_text;
using recording::Provenance;

Json study_object(const StudyPlan& plan) {
  return {{"command", "study"},
          {"study", plan.study().title},
          {"model", plan.study().model},
          {"tries", plan.num_tries()},
          {"seed", plan.study().seed}};
}

}  // namespace

std::string study_json(const ToldStudy& outcome, const Provenance& provenance) {
  Json json = study_object(outcome.plan);
  json["done_before"] = outcome.found;
  json["seconds"] = outcome.elapsed;
  json["threads"] = outcome.threads;
  if (outcome.compiled) json["compiled"] = recording::compiled_json<Json>(*outcome.compiled);
  json["points"] = Json::parse(recording::table_json(io::read_file_text(outcome.folder + "/summary.csv")));
  json["files"] = {{"summary", outcome.folder + "/summary.csv"},
                   {"results", outcome.folder + "/results.csv"},
                   {"timing", outcome.folder + "/timing.csv"},
                   {"report", outcome.report.empty() ? Json(nullptr) : Json(outcome.report)}};
  return json_text(json, provenance);
}

std::string plan_json(const StudyPlan& plan, const Provenance& provenance) {
  Json json = study_object(plan);
  json["points"] = Json::array();
  for (std::size_t point = 0; point < plan.num_points(); ++point)
    json["points"].push_back({{"point", point + 1}, {"name", plan.name_of(point)}});
  return json_text(json, provenance);
}

std::string try_json(const StudyPlan& plan, const std::vector<core::Column>& outputs, const TryResult& result,
                     const std::string& file, const std::optional<codegen::NativeCompiler::Report>& compiled,
                     const Provenance& provenance) {
  Json json = study_object(plan);
  json["point"] = result.index.point + 1;
  json["try"] = result.index.attempt + 1;
  json["converged"] = result.outcome == TryResult::Outcome::kConverged;
  json["outputs"] = Json::array();
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const OutputResult& output = result.outputs[k];
    json["outputs"].push_back({{"name", outputs[k].name},
                               {"unit", outputs[k].unit},
                               {"true_start", output.start},
                               {"true_end", output.end},
                               {"estimate", output.estimate},
                               {"sigma", output.sigma},
                               {"error", output.error},
                               {"rmse", output.rmse}});
  }
  if (compiled) json["compiled"] = recording::compiled_json<Json>(*compiled);
  json["files"] = {{"results", file}};
  return json_text(json, provenance);
}

}  // namespace eslabon::study
