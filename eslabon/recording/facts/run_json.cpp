#include "eslabon/recording/facts/run_json.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "eslabon/recording/facts/json_parts.hpp"

namespace eslabon::recording {

namespace {

using Json = nlohmann::ordered_json;

/// The object of a run, with how far its rows go.
Json rows_object(const std::string& command, const std::string& mechanism, const runs::RowSummary& rows) {
  Json json = result_of<Json>(command, mechanism);
  json["complete"] = rows.is_complete;
  json["end"] = rows.end;
  json["ended_by"] = rows.ended_by.empty() ? Json(nullptr) : Json(rows.ended_by);
  json["until"] = rows.until;
  json["rows"] = rows.count;
  return json;
}

Json motion_object(const std::string& command, const runs::MotionSummary& summary,
                   const WrittenRun& written) {
  Json json = rows_object(command, summary.mechanism, summary.rows);
  json["method"] = summary.method;
  if (!summary.compiled.empty()) json["compiled"] = summary.compiled;
  json["branch"] = summary.branch;
  json["positions"] = summary.statistics.steps;
  json["repeated"] = summary.statistics.rejected;
  json["singular_positions"] = Json::array();
  for (const runs::SingularPosition& position : summary.singular_positions)
    json["singular_positions"].push_back({{"t", position.t}, {"text", position.text}});
  json["events"] = Json::array();
  for (const runs::PassedEvent& event : summary.events)
    json["events"].push_back({{"t", event.t}, {"text", event.name}});
  json["seconds"] = written.seconds;
  json["outputs"] = ranges_json<Json>(summary.rows.columns, summary.rows.ranges);
  json["files"] = {{"results", written.results}, {"report", or_null<Json>(written.report)}};
  return json;
}

}  // namespace

std::string motion_json(const runs::MotionSummary& summary, const WrittenRun& written,
                        const Provenance& provenance) {
  Json json = motion_object("kinematics", summary, written);
  json["files"]["coefficients"] = or_null<Json>(written.coefficients);
  return json_text(json, provenance);
}

std::string inverse_json(const runs::InverseSummary& summary, const WrittenRun& written,
                         const Provenance& provenance) {
  Json json = motion_object("inverse", summary.motion, written);
  const auto rows = static_cast<double>(std::max<std::int64_t>(1, summary.motion.rows.count));
  json["actuators"] = Json::array();
  for (const runs::ActuatorUse& use : summary.actuators)
    json["actuators"].push_back({{"name", use.column.name},
                                 {"unit", use.column.unit},
                                 {"min", use.effort.least},
                                 {"max", use.effort.largest},
                                 {"rms", std::sqrt(use.square / rows)},
                                 {"peak_power", use.peak_power},
                                 {"unique", use.was_unique}});
  json["energy"] = {{"put_in", summary.energy.actuators}, {"change", summary.energy_change()},
                    {"lost", summary.energy.lost},        {"given_to_loads", summary.energy.loads},
                    {"passed", summary.passed_energy()},  {"not_accounted_for", summary.open_energy()}};
  json["files"]["reactions"] = or_null<Json>(written.reactions);
  return json_text(json, provenance);
}

std::string simulation_json(const runs::SimulationSummary& summary, const WrittenRun& written,
                            const Provenance& provenance) {
  const integration::RunStatistics& statistics = summary.statistics;
  const integration::EnergyRange& energy = summary.energy;
  const runs::EnergyVerdict& verdict = summary.energy_verdict;
  Json json = rows_object("simulate", summary.mechanism, summary.rows);
  json["formulation"] = summary.formulation;
  if (!summary.compiled.empty()) json["compiled"] = summary.compiled;
  json["integrator"] = summary.integrator;
  json["released"] = summary.released;
  json["steps"] = {{"taken", statistics.steps},
                   {"rejected", statistics.rejected},
                   {"evaluations", statistics.evaluations},
                   {"newton_iterations", statistics.iterations}};
  json["constraint_error"] = statistics.worst_constraint_error;
  json["energy"] = {{"start", energy.told_start()},
                    {"end", energy.told_end()},
                    {"largest_kinetic", energy.largest_kinetic},
                    {"drift", verdict.is_known ? Json(verdict.part()) : Json(nullptr)}};
  if (const auto& flows = verdict.flows) {
    json["energy"]["drivers"] = flows->drivers;
    json["energy"]["loads"] = flows->loads;
    json["energy"]["dampers"] = -flows->dampers;
    json["energy"]["friction"] = flows->friction;
    json["energy"]["impacts"] = -flows->impacts;
  }
  json["events"] = Json::array();
  for (const integration::LogEntry& entry : summary.log)
    json["events"].push_back({{"t", entry.t}, {"text", entry.text}});
  json["seconds"] = written.seconds;
  json["outputs"] = ranges_json<Json>(summary.rows.columns, summary.rows.ranges);
  for (std::size_t c = 0; c < summary.errors.size(); ++c) json["outputs"][c]["error"] = summary.errors[c];
  json["files"] = {{"results", written.results.empty() ? Json(nullptr) : Json(written.results)},
                   {"report", or_null<Json>(written.report)},
                   {"events", or_null<Json>(written.events)},
                   {"reactions", or_null<Json>(written.reactions)}};
  return json_text(json, provenance);
}

}  // namespace eslabon::recording
