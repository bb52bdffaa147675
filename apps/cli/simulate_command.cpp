#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "actuator_choice.hpp"
#include "command_line.hpp"
#include "events_output.hpp"
#include "force_arrows.hpp"
#include "model_options.hpp"
#include "motion_report.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "reactions_output.hpp"
#include "released_start.hpp"
#include "report_output.hpp"
#include "simulate.hpp"
#include "simulate_options.hpp"
#include "start_note.hpp"
#include "state_outputs.hpp"
#include "text_page.hpp"
#include "verification.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/dynamics/force_outputs.hpp"
#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/integration/row_laws.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/kinematics/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostNotes = 20;

/// Where the rows of a run go.
struct SimulationFiles {
  io::ResultWriter& results;
  ReactionsOutput* reactions;  ///< nullptr: none
  ReportRecorder* report;      ///< nullptr: none
  Verification* verification;  ///< nullptr: none
};

/// Everything from a mechanism to the rows of its motion.
class SimulationRun {
 public:
  SimulationRun(const SimulateOptions& options, const kinematics::AssemblyReport& assembly,
                const model::Mechanism& mechanism, const TimeGrid& grid, const Stepping& stepping)
      : mechanism_(mechanism),
        grid_(grid),
        structure_(kinematics::analyse_driven_structure(mechanism)),
        assembly_(assembly),
        model_(mechanism, structure_, assembly_),
        choice_(chosen_formulation(options, model_)),
        formulation_(
            dynamics::make_formulation(choice_.formulation, model_, read_formulation_options(options))),
        simulation_(model_, *formulation_, integration::make_integrator(options.integrator, stepping.options),
                    grid.until()),
        recorder_(model_.assembled()),
        laws_(mechanism, options.baumgarte ? integration::kDriftingLimits : integration::LawLimits{}),
        drivers_(mechanism.drivers().size()),
        forces_(model_, mechanism.outputs()),
        audit_(model_, *formulation_, integration::is_conservative(mechanism)),
        reactions_(model_) {
    simulation_.watch(audit_);
    print_start_shifts(mechanism, assembly_.bodies, options.branch);
  }

  /// Writes the rows, and reactions and report where there are files for them; false when the motion ends before its time.
  bool write_rows(const SimulationFiles& files, SimulationSummary& summary, RunLimit& limit) {
    const auto start = std::chrono::steady_clock::now();
    if (files.report != nullptr) {
      arrows_.emplace(model_, ForceArrows::drivers_of(mechanism_));
      if (files.reactions == nullptr) rows_per_reaction_ = ForceArrows::rows_per_solution(grid_.rows());
      files.report->set_arrows(arrows_->arrows(), arrows_->num_of_reactions());
    }
    const bool is_complete = write_rows_so_far(files, summary, limit);
    simulation_.leave_step();
    summary.energy = judge_energy(recorder_.energy(), audit_, formulation_->num_integrated() == 0);
    if (!is_complete && !audit_.is_conservative())
      summary.energy.is_known = false;  // the last row is not the end
    summary.is_complete = is_complete;
    files.results.finish();
    if (files.reactions != nullptr) files.reactions->finish();
    summary.seconds = seconds_since(start) - report_seconds_;
    return is_complete;
  }

  const dynamics::FormulationChoice& choice() const { return choice_; }
  const dynamics::Formulation& formulation() const { return *formulation_; }
  const integration::Simulation& simulation() const { return simulation_; }
  const integration::Recorder& recorder() const { return recorder_; }
  const dynamics::ForceOutputs& forces() const { return forces_; }
  /// Why a motion ended before its time.
  core::ErrorText failure() const {
    core::ErrorText text =
        broken_ ? *broken_ : simulation_.failure()->error_text(simulation_.integrator().facts().is_adaptive);
    text.next += " Results up to there are kept.";
    return text;
  }
  const structure::Structure& structure() const { return structure_; }
  /// Whether the report shows reactions of joints.
  bool shows_reactions() const { return arrows_ && arrows_->has_reactions(); }
  /// Joints of which it shows reactions that are not unique.
  std::vector<std::string> not_unique() const {
    return arrows_ ? arrows_->not_unique() : std::vector<std::string>();
  }
  /// Rows from one reaction of the report to the next.
  std::int64_t rows_per_reaction() const { return rows_per_reaction_; }

 private:
  static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  static dynamics::FormulationChoice chosen_formulation(const SimulateOptions& options,
                                                        const dynamics::DynamicModel& model) {
    if (options.formulation != kAuto) return {options.formulation, ""};
    if (options.coordinates) return {"null-space", "--coordinates asks for coordinates"};
    return dynamics::choose_formulation(model);
  }

