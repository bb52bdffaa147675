#include <algorithm>
#include <cmath>

#include "inverse.hpp"
#include "kinematics.hpp"
#include "result_json.hpp"
#include "simulate.hpp"

#include "eslabon/kinematics/branch.hpp"

// The results of `kinematics`, `inverse` and `simulate` for programs.
namespace eslabon::cli {

namespace {

Json motion_object(const std::string& command, const MotionSummary& summary) {
  const kinematics::MotionStatistics& statistics = summary.motion.statistics();
  const double reached = summary.motion.state().t;
  Json json = result_of(command, summary.driven.mechanism().name());
  json["complete"] = summary.is_complete;
  json["end"] = reached;
  json["until"] = summary.until;
  json["rows"] = summary.rows;
  json["method"] = summary.motion.method().name();
  json["branch"] =
      kinematics::branch_name(summary.driven.mechanism(), summary.driven.structure(), summary.driven.start());
  json["positions"] = statistics.steps;
  json["repeated"] = statistics.rejected;
  json["singular_positions"] = Json::array();
  for (const kinematics::MotionEvent& event : summary.motion.events())
    json["singular_positions"].push_back({{"t", event.t}, {"text", event.brief(summary.driven.mechanism())}});
  json["seconds"] = summary.seconds;
  json["outputs"] = ranges_json(summary.columns, summary.ranges);
  json["files"] = {{"results", summary.file}, {"report", or_null(summary.report)}};
  return json;
}

}  // namespace

std::string motion_json(const MotionSummary& summary) {
  return text_of(motion_object("kinematics", summary));
}

std::string inverse_json(const InverseSummary& summary) {
  Json json = motion_object("inverse", summary.motion);
  json["actuators"] = Json::array();
  for (std::size_t k = 0; k < summary.efforts.size(); ++k) {
    const ActuatorUse& use = summary.uses[k];
    json["actuators"].push_back(
        {{"name", summary.efforts[k].name},
         {"unit", summary.efforts[k].unit},
         {"min", use.effort.least},
         {"max", use.effort.largest},
         {"rms", std::sqrt(use.square / static_cast<double>(std::max(1L, summary.motion.rows)))},
         {"peak_power", use.peak_power},
         {"unique", use.was_unique}});
  }
  json["energy"] = {{"put_in", summary.energy.actuators}, {"change", summary.energy_change()},
                    {"lost", summary.energy.lost},        {"given_to_loads", summary.energy.loads},
                    {"passed", summary.passed_energy()},  {"not_accounted_for", summary.open_energy()}};
  json["files"]["reactions"] = summary.reactions.empty() ? Json(nullptr) : Json(summary.reactions);
  return text_of(json);
}

std::string simulation_json(const SimulationSummary& summary) {
  const integration::RunStatistics& statistics = summary.simulation.statistics();
  const integration::EnergyRange& energy = summary.recorder.energy();
  const double reached = summary.simulation.t();
  Json json = result_of("simulate", summary.mechanism.name());
  json["complete"] = summary.is_complete;
  json["end"] = reached;
  json["until"] = summary.until;
  json["rows"] = summary.rows;
  json["formulation"] = summary.formulation.name();
  json["integrator"] = summary.simulation.integrator().name();
  json["released"] = summary.released;
  json["steps"] = {{"taken", statistics.steps},
                   {"rejected", statistics.rejected},
                   {"evaluations", statistics.evaluations},
                   {"newton_iterations", statistics.iterations}};
  json["constraint_error"] = statistics.worst_constraint_error;
  json["energy"] = {{"start", energy.told_start()},
                    {"end", energy.told_end()},
                    {"largest_kinetic", energy.largest_kinetic},
                    {"drift", summary.energy.is_known ? Json(summary.energy.part()) : Json(nullptr)}};
  if (const auto& flows = summary.energy.flows) {
    json["energy"]["drivers"] = flows->drivers;
    json["energy"]["loads"] = flows->loads;
    json["energy"]["dampers"] = -flows->dampers;
    json["energy"]["friction"] = flows->friction;
    json["energy"]["impacts"] = -flows->impacts;
  }
  json["events"] = Json::array();
  for (const integration::LogEntry& entry : summary.simulation.log())
    json["events"].push_back({{"t", entry.t}, {"text", entry.text}});
  json["seconds"] = summary.seconds;
  json["outputs"] = ranges_json(summary.columns, summary.ranges);
  for (std::size_t c = 0; c < summary.errors.size(); ++c) json["outputs"][c]["error"] = summary.errors[c];
  json["files"] = {{"results", summary.file},
                   {"report", or_null(summary.report)},
                   {"events", or_null(summary.events)},
                   {"reactions", or_null(summary.reactions)}};
  return text_of(json);
}

}  // namespace eslabon::cli
