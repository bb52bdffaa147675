#include "eslabon/runs/motion/simulation_run.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/statics/steady_start.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/runs/motion/force_notes.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/released_start.hpp"
#include "eslabon/runs/start/start_note.hpp"
#include "eslabon/runs/start/state_outputs.hpp"

namespace eslabon::runs {

namespace {

const SimulationRequest& checked(const SimulationRequest& request) {
  check(request);
  return request;
}

dynamics::FormulationOptions formulation_options(const SimulationRequest& request) {
  return {.kind = request.coordinates.value_or(""),
          .baumgarte = request.baumgarte,
          .variant = request.matrices.value_or(""),
          .times_steps = request.step_times};
}

/// A sentence about a start speed that nothing keeps; "" where it lasts.
std::string slowing_note(const dynamics::DynamicModel& model) {
  constexpr double kLasts = 1e-6, kLastsOnUnevenRoads = 1e-2;  // m/s²
  if (!model.mechanism().start_speed()) return "";
  const tyres::Road& road = model.mechanism().road();
  const double slowing = dynamics::slowing_at_start(model);
  if (std::abs(slowing) <= (road.relief || !road.bumps.empty() ? kLastsOnUnevenRoads : kLasts)) return "";
  return fmt::format("nothing keeps the speed of the start: it becomes {} by {} m/s² there.",
                     slowing > 0.0 ? "slower" : "faster", core::rounded_text(std::abs(slowing), 3));
}

}  // namespace

/// Forces of the row that the run has come to.
class SimulationRun::Forces final : public RowForces {
 public:
  Forces(const dynamics::DynamicModel& model, const integration::Simulation& simulation,
         const coordinates::MechanismMotion& bodies)
      : simulation_(simulation), bodies_(bodies), reactions_(model) {}

  void begin_row(double t) {
    t_ = t;
    is_solved_ = false;
  }
  const dynamics::ForceMemory& memory() const override { return simulation_.point().state.memory; }
  bool is_solved() const override { return is_solved_; }
  ReactionSolution solve() override {
    if (!is_solved_) reactions_.solve_or_throw(t_, bodies_, memory());
    is_solved_ = true;
    return {reactions_.joints(), reactions_.efforts(), reactions_.are_efforts_unique(),
            reactions_.residual()};
  }

