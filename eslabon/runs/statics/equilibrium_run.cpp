#include "eslabon/runs/statics/equilibrium_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/dynamics/statics/equilibrium_search.hpp"
#include "eslabon/dynamics/statics/named_shape.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/motion/force_notes.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/chosen_outputs.hpp"
#include "eslabon/runs/start/released_start.hpp"

namespace eslabon::runs {

namespace {

using dynamics::Equilibrium;

/// Values of the outputs at the solutions.
class SolutionValues {
 public:
  explicit SolutionValues(const dynamics::DynamicModel& model)
      : model_(model), forces_(model, model.mechanism().outputs()) {}

  std::vector<double> at(const Equilibrium& solution) {
    const std::vector<model::Variable>& outputs = model_.mechanism().outputs();
    std::vector<double> values(outputs.size(), 0.0);
    for (std::size_t k = 0; k < outputs.size(); ++k)
      if (!kinematics::needs_forces(outputs[k])) values[k] = value(outputs[k], solution);
    forces_.record(solution.state.t, solution.bodies, solution.state.memory, values);
    return values;
  }
  const dynamics::ForceOutputs& forces() const { return forces_; }

 private:
  /// Angles of springs that wind up, and of their joints, are counted beyond half a turn.
  double value(const model::Variable& variable, const Equilibrium& solution) const {
    const model::Mechanism& mechanism = model_.mechanism();
    const double plain = kinematics::told_value(mechanism, variable, solution.bodies);
    const auto* const spring = std::get_if<model::SpringIndex>(&variable.element);
    const auto* const joint = std::get_if<model::JointIndex>(&variable.element);
    for (std::size_t k = 0; k < solution.state.memory.angles.size(); ++k) {
      const model::JointCoordinate& angle = model_.forces().angle_coordinate(k);
      const bool is_of_spring = spring && variable.kind == model::VariableKind::kElementLength &&
                                mechanism.springs()[spring->slot()].connection == model::Connection(angle);
      const bool is_of_joint = joint && variable.kind == model::VariableKind::kJointPosition &&
                               angle == model::JointCoordinate{*joint, variable.component};
      if (is_of_spring || is_of_joint) return coordinates::unwrapped(plain, solution.state.memory.angles[k]);
    }
    return plain;
  }

