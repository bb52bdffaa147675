#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "command_line.hpp"
#include "progress_bar.hpp"
#include "simulate.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/dynamics/force_outputs.hpp"
#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/io/quantity.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

constexpr const char* kAuto = "auto";
constexpr const char* kAll = "all";
constexpr std::int64_t kDefaultRows = 1000;
constexpr std::size_t kMostNotes = 20;

struct SimulateOptions {
  std::string model;
  std::vector<std::string> set;
  std::string until;
  std::optional<std::string> step, rtol, atol, every;
  std::string integrator = "dopri5";
  std::string formulation = kAuto;
  std::optional<std::string> coordinates;
  std::vector<std::string> release;
  std::optional<std::string> outputs;
  std::optional<std::string> branch;
  std::string out;
};

/// A tolerance: a number, 0 < x < 1.
double read_tolerance(const std::string& option, const std::string& text, double least) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value < 1.0) return value;
  throw CommandLineError({.what = "this is no tolerance",
                          .where = option,
                          .expected = fmt::format("a number of at least {:g}, below 1", least),
                          .actual = io::in_quotes(text),
                          .next = "Write for example " + option + " 1e-8."});
}

void check_ways(const SimulateOptions& options) {
  check_word("--integrator", "unknown integrator", options.integrator, integration::integrator_names());
  std::vector<std::string> formulations = dynamics::formulation_names();
  formulations.insert(formulations.begin(), kAuto);
  check_word("--formulation", "unknown formulation", options.formulation, formulations);
  if (options.coordinates)
    check_word("--coordinates", "unknown coordinates", *options.coordinates, coordinates::layout_names());
  if (options.coordinates && options.formulation != kAuto) {
    const std::vector<std::string> kinds = dynamics::coordinate_kinds(options.formulation);
    if (std::ranges::find(kinds, *options.coordinates) == kinds.end())
      throw CommandLineError(
          {.what = "the formulation '" + options.formulation + "' does not have these coordinates",
           .where = "--coordinates",
           .expected = kinds.empty() ? "none: it has its own" : core::quoted_list(kinds),
           .actual = io::in_quotes(*options.coordinates),
           .next = "Leave --coordinates out, or take another formulation."});
  }
  std::vector<std::string> adaptive, fixed;
  for (const std::string& name : integration::integrator_names())
    (integration::is_adaptive(name) ? adaptive : fixed).push_back(name);
  const bool is_adaptive = integration::is_adaptive(options.integrator);
  if (is_adaptive && options.step)
    throw CommandLineError(
        {.what = "the integrator '" + options.integrator + "' finds its own steps",
         .where = "--step",
         .expected = "one with a fixed step, " + core::quoted_list(fixed),
         .actual = io::in_quotes(*options.step) + " with --integrator " + options.integrator,
         .next = "Use --every for the time from row to row, --rtol and --atol for accuracy."});
  if (!is_adaptive && !options.step)
    throw CommandLineError({.what = "the integrator '" + options.integrator + "' needs a step",
                            .where = "--step",
                            .expected = "a positive time in s",
                            .actual = "none",
                            .next = "Write for example --step '1 ms'."});
  for (const auto& [option, value] : {std::pair{"--rtol", &options.rtol}, std::pair{"--atol", &options.atol}})
    if (!is_adaptive && *value)
      throw CommandLineError({.what = "the integrator '" + options.integrator + "' has no tolerances",
                              .where = option,
                              .expected = "one that finds its own steps, " + core::quoted_list(adaptive),
                              .actual = io::in_quotes(**value) + " with --integrator " + options.integrator,
                              .next = "Use --step, or take another integrator."});
}

/// How the motion is integrated, and in words.
struct Stepping {
  integration::IntegratorOptions options;
  std::string text;
};

Stepping read_stepping(const SimulateOptions& options) {
  Stepping stepping;
  if (options.step) {
    stepping.options.step = read_time("--step", "step", *options.step).seconds();
    stepping.text = fmt::format("steps of {:g} s", stepping.options.step);
    return stepping;
  }
  if (options.rtol) stepping.options.rtol = read_tolerance("--rtol", *options.rtol, 1e-14);
  if (options.atol) stepping.options.atol = read_tolerance("--atol", *options.atol, 1e-300);
  stepping.text =
      fmt::format("errors of {:g} relative and {:g} absolute", stepping.options.rtol, stepping.options.atol);
  return stepping;
}