 private:
  const integration::Simulation& simulation_;
  const coordinates::MechanismMotion& bodies_;
  dynamics::Reactions reactions_;
  double t_ = 0.0;  ///< [s]
  bool is_solved_ = false;
};

SimulationRun::Started SimulationRun::started(const model::Mechanism& loaded,
                                              const SimulationRequest& request, RunObserver& observer) {
  std::vector<std::string> released = released_drivers(request.release, loaded);
  ChosenOutputs chosen =
      choose_outputs(release_drivers(loaded, released, request.outputs, observer), request.outputs, true);
  kinematics::AssemblyReport assembly =
      assembled_as_driven(loaded, chosen.mechanism, kinematics::analyse_driven_structure(chosen.mechanism),
                          request.branch, observer);
  Started started{.released = std::move(released),
                  .has_default_outputs = chosen.has_default_outputs,
                  .assembly = std::move(assembly),
                  .mechanism = std::move(chosen.mechanism)};
  if (request.outputs && !request.states) return started;
  const StateOutputs states = state_outputs(loaded, started.mechanism, started.assembly.bodies);
  WithStates with = with_states(started.mechanism, states.names);
  started.mechanism = std::move(with.mechanism);
  started.states = std::move(with.added);
  started.has_all_states = states.is_complete;
  return started;
}

dynamics::FormulationChoice SimulationRun::chosen_formulation(const SimulationRequest& request,
                                                              const dynamics::DynamicModel& model) {
  if (request.formulation != kAuto) return {request.formulation, ""};
  if (request.coordinates) return {"null-space", field("coordinates") + " asks for coordinates"};
  return request.compiler ? request.compiler->choose(model) : dynamics::choose_formulation(model);
}

std::unique_ptr<dynamics::Formulation> SimulationRun::made_formulation(const SimulationRequest& request,
                                                                       const std::string& name,
                                                                       const dynamics::DynamicModel& model) {
  auto formulation = dynamics::make_formulation(name, model, formulation_options(request));
  return request.compiler ? request.compiler->compile(std::move(formulation), model) : std::move(formulation);
}

SimulationRun::SimulationRun(const model::Mechanism& mechanism, const SimulationRequest& request,
                             RunObserver& observer)
    : observer_(observer),
      request_(checked(request)),
      grid_(grid_of(request)),
      started_(started(mechanism, request, observer)),
      stepping_(stepping_of(request, started_.mechanism, grid_)),
      structure_(kinematics::analyse_driven_structure(started_.mechanism)),
      model_(started_.mechanism, structure_, started_.assembly),
      choice_(chosen_formulation(request, model_)),
      formulation_(made_formulation(request, choice_.formulation, model_)),
      simulation_(model_, *formulation_, integration::make_integrator(request.integrator, stepping_),
                  grid_.until()),
      recorder_(model_.assembled()),
      laws_(started_.mechanism, request.baumgarte ? integration::kDriftingLimits : integration::LawLimits{}),
      drivers_(started_.mechanism.drivers().size()),
      forces_(model_, started_.mechanism.outputs()),
      audit_(model_, *formulation_, integration::is_conservative(started_.mechanism)),
      row_forces_(std::make_unique<Forces>(model_, simulation_, bodies_)),
      bodies_(started_.mechanism.bodies().size()),
      rows_(integration::recorded_columns(started_.mechanism), grid_.until()) {
  rows_.has_default_outputs = started_.has_default_outputs;
  simulation_.watch(audit_);
  simulation_.add_events_of_mechanism();
  const std::string shifts = start_shifts_note(started_.mechanism, started_.assembly.bodies, request.branch);
  if (!shifts.empty()) observer.note(shifts);
  if (const std::string slowing = slowing_note(model_); !slowing.empty()) observer.note(slowing);
  if (const std::string not_felt = friction_not_felt_note(started_.mechanism); !not_felt.empty())
    observer.note(not_felt);
  if (request.compiler)
    for (const std::string& note : request.compiler->notes()) observer.note(note);
  if (request.verify)
    verification_.emplace(model_.assembled(), grid_, formulation_->name(), request.integrator, stepping_);
}

SimulationRun::~SimulationRun() = default;

bool SimulationRun::run(RowSink& sink) {
  sink.begin(rows_.columns);
  simulation_.evaluate_bodies(bodies_);
  rows_.is_complete = run_so_far(sink);
  simulation_.leave_step();
  judge();
  sink.finish();
  if (rows_.is_complete && verification_) verify();
  return rows_.is_complete;
}

bool SimulationRun::run_so_far(RowSink& sink) {
  for (std::int64_t k = 0; k < grid_.rows(); ++k) {
    const double t = grid_[k];
    while (simulation_.t() < t) {
      if (observer_.must_stop(simulation_.statistics().steps)) {
        rows_.was_stopped = true;
        return false;
      }
      if (!simulation_.advance_by_small_turns(t)) {
        if (simulation_.end()) return add_row_of_end(grid_[k - 1], sink);
        rows_.failure = simulation_.failure()->error_text(simulation_.integrator().facts().is_adaptive);
        return false;
      }
      simulation_.evaluate_bodies(bodies_);
      audit_.see(simulation_.t(), bodies_, simulation_.point().state.memory);
      if (simulation_.t() < t) recorder_.count_turns(simulation_.t(), bodies_);
    }
    if (!add_row(t, k + 1 == grid_.rows(), sink)) return false;
    observer_.progress(t / grid_.until());
  }
  return true;
}

bool SimulationRun::add_row_of_end(double before, RowSink& sink) {
  const double t = simulation_.t();
  simulation_.evaluate_bodies(bodies_);
  audit_.see(t, bodies_, simulation_.point().state.memory);
  observer_.progress(1.0);
  rows_.ended_by = simulation_.end()->text;
  return t == before || add_row(t, true, sink);
}

bool SimulationRun::add_row(double t, bool is_last, RowSink& sink) {
  const double constraint_error = simulation_.constraint_error();
  const std::span<const double> row = recorder_.record(t, bodies_, constraint_error);
  model_.evaluate_drivers_or_throw(t, drivers_);
  rows_.failure =
      laws_.broken({t, bodies_, constraint_error, recorder_.stopped(), recorder_.driven(), drivers_});
  if (rows_.failure) return false;
  forces_.record(t, bodies_, simulation_.point().state.memory, recorder_.outputs());
  row_forces_->begin_row(t);
  sink.add({rows_.count, is_last, t, row, bodies_, row_forces_.get()});
  if (verification_) verification_->keep(t, row);
  rows_.add(row);
  return true;
}

/// What the energy says about the run.
void SimulationRun::judge() {
  energy_ = judge_energy(recorder_.energy(), audit_, formulation_->num_integrated() == 0);
  if (!rows_.is_complete && !audit_.is_conservative())
    energy_.is_known = false;  // the last row is not the end
  if (rows_.failure)
    rows_.failure->next += " Results up to there are kept.";
  else if (rows_.is_complete && !request_.accept_drift)
    rows_.failure = drift_failure(energy_, simulation_.integrator().facts().is_adaptive);
}

/// Makes the second run. What the first has told stays.
void SimulationRun::verify() {
  std::optional<core::ErrorText> failure;
  try {
    const long steps = simulation_.statistics().steps;
    if (!verification_->run([&](long more) { return observer_.must_stop(steps + more); })) {
      rows_.was_stopped = true;
      return;
    }
    verified_ = verification_->text(rows_.columns, rows_.ranges);
    failure = verification_->failure(rows_.columns, rows_.ranges);
  } catch (const core::ModelError& error) {
    failure = error.text();
    failure->where =
        "the second run of " + field("verify") + (failure->where.empty() ? "" : ", " + failure->where);
  }
  if (!rows_.failure) rows_.failure = failure;
}

SimulationSummary SimulationRun::summary() const {
  const model::Mechanism& mechanism = started_.mechanism;
  SimulationSummary summary{.rows = rows_,
                            .mechanism = mechanism.name(),
                            .formulation = std::string(formulation_->name()),
                            .description = formulation_->description(),
                            .reason = choice_.reason,
                            .compiled = request_.compiler ? request_.compiler->summary() : "",
                            .integrator = std::string(simulation_.integrator().name()),
                            .is_adaptive = simulation_.integrator().facts().is_adaptive,
                            .stepping = stepping_,
                            .statistics = simulation_.statistics(),
                            .is_conservative = integration::is_conservative(mechanism),
                            .energy = recorder_.energy(),
                            .energy_verdict = energy_,
                            .energy_flows = energy_flows_text(energy_, mechanism),
                            .log = simulation_.log(),
                            .states = started_.states,
                            .has_all_states = started_.has_all_states,
                            .released = started_.released,
                            .verified = verified_};
  summary.rows.end = simulation_.t();
  if (verified_) summary.errors = verification_->errors();
  if (const dynamics::StepTimer* const timer = formulation_->timer()) summary.step_times = *timer;
  std::vector<std::string> uncertain;
  for (const model::JointIndex joint : simulation_.uncertain_loads())
    uncertain.push_back(mechanism.joint(joint).name);
  if (!uncertain.empty())
    summary.load_notes.push_back(
        fmt::format("friction of {} depends on a load that redundant joints share, and rigid-body dynamics "
                    "does not determine how: the minimum-norm share is used.",
                    core::listed(uncertain)));
  for (const std::string& note :
       {unbalanced_note(forces_.unbalanced_at()), not_unique_note(forces_.not_unique())})
    if (!note.empty()) summary.force_notes.push_back(note);
  return summary;
}

SimulationResult simulate(const model::Mechanism& mechanism, const SimulationRequest& request,
                          RunObserver& observer) {
  Result table;
  NoteKeeper keeper(table, observer);
  SimulationRun run(mechanism, request, keeper);
  ResultSink sink(table);
  static_cast<void>(run.run(sink));
  const SimulationSummary summary = run.summary();
  if (const auto note = drift_note(summary.energy_verdict); note && !summary.rows.failure)
    keeper.marked_note(*note);
  for (const auto* notes : {&summary.load_notes, &summary.force_notes})
    for (const std::string& note : *notes) keeper.marked_note(note);
  for (const integration::LogEntry& entry : summary.log) table.events.push_back({entry.t, entry.text});
  tell_end(summary.rows, table);
  return {std::move(table), summary};
}

}  // namespace eslabon::runs