  const dynamics::DynamicModel& model_;
  dynamics::ForceOutputs forces_;
};

/// Coordinates of all joints, then the outputs of the mechanism and the efforts with which drivers hold; or those that were asked for.
model::Mechanism with_told_outputs(const model::Mechanism& mechanism,
                                   const std::optional<std::vector<std::string>>& outputs) {
  if (outputs) return choose_outputs(mechanism, outputs, true).mechanism;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
      names.push_back(model::name(
          mechanism, {model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c}));
  const auto add = [&](const model::Variable& variable) {
    const std::string name = model::name(mechanism, variable);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const model::Variable& output : mechanism.outputs()) add(output);
  for (std::size_t k = 0; k < mechanism.states().size(); ++k)
    add({model::VariableKind::kState, model::StateIndex(static_cast<int>(k)), 0});
  for (std::size_t d = 0; d < mechanism.drivers().size(); ++d)
    add({model::VariableKind::kDriverEffort, model::DriverIndex(static_cast<int>(d)), 0});
  return model::with_outputs(mechanism, names);
}

/// The position in which the drivers hold everything: there is nothing to look for but auxiliary states.
Equilibrium held_position(dynamics::FreedomChart& chart, const dynamics::State& state) {
  Equilibrium at;
  at.state = state;
  if (chart.num_states() > 0) {
    chart.let_states_follow(true);
    if (chart.centre_at(state) != dynamics::ChartStatus::kGood)
      throw core::ModelError(
          {.what = "no equilibrium was found",
           .where = "mechanism '" + chart.model().mechanism().name() + "'",
           .expected = "auxiliary states that rest where the drivers hold the mechanism",
           .actual = "none, from where they start",
           .next = "Their rates must become 0: an integral of what a driver holds has no rest."});
    at.state = chart.centre();
  }
  at.bodies.resize(chart.model().mechanism().bodies().size());
  at.stability = dynamics::Stability::kStable;
  const std::vector<double> at_rest(state.q.size(), 0.0);
  chart.evaluate_bodies(state, at_rest, at.bodies);
  at.potential_energy = dynamics::potential_energy(chart.model(), state, at.bodies);
  return at;
}

/// Solutions that a rigid stop does not let be, with a note; an error when no other is left.
void leave_out_beyond_stops(const dynamics::DynamicModel& model, dynamics::EquilibriumSearch& search,
                            RunObserver& observer) {
  const auto is_beyond = [&](const Equilibrium& at) {
    return dynamics::find_passed_stop(model, at.state.t, at.bodies, at.state.memory).has_value();
  };
  if (std::ranges::all_of(search.found, is_beyond))
    check_within_stops(model, search.found.front().state, search.found.front().bodies);
  if (const auto left_out = std::erase_if(search.found, is_beyond); left_out > 0)
    observer.note(fmt::format("{} beyond rigid stops left out; what rests on a rigid stop is not looked for.",
                              core::counted(left_out, "position")));
}

dynamics::EquilibriumSearch search_from(StaticCase& c, const dynamics::State& start,
                                        const EquilibriumRequest& request, RunObserver& observer) {
  dynamics::EquilibriumSearch search;
  if (c.held().num_freedoms() == 0 && !c.mechanism().drivers().empty()) {
    search.found.push_back(held_position(c.held(), start));
  } else {
    dynamics::SearchOptions wanted{.most = request.solutions};
    if (request.place.branch) wanted.tries = 0;
    search = dynamics::search_equilibria(c.held(), start, wanted);
  }
  if (search.found.empty()) {
    core::ErrorText text = search.from_start.error_text(c.mechanism());
    if (!c.model().forces().rigid_sides().empty()) text.next = kRigidStops;
    throw core::ModelError(text);
  }
  leave_out_beyond_stops(c.model(), search, observer);
  return search;
}

std::string softest_shape(dynamics::FreedomChart& chart, const Equilibrium& at) {
  if (chart.num_freedoms() == 0) return "";
  return dynamics::named_shape(chart, at.state, at.directions, at.softest.cast<std::complex<double>>())
      .text();
}

double sign_of(dynamics::Stability stability) {
  return stability == dynamics::Stability::kStable     ? 1.0
         : stability == dynamics::Stability::kUnstable ? -1.0
                                                       : 0.0;
}

/// A row for each solution.
void fill_table(const model::Mechanism& mechanism, EquilibriumResult& result) {
  const bool has_masses = std::ranges::all_of(
      result.solutions, [](const EquilibriumSolution& one) { return one.at.softest_square.has_value(); });
  std::vector<core::Column> columns{{"solution", "1"}, {"stability", "1"}};
  if (has_masses) columns.push_back({"softest_square", "1/s^2"});
  const std::vector<core::Column> recorded = integration::recorded_columns(mechanism);
  columns.insert(columns.end(), recorded.begin(), recorded.end());
  ResultSink table(result);
  table.begin(columns);
  for (std::size_t s = 0; s < result.solutions.size(); ++s) {
    const EquilibriumSolution& one = result.solutions[s];
    std::vector<double> row{static_cast<double>(s + 1), sign_of(one.at.stability)};
    if (has_masses) row.push_back(*one.at.softest_square);
    row.insert(row.end(), one.outputs.begin(), one.outputs.end());
    row.insert(row.end(), {one.energy, one.constraint_error});
    table.add({static_cast<std::int64_t>(s), s + 1 == result.solutions.size(), one.at.state.t, row,
               one.at.bodies, nullptr});
  }
}

/// Kinks, rigid stops that are touched, forces that cannot be told for certain.
void add_notes(const dynamics::ForceOutputs& forces, EquilibriumResult& result) {
  for (std::size_t s = 0; s < result.solutions.size(); ++s) {
    const Equilibrium& at = result.solutions[s].at;
    if (at.has_kink)
      result.notes.push_back(
          fmt::format("solution {}: the stiffness differs from one side to the other; stability and softest "
                      "mode are those of the softer side.",
                      s + 1));
    if (!at.neutral_states.empty())
      result.notes.push_back(
          fmt::format("solution {}: nothing brings {} {} back; {} where {} put at the start.", s + 1,
                      at.neutral_states.size() == 1 ? "state" : "states", core::listed(at.neutral_states),
                      at.neutral_states.size() == 1 ? "it is left near" : "they are left near",
                      at.neutral_states.size() == 1 ? "it was" : "they were"));
    if (!at.stop.empty())
      result.notes.push_back(
          fmt::format("solution {} touches {}, which can push it to one side only.", s + 1, at.stop));
  }
  if (forces.unbalanced_at()) result.notes.push_back(unbalanced_note(forces.unbalanced_at()));
  if (!forces.not_unique().empty())
    result.notes.push_back(
        fmt::format("reactions of {} are not unique, because joints are redundant: the minimum-norm ones are "
                    "shown.",
                    core::listed(forces.not_unique())));
}

}  // namespace

void check(const EquilibriumRequest& request) {
  if (request.solutions < 0)
    throw RequestError({.what = "not a number of solutions",
                        .where = field("solutions"),
                        .expected = "a whole number from 1 on, or 0 for all",
                        .actual = std::to_string(request.solutions),
                        .next = "Ask for one."});
}

EquilibriumResult find_equilibrium(const model::Mechanism& loaded, const EquilibriumRequest& request,
                                   RunObserver& observer) {
  check(request);
  const StaticRequest& place = request.place;
  EquilibriumResult result;
  result.mechanism = loaded.name();
  result.released = released_drivers(place.release, loaded);
  const model::Mechanism mechanism = with_told_outputs(
      without_holding(release_drivers(loaded, result.released, place.outputs, observer), observer),
      place.outputs);
  result.time = place.time.value_or(core::Duration()).seconds();
  StaticCase c(place, loaded, mechanism, result.time, observer);
  const dynamics::State start = c.start(result.time);
  result.is_held = c.held().num_freedoms() == 0 && !mechanism.drivers().empty();
  const dynamics::EquilibriumSearch search = search_from(c, start, request, observer);
  result.thoroughness = search.thoroughness;
  SolutionValues of(c.model());
  for (const Equilibrium& at : search.found)
    integration::LawWatch(mechanism, c.model().assembled().assembly()).look(result.time, at.bodies);
  for (const Equilibrium& at : search.found)
    result.solutions.push_back({.at = at,
                                .outputs = of.at(at),
                                .energy = at.potential_energy + dynamics::origin_energy(mechanism),
                                .constraint_error = c.held().constraint_error(at.state),
                                .softest_shape = softest_shape(c.held(), at)});
  result.variables = mechanism.outputs();
  result.outputs = integration::recorded_columns(mechanism);
  result.outputs.resize(result.variables.size());
  result.length = c.held().length();
  result.num_freedoms = c.held().num_freedoms();
  result.freedoms = freedom_names(c.held(), start);
  result.start_error = c.held().constraint_error(start);
  result.held = c.held_drivers(result.time);
  fill_table(mechanism, result);
  add_notes(of.forces(), result);
  return result;
}

}  // namespace eslabon::runs
