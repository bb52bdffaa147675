#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "actuator_choice.hpp"
#include "command_line.hpp"
#include "events_output.hpp"
#include "progress_bar.hpp"
#include "reactions_output.hpp"
#include "released_start.hpp"
#include "simulate.hpp"
#include "simulate_options.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/dynamics/force_outputs.hpp"
#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostNotes = 20;

/// Everything from a mechanism to the rows of its motion.
class SimulationRun {
 public:
  SimulationRun(const SimulateOptions& options, const model::Mechanism& with_drivers,
                const model::Mechanism& mechanism, const TimeGrid& grid, const Stepping& stepping)
      : mechanism_(mechanism),
        grid_(grid),
        structure_(structure::analyse_structure(mechanism)),
        assembly_(assembled_as_driven(with_drivers, mechanism, structure_, options.branch)),
        model_(mechanism, structure_, assembly_, grid.until()),
        choice_(chosen_formulation(options, model_)),
        formulation_(
            dynamics::make_formulation(choice_.formulation, model_, read_formulation_options(options))),
        simulation_(model_, *formulation_, integration::make_integrator(options.integrator, stepping.options),
                    grid.until()),
        recorder_(mechanism, assembly_),
        forces_(model_, mechanism.outputs()),
        reactions_(model_) {}

  /// Writes the rows, and reactions where there is a file for them; false when the motion ends before its time.
  bool write_rows(io::ResultWriter& writer, ReactionsOutput* reactions, SimulationSummary& summary) {
    const auto start = std::chrono::steady_clock::now();
    const bool is_complete = write_rows_so_far(writer, reactions, summary);
    writer.finish();
    if (reactions != nullptr) reactions->finish();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return is_complete;
  }

  const dynamics::FormulationChoice& choice() const { return choice_; }
  const dynamics::Formulation& formulation() const { return *formulation_; }
  const integration::Simulation& simulation() const { return simulation_; }
  const integration::Recorder& recorder() const { return recorder_; }
  const dynamics::ForceOutputs& forces() const { return forces_; }

 private:
  static dynamics::FormulationChoice chosen_formulation(const SimulateOptions& options,
                                                        const dynamics::DynamicModel& model) {
    if (options.formulation != kAuto) return {options.formulation, ""};
    if (options.coordinates) return {"null-space", "--coordinates asks for coordinates"};
    return dynamics::choose_formulation(model);
  }

  void write_reactions(double t, const coordinates::MechanismMotion& bodies, ReactionsOutput& out) {
    reactions_.solve(t, bodies, simulation_.point().state.memory);
    out.write_row(t, reactions_.joints(), reactions_.efforts(), reactions_.are_efforts_unique(),
                  reactions_.residual());
  }