  void write_reactions(double t, const coordinates::MechanismMotion& bodies, ReactionsOutput& file) {
    reactions_.solve(t, bodies, simulation_.point().state.memory);
    file.write_row(t, reactions_.joints(), reactions_.efforts(), reactions_.are_efforts_unique(),
                   reactions_.residual());
  }

  /// The row and frame of the report, with reactions where there is one of them or where `has_reactions` are solved for already.
  void record(std::int64_t k, const coordinates::MechanismMotion& bodies, std::span<const double> row,
              bool has_reactions, ReportRecorder& report) {
    const auto start = std::chrono::steady_clock::now();
    const double t = grid_[k];
    const dynamics::ForceMemory& memory = simulation_.point().state.memory;
    const bool is_last = k + 1 == grid_.rows();
    const bool is_frame = report.wants_frame() || is_last;
    report.add_row(t, row);
    if (is_frame) {
      if (!has_reactions && arrows_->has_reactions() && (k % rows_per_reaction_ == 0 || is_last)) {
        reactions_.solve(t, bodies, memory);
        has_reactions = true;
      }
      const ForceArrows::Solution solution{reactions_.joints(), reactions_.efforts(),
                                           reactions_.are_efforts_unique()};
      report.add_frame(bodies, arrows_->evaluate(t, bodies, memory, has_reactions ? &solution : nullptr));
    }
    report_seconds_ += seconds_since(start);
  }

  bool write_rows_so_far(const SimulationFiles& files, SimulationSummary& summary, RunLimit& limit) {
    ProgressBar bar;
    coordinates::MechanismMotion bodies(mechanism_.bodies().size());
    simulation_.evaluate_bodies(bodies);
    for (std::int64_t k = 0; k < grid_.rows(); ++k) {
      const double t = grid_[k];
      while (simulation_.t() < t) {
        if (limit.is_reached(simulation_.statistics().steps)) return false;
        if (!simulation_.advance_by_small_turns(t)) return false;
        simulation_.evaluate_bodies(bodies);
        audit_.see(simulation_.t(), bodies, simulation_.point().state.memory);
        if (simulation_.t() < t) recorder_.count_turns(simulation_.t(), bodies);
      }
      const double constraint_error = simulation_.constraint_error();
      const std::span<const double> row = recorder_.record(t, bodies, constraint_error);
      model_.evaluate_drivers(t, drivers_);
      broken_ =
          laws_.broken({t, bodies, constraint_error, recorder_.stopped(), recorder_.driven(), drivers_});
      if (broken_) return false;
      forces_.record(t, bodies, simulation_.point().state.memory, recorder_.outputs());
      files.results.write_row(t, row);
      if (files.verification != nullptr) files.verification->keep(row);
      if (files.reactions != nullptr) write_reactions(t, bodies, *files.reactions);
      if (files.report != nullptr) record(k, bodies, row, files.reactions != nullptr, *files.report);
      for (std::size_t c = 0; c < row.size(); ++c) summary.ranges[c].add(row[c]);
      ++summary.rows;
      bar.update(t / grid_.until());
    }
    return true;
  }

  const model::Mechanism& mechanism_;
  const TimeGrid& grid_;
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  dynamics::DynamicModel model_;
  dynamics::FormulationChoice choice_;
  std::unique_ptr<dynamics::Formulation> formulation_;
  integration::Simulation simulation_;
  integration::Recorder recorder_;
  integration::RowLaws laws_;
  std::vector<coordinates::CoordinateValue> drivers_;  ///< (drivers)
  std::optional<core::ErrorText> broken_;              ///< the law that a row breaks
  dynamics::ForceOutputs forces_;
  integration::EnergyAudit audit_;
  dynamics::Reactions reactions_;      ///< for --reactions and --report
  std::optional<ForceArrows> arrows_;  ///< for --report
  std::int64_t rows_per_reaction_ = 1;
  double report_seconds_ = 0.0;  ///< spent on the report, no part of the run
};