/// The rows: every --every, or --step, or a thousandth of the run.
TimeGrid read_grid(const SimulateOptions& options) {
  const core::Duration until = read_time("--until", "time at the end", options.until);
  if (options.every) return {until, read_time("--every", "time from row to row", *options.every), "--every"};
  if (options.step) return {until, read_time("--step", "step", *options.step), "--step"};
  const std::int64_t ns = std::max<std::int64_t>(1, (until.nanoseconds() + kDefaultRows - 1) / kDefaultRows);
  return {until, core::Duration::from_nanoseconds(ns), "--until"};
}

/// The drivers that are let go, by their names.
std::vector<std::string> released_drivers(const SimulateOptions& options, const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const std::string& word : options.release) {
    if (word != kAll) {
      if (std::ranges::find(names, word) == names.end()) names.push_back(word);
      continue;
    }
    names.clear();
    for (const model::Driver& driver : mechanism.drivers()) names.push_back(driver.name);
    break;
  }
  return names;
}

/// Where a mechanism starts whose drivers were let go: where it would with them. What cannot be assembled with them is assembled
/// without.
kinematics::AssemblyReport assembled(const model::Mechanism& with_drivers, const model::Mechanism& mechanism,
                                     const structure::Structure& structure,
                                     const std::optional<std::string>& branch) {
  if (with_drivers.drivers().size() == mechanism.drivers().size())
    return assembled_on_branch(mechanism, structure, branch);
  const structure::Structure driven = structure::analyse_structure(with_drivers);
  if (!kinematics::assemble(with_drivers, driven).usable())
    return assembled_on_branch(mechanism, structure, branch);
  const kinematics::AssemblyReport start = assembled_on_branch(with_drivers, driven, branch);
  std::vector<double> kept;
  for (std::size_t i = 0; i < with_drivers.drivers().size(); ++i)
    if (std::ranges::any_of(mechanism.drivers(), [&](const model::Driver& driver) {
          return driver.name == with_drivers.drivers()[i].name;
        }))
      kept.push_back(start.driver_starts[i]);
  kinematics::AssemblyReport report = kinematics::assemble_from(mechanism, structure, start.bodies, kept);
  if (!report.usable()) throw core::ModelError(report.error_text());
  return report;
}

/// Everything from a mechanism to the rows of its motion.
class SimulationRun {
 public:
  SimulationRun(const SimulateOptions& options, const model::Mechanism& with_drivers,
                const model::Mechanism& mechanism, const TimeGrid& grid, const Stepping& stepping)
      : mechanism_(mechanism),
        grid_(grid),
        structure_(structure::analyse_structure(mechanism)),
        assembly_(assembled(with_drivers, mechanism, structure_, options.branch)),
        model_(mechanism, structure_, assembly_, grid.until()),
        choice_(chosen_formulation(options, model_)),
        formulation_(dynamics::make_formulation(choice_.formulation, model_,
                                                {.kind = options.coordinates.value_or("")})),
        simulation_(model_, *formulation_, integration::make_integrator(options.integrator, stepping.options),
                    grid.until()),
        recorder_(mechanism, assembly_),
        forces_(model_, mechanism.outputs()) {}

