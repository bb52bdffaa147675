#include <algorithm>

#include <nlohmann/json.hpp>

#include "eslabon/recording/facts/estimate_facts.hpp"
#include "eslabon/recording/facts/json_parts.hpp"
#include "eslabon/runs/estimation/lost_filter.hpp"

namespace eslabon::recording {

namespace {

using Json = nlohmann::ordered_json;
using runs::FilterCase;
using runs::TruthComparison;
using sensing::Outcome;

Json sensors_json(FilterCase& filter) {
  Json list = Json::array();
  for (std::size_t s = 0; s < filter.facts().size(); ++s) {
    const int sensor = static_cast<int>(s);
    const sensing::StreamCounts& counts = filter.front_end().log().counts(sensor);
    const estimation::RunningMean& nis = filter.run().nis(sensor);
    Json refused = Json::object();
    for (const Outcome outcome :
         {Outcome::kOutlier, Outcome::kFailed, Outcome::kDuplicate, Outcome::kLate, Outcome::kClockDoubted,
          Outcome::kNotFinite, Outcome::kSaturated, Outcome::kStuck, Outcome::kNoRoom})
      if (const std::int64_t count = counts.of(outcome); count > 0)
        refused[std::string(sensing::name(outcome))] = count;
    list.push_back({{"name", filter.facts()[s].name},
                    {"accepted", counts.of(Outcome::kAccepted)},
                    {"refused", refused},
                    {"nis", nis.count() > 0 ? Json(nis.mean()) : Json(nullptr)},
                    {"expected_nis", filter.facts()[s].channels.size()}});
  }
  return list;
}

Json truth_json(const TruthComparison& truth) {
  Json errors = Json::array();
  for (const TruthComparison::Line& line : truth.lines())
    errors.push_back({{"name", line.name},
                      {"unit", line.unit},
                      {"rmse", line.is_coarse ? Json(nullptr) : Json(line.rmse())},
                      {"max", line.is_coarse ? Json(nullptr) : Json(line.largest)},
                      {"truth_error", line.error}});
  return {{"errors", errors},
          {"nees", or_null<Json>(truth.nees())},
          {"expected_nees", truth.num_nees_states()},
          {"not_compared", truth.missing()}};
}

}  // namespace

std::string estimate_json(const std::vector<EstimateSummary>& summaries, const Provenance& provenance) {
  Json json = result_of<Json>("estimate", summaries.front().filter.mechanism().name());
  json["complete"] = std::ranges::all_of(summaries, &EstimateSummary::is_complete);
  json["filters"] = Json::array();
  for (const EstimateSummary& summary : summaries) {
    FilterCase& filter = summary.filter;
    Json unobserved = Json::array();
    for (const runs::UnobservedSpan& span : filter.unobserved().list())
      unobserved.push_back({{"from", span.from}, {"until", span.until}});
    json["filters"].push_back(
        {{"name", filter.estimator().name()},
         {"step", filter.run().step_size().seconds()},
         {"end", filter.run().now().seconds()},
         {"rows", filter.num_rows()},
         {"released", filter.released()},
         {"constraint_error", filter.run().worst_constraint_error()},
         {"not_observed", unobserved},
         {"restarts", filter.run().num_restarts()},
         {"reopenings", filter.run().num_reopenings()},
         {"lost_seconds", filter.run().lost_time().lost().seconds()},
         {"is_lost", lost_text(filter).has_value()},
         {"sensors", sensors_json(filter)},
         {"step_seconds",
          {{"median", filter.step_times().quantile(0.5).seconds()},
           {"p99", filter.step_times().quantile(0.99).seconds()},
           {"max", filter.step_times().quantile(1.0).seconds()}}},
         {"truth", summary.truth != nullptr ? truth_json(*summary.truth) : Json(nullptr)},
         {"results", summary.file}});
  }
  if (const auto& live = summaries.front().live)
    json["live"] = {{"steps", live->steps},
                    {"missed", live->missed},
                    {"lines", live->lines},
                    {"lines_refused", live->refused},
                    {"readings", live->readings},
                    {"readings_dropped", live->readings_dropped},
                    {"datagrams", live->datagrams},
                    {"datagrams_passed_over", live->datagrams_passed_over},
                    {"datagrams_lost", live->datagrams_lost},
                    {"median_latency", live->median_latency},
                    {"largest_latency", live->largest_latency}};
  if (const auto& compiled = summaries.front().compiled) json["compiled"] = compiled_json<Json>(*compiled);
  json["files"] = {{"report", or_null<Json>(summaries.front().report)}};
  return json_text(json, provenance);
}

}  // namespace eslabon::recording