/// The page of a run, also of one that ended early.
void write_page(const SimulationRun& run, const model::Mechanism& mechanism, const SimulationSummary& summary,
                ReportRecorder& recorder, const std::optional<std::string>& failure) {
  RunStory story{.subtitle = fmt::format("simulated by {}, {}; {:.6g} s", run.formulation().name(),
                                         run.simulation().integrator().name(), run.simulation().t()),
                 .facts = simulation_facts(summary),
                 .notes = {},
                 .failure = failure};
  for (const integration::LogEntry& entry : run.simulation().log())
    if (entry.kind != integration::LogEntry::Kind::kChoice)
      recorder.add_mark({entry.t, report::Mark::Kind::kEvent, entry.text, ""});
  if (!run.shows_reactions())
    story.notes.push_back(
        fmt::format("Reactions and efforts of drivers are not drawn: joints have more than {} rows. "
                    "--reactions writes them to a file.",
                    ForceArrows::kMostRows));
  else if (run.rows_per_reaction() > 1)
    story.notes.push_back(
        fmt::format("Reactions and efforts of drivers are computed at every {}th row; arrows of those "
                    "between are interpolated. --reactions "
                    "computes them all.",
                    run.rows_per_reaction()));
  if (const auto note = not_unique_note(run.not_unique())) story.notes.push_back(*note);
  write_motion_report(*summary.report, mechanism, run.structure(), recorder, std::move(story));
}

void print_notes(const dynamics::ForceOutputs& forces, const std::optional<ReactionsOutput>& reactions,
                 const std::vector<integration::LogEntry>& log) {
  if (reactions) {
    reactions->print_notes();  // about all joints and drivers
  } else {
    print_unbalanced(forces.unbalanced_at());
    print_not_unique(forces.not_unique());
  }
  // What stops and friction do is on the page, and whole in the file of --events.
  std::vector<const integration::LogEntry*> events, choices;
  for (const integration::LogEntry& entry : log) {
    if (entry.kind == integration::LogEntry::Kind::kEvent) events.push_back(&entry);
    if (entry.kind == integration::LogEntry::Kind::kChoice) choices.push_back(&entry);
  }
  const auto print = [](const integration::LogEntry& entry) {
    fmt::print(stderr, "eslabon: note: t = {:.9g} s: {}.\n", entry.t, entry.text);
  };
  for (std::size_t k = 0; k < std::min(events.size(), kMostNotes); ++k) print(*events[k]);
  if (events.size() > kMostNotes)
    fmt::print(stderr, "eslabon: note: … and {} more events.\n", events.size() - kMostNotes);
  if (choices.size() == 1) print(*choices.front());
  if (choices.size() > 1)
    fmt::print(
        stderr,
        "eslabon: note: t = {:.9g} s: {}, the last of {} choices since t = {:.9g} s; --events writes all.\n",
        choices.back()->t, choices.back()->text, choices.size(), choices.front()->t);
}

void print_uncertain_loads(const model::Mechanism& mechanism, const integration::Simulation& simulation) {
  std::vector<std::string> uncertain;
  for (const model::JointIndex joint : simulation.uncertain_loads())
    uncertain.push_back(mechanism.joint(joint).name);
  if (!uncertain.empty())
    fmt::print(stderr,
               "eslabon: note: friction of {} depends on a load that redundant joints share, and rigid-body "
               "dynamics does not determine how: the minimum-norm share is used.\n",
               listed(uncertain, 6));
}

/// Makes the second run; why it does not confirm the first, when it does not. What the first has written stays.
std::optional<core::ErrorText> verify(Verification& verification, RunLimit& limit,
                                      SimulationSummary& summary) try {
  const long steps = summary.simulation.statistics().steps;
  if (!verification.run([&](long more) { return limit.is_reached(steps + more); }))
    return limit.error_text("--verify", "a second run to its end", "a first one that is complete");
  summary.verified = verification.text(summary.columns, summary.ranges);
  summary.errors = verification.errors();
  return verification.failure(summary.columns, summary.ranges);
} catch (const core::ModelError& error) {
  core::ErrorText text = error.text();
  text.where = "the second run of --verify" + (text.where.empty() ? "" : ", " + text.where);
  return text;
}

/// What cannot be written is said before the run.
void check_files(const SimulateOptions& options) {
  check_out(options.out);
  if (options.reactions) check_also_out("--reactions", "the reactions", *options.reactions);
  check_report_option(options.report);
  if (options.events) {
    check_also_out("--events", "the events", *options.events);
    check_file(*options.events, "the events");
  }
}

/// Where a run starts, and the mechanism with the outputs that tell its motion.
struct StartedModel {
  kinematics::AssemblyReport assembly;
  WithStates with_states;
  bool has_all_states = true;
};

/// `mechanism`: without the released drivers, with the outputs that were asked for.
StartedModel start_of(const SimulateOptions& options, const model::Mechanism& with_drivers,
                      const model::Mechanism& mechanism) {
  kinematics::AssemblyReport assembly = assembled_as_driven(
      with_drivers, mechanism, kinematics::analyse_driven_structure(mechanism), options.branch);
  if (options.outputs && !options.states) return {std::move(assembly), {mechanism, {}}};
  const StateOutputs states = state_outputs(with_drivers, mechanism, assembly.bodies);
  return {std::move(assembly), with_states(mechanism, states.names), states.is_complete};
}