  /// Writes the rows; false when the motion ends before its time.
  bool write_rows(io::ResultWriter& writer, SimulationSummary& summary) {
    const auto start = std::chrono::steady_clock::now();
    const bool is_complete = write_rows_so_far(writer, summary);
    writer.finish();
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

  bool write_rows_so_far(io::ResultWriter& writer, SimulationSummary& summary) {
    ProgressBar bar;
    coordinates::MechanismMotion bodies(mechanism_.bodies().size());
    simulation_.evaluate_bodies(bodies);
    for (std::int64_t k = 0; k < grid_.rows(); ++k) {
      const double t = grid_[k];
      while (simulation_.t() < t) {
        const double h = std::max(time_of_small_turn(bodies), 1e-6 * (t - grid_[k - 1]));
        const double next = std::min(t, simulation_.t() + h);
        if (!simulation_.advance_to(next)) return false;
        simulation_.evaluate_bodies(bodies);
        if (next < t) recorder_.count_turns(next, bodies);
      }
      const std::span<const double> row = recorder_.record(t, bodies, simulation_.constraint_error());
      forces_.record(t, bodies, simulation_.point().state.angles, recorder_.outputs());
      writer.write_row(t, row);
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
};

void print_notes(const std::vector<std::string>& not_unique, const std::vector<integration::LogEntry>& log) {
  if (!not_unique.empty())
    fmt::print(stderr,
               "eslabon: note: reactions of {} are not unique, because joints are redundant: those with the "
               "least squares are "
               "written.\n",
               listed(not_unique, 6));
  for (std::size_t k = 0; k < log.size() && k < kMostNotes; ++k)
    fmt::print(stderr, "eslabon: note: t = {:.9g} s: {}.\n", log[k].t, log[k].text);
  if (log.size() > kMostNotes)
    fmt::print(stderr, "eslabon: note: … and {} more events.\n", log.size() - kMostNotes);
}

[[noreturn]] void throw_failure(const integration::Simulation& simulation) {
  core::ErrorText text = simulation.failure()->error_text(simulation.integrator().facts().is_adaptive);
  text.next += " Results up to there are kept.";
  throw core::ModelError(text);
}

void run_simulate(const SimulateOptions& options) {
  check_ways(options);
  const Stepping stepping = read_stepping(options);
  const TimeGrid grid = read_grid(options);
  check_out(options.model, options.out);
  const model::Mechanism loaded = io::load_model(options.model, options.set);
  const std::vector<std::string> released = released_drivers(options, loaded);
  const LoadedModel model = select_outputs(
      naming("--release", [&] { return model::without_drivers(loaded, released); }), options.outputs, true);
  const model::Mechanism& mechanism = model.mechanism;
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
  const bool is_complete = run->write_rows(writer, summary);

  std::FILE* const page = options.out == kStdout ? stderr : stdout;
  std::fputs(simulation_summary(summary, has_colour(fileno(page))).c_str(), page);
  std::fflush(page);
  print_notes(run->forces().not_unique(), run->simulation().log());
  if (!is_complete) naming(options.model, [&] { throw_failure(run->simulation()); });
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand(
      "simulate",
      "Lets forces move a mechanism: its motion over time from masses, forces and drivers, as CSV");
  command->add_option("MODEL", options->model, "A mechanism file, or family:NAME,key=value…")->required();
  command->add_option("--until", options->until, "Time at the end, in s or with a unit")->required();
  command->add_option("--out", options->out, "FILE.csv for the results; - is the standard output")
      ->required();
  command
      ->add_option("--integrator", options->integrator,
                   "dopri5 and bdf (stiff mechanisms) find their steps; rk4, trapezoidal and "
                   "generalized-alpha need --step")
      ->capture_default_str();
  command->add_option("--step", options->step, "Step of rk4, trapezoidal, generalized-alpha");
  command->add_option("--rtol", options->rtol, "Relative error of a step of dopri5 and bdf [1e-8]");
  command->add_option("--atol", options->atol, "Absolute error of a step of dopri5 and bdf [1e-10]");
  command->add_option("--every", options->every,
                      "Time from row to row; without it that of --step, or a thousandth of the run");
  command
      ->add_option(
          "--formulation", options->formulation,
          "How the equations of motion are written: groups, semi-recursive, null-space, multipliers, "
          "augmented-lagrangian; auto picks by structure and size")
      ->capture_default_str();
  command->add_option(
      "--coordinates", options->coordinates,
      "Of null-space, multipliers and augmented-lagrangian: natural, reference-point or relative");
  command
      ->add_option("--release", options->release, "Let this driver go (repeatable); all lets every driver go")
      ->allow_extra_args(false);
  command->add_option(
      "--branch", options->branch,
      "Start on this branch instead of that of the start values, e.g. --branch=+- (see 'eslabon info "
      "--branches')");
  command->add_option("--outputs", options->outputs, "a,b,c: these outputs instead of those of the file");
  command
      ->add_option("--set", options->set,
                   "name=value: give a parameter of the file another value (repeatable)")
      ->allow_extra_args(false);
  command->callback([options] { run_simulate(*options); });
}

}  // namespace eslabon::cli