  bool write_rows_so_far(io::ResultWriter& writer, ReactionsOutput* reactions, SimulationSummary& summary) {
    ProgressBar bar;
    coordinates::MechanismMotion bodies(mechanism_.bodies().size());
    simulation_.evaluate_bodies(bodies);
    for (std::int64_t k = 0; k < grid_.rows(); ++k) {
      const double t = grid_[k];
      while (simulation_.t() < t) {
        if (!simulation_.advance_by_small_turns(t)) return false;
        simulation_.evaluate_bodies(bodies);
        if (simulation_.t() < t) recorder_.count_turns(simulation_.t(), bodies);
      }
      const std::span<const double> row = recorder_.record(t, bodies, simulation_.constraint_error());
      forces_.record(t, bodies, simulation_.point().state.memory, recorder_.outputs());
      writer.write_row(t, row);
      if (reactions != nullptr) write_reactions(t, bodies, *reactions);
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
  dynamics::ForceOutputs forces_;
  dynamics::Reactions reactions_;  ///< for --reactions
};

void print_notes(const dynamics::ForceOutputs& forces, const std::optional<ReactionsOutput>& reactions,
                 const std::vector<integration::LogEntry>& log) {
  if (reactions) {
    reactions->print_notes();  // about all joints and drivers
  } else {
    print_unbalanced(forces.unbalanced_at());
    print_not_unique(forces.not_unique());
  }
  // What stops and friction do is on the page, and whole in the file of --events.
  std::size_t notes = 0;
  for (const integration::LogEntry& entry : log) {
    if (entry.kind == integration::LogEntry::Kind::kStop ||
        entry.kind == integration::LogEntry::Kind::kFriction)
      continue;
    if (++notes <= kMostNotes) fmt::print(stderr, "eslabon: note: t = {:.9g} s: {}.\n", entry.t, entry.text);
  }
  if (notes > kMostNotes) fmt::print(stderr, "eslabon: note: … and {} more events.\n", notes - kMostNotes);
}

[[noreturn]] void throw_failure(const integration::Simulation& simulation) {
  core::ErrorText text = simulation.failure()->error_text(simulation.integrator().facts().is_adaptive);
  text.next += " Results up to there are kept.";
  throw core::ModelError(text);
}

void run_simulate(const SimulateOptions& options) {
  check_simulate_options(options);
  const TimeGrid grid = read_grid(options);
  check_out(options.model, options.out);
  if (options.reactions)
    check_also_out("--reactions", "the reactions", options.model, options.out, *options.reactions);
  if (options.events) {
    check_also_out("--events", "the events", options.model, options.out, *options.events);
    write_events(*options.events, {});  // what cannot be written is said before the run
  }
  const model::Mechanism loaded = io::load_model(options.model, options.set);
  const std::vector<std::string> released = released_drivers(options.release, loaded);
  const LoadedModel model = select_outputs(
      naming("--release", [&] { return model::without_drivers(loaded, released); }), options.outputs, true);
  const model::Mechanism& mechanism = model.mechanism;
  const Stepping stepping = read_stepping(options, mechanism, grid);
  const auto run = naming(options.model, [&] {
    return std::make_unique<SimulationRun>(options, loaded, mechanism, grid, stepping);
  });
  const std::vector<io::ResultColumn> columns = io::result_columns(mechanism);
  SimulationSummary summary{.mechanism = mechanism,
                            .formulation = run->formulation(),
                            .reason = run->choice().reason,
                            .simulation = run->simulation(),
                            .recorder = run->recorder(),
                            .columns = columns,
                            .ranges = std::vector<ColumnRange>(columns.size()),
                            .released = released,
                            .steps = stepping.text,
                            .until = grid.until(),
                            .has_default_outputs = model.has_default_outputs,
                            .file = options.out == kStdout ? "to the standard output" : options.out};
  io::ResultWriter writer = open_results(options.out, columns);
  std::optional<ReactionsOutput> reactions;
  if (options.reactions) reactions.emplace(*options.reactions, mechanism, effort_columns(mechanism));
  const bool is_complete = run->write_rows(writer, reactions ? &*reactions : nullptr, summary);

  std::FILE* const page = options.out == kStdout ? stderr : stdout;
  std::fputs(simulation_summary(summary, has_colour(fileno(page))).c_str(), page);
  std::fflush(page);
  std::vector<std::string> uncertain;
  for (const model::JointIndex joint : run->simulation().uncertain_loads())
    uncertain.push_back(mechanism.joint(joint).name);
  if (!uncertain.empty())
    fmt::print(stderr,
               "eslabon: note: friction of {} depends on a load that redundant joints share in a way that no "
               "rigid body "
               "decides: the share with the least squares is taken.\n",
               listed(uncertain, 6));
  if (options.events) write_events(*options.events, run->simulation().log());
  print_notes(run->forces(), reactions, run->simulation().log());
  if (!is_complete) naming(options.model, [&] { throw_failure(run->simulation()); });
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand(
      "simulate",
      "Lets forces move a mechanism: its motion over time from masses, forces and drivers, as CSV");
  add_simulate_options(*command, *options);
  command->callback([options] { run_simulate(*options); });
}

}  // namespace eslabon::cli