void run_simulate(const SimulateOptions& options, const Presentation& presentation) {
  check_simulate_options(options);
  static_cast<void>(read_header(options.header));
  check_limits(options.limits);
  const TimeGrid grid = read_grid(options);
  check_files(options);
  const model::Mechanism loaded = load_model(options.model, options.set);
  const std::vector<std::string> released = released_drivers(options.release, loaded);
  const LoadedModel model =
      select_outputs(release_drivers(loaded, released, options.outputs), options.outputs, true);
  const StartedModel started =
      naming(options.model, [&] { return start_of(options, loaded, model.mechanism); });
  const model::Mechanism& mechanism = started.with_states.mechanism;
  const Stepping stepping = read_stepping(options, mechanism, grid);
  const auto run = naming(options.model, [&] {
    return std::make_unique<SimulationRun>(options, started.assembly, mechanism, grid, stepping);
  });
  const std::vector<io::ResultColumn> columns = integration::recorded_columns(mechanism);
  SimulationSummary summary{.mechanism = mechanism,
                            .formulation = run->formulation(),
                            .reason = run->choice().reason,
                            .simulation = run->simulation(),
                            .recorder = run->recorder(),
                            .columns = columns,
                            .ranges = std::vector<ColumnRange>(columns.size()),
                            .states = started.with_states.added,
                            .has_all_states = started.has_all_states,
                            .released = released,
                            .steps = stepping.text,
                            .until = grid.until(),
                            .has_default_outputs = model.has_default_outputs,
                            .file = options.out == kStdout ? "to the standard output" : options.out,
                            .report = options.report,
                            .events = options.events,
                            .reactions = options.reactions};
  RunLimit limit(options.limits);
  io::ResultWriter writer = open_results(options.out, columns, read_header(options.header));
  std::optional<ReactionsOutput> reactions;
  if (options.reactions)
    reactions.emplace(*options.reactions, mechanism, effort_columns(mechanism), read_header(options.header));
  std::optional<ReportRecorder> report;
  if (options.report) report.emplace("motion", report::Recording::Role::kMotion, columns);
  const auto write = [&](const std::optional<std::string>& failure) {
    if (report) write_page(*run, mechanism, summary, *report, failure);
  };
  std::optional<Verification> verification;
  if (options.verify)
    verification.emplace(mechanism, started.assembly, grid, run->formulation().name(), options.integrator,
                         stepping.options);
  const SimulationFiles files{writer, reactions ? &*reactions : nullptr, report ? &*report : nullptr,
                              verification ? &*verification : nullptr};
  const bool is_complete = run_with_page([&] { return run->write_rows(files, summary, limit); }, write);
  std::optional<core::ErrorText> failure;
  std::optional<core::ErrorText> not_verified;
  if (is_complete && verification) not_verified = verify(*verification, limit, summary);
  if (!is_complete)
    failure = limit.was_reached() ? limit.error_text(options.model, seconds_of_motion(grid.until()),
                                                     seconds_of_motion(run->simulation().t()))
                                  : run->failure();
  else if (!options.accept_drift)
    failure = drift_failure(summary.energy, run->simulation().integrator().facts().is_adaptive);
  if (!failure) failure = not_verified;
  const std::exception_ptr unwritten =
      written_page([&] { write(failure ? std::optional(core::to_sentence(*failure)) : std::nullopt); });
  if (unwritten) summary.report.reset();

  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) { return simulation_summary(summary, style); },
      [&] { return simulation_json(summary); });
  print_uncertain_loads(mechanism, run->simulation());
  if (const auto note = drift_note(summary.energy); note && !failure)
    fmt::print(stderr, "eslabon: note: {}\n", *note);
  if (options.events) write_events(*options.events, run->simulation().log());
  print_notes(run->forces(), reactions, run->simulation().log());
  tell_unwritten(unwritten, failure.has_value());
  if (limit.was_reached()) throw CutRun(*failure, limit.status());
  if (failure) naming(options.model, [&] { throw core::ModelError(*failure); });
}

}  // namespace

void add_simulate_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand(
      "simulate", "Forward dynamics: the motion over time from masses, forces and drivers, as CSV");
  add_simulate_options(*command, *options);
  command->callback([options, &presentation] { run_simulate(*options, presentation); });
}

}  // namespace eslabon::cli
