#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "actuator_choice.hpp"
#include "command_line.hpp"
#include "command_reference.hpp"
#include "force_arrows.hpp"
#include "inverse.hpp"
#include "model_options.hpp"
#include "motion_report.hpp"
#include "panel_length.hpp"
#include "prescribed_motion.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "reactions_output.hpp"
#include "report_output.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/dynamics/energy.hpp"
#include "eslabon/dynamics/force_outputs.hpp"
#include "eslabon/dynamics/inverse_dynamics.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/row_laws.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

constexpr double kOpenEnergy = 1e-9;  // of its measure; more is worth a note
constexpr int kMostPanels = 400;      // of quadrature from row to row that its error alone may ask for

struct InverseOptions {
  MotionOptions motion;
  std::optional<std::string> actuators;
  std::optional<std::string> reactions;
};

/// Where the rows of a run go.
struct InverseFiles {
  io::ResultWriter& results;
  ReactionsOutput* reactions;  ///< nullptr: none
  ReportRecorder* report;      ///< nullptr: none

  void finish() {
    results.finish();
    if (reactions != nullptr) reactions->finish();
  }
};

/// Everything from a mechanism to the rows of its efforts.
class InverseRun {
 public:
  InverseRun(const InverseOptions& options, const model::Mechanism& mechanism, const TimeGrid& grid)
      : options_(options),
        mechanism_(mechanism),
        grid_(grid),
        motion_(options.motion, mechanism, grid),
        choice_(choose_actuators(motion_.driven(), options.actuators)),
        model_(mechanism, motion_.structure(), motion_.assembly()),
        inverse_(model_, choice_.actuators),
        recorder_(model_.assembled()),
        laws_(mechanism),
        forces_(model_, mechanism.outputs()),
        arrows_(model_, actuators_of(choice_)),
        bodies_(mechanism.bodies().size()),
        memory_(model_.start_memory()) {
    model_.prepare_drivers(grid.until());
    solve();  // what cannot be done is said before a file is begun
    freedoms_ = inverse_.num_freedoms();
  }

  /// Writes the rows; false when the motion ends before its time.
  bool write_rows(InverseFiles files, InverseSummary& summary, RunLimit& limit) {
    const auto start = std::chrono::steady_clock::now();
    if (files.report != nullptr) files.report->set_arrows(arrows_.arrows());
    const bool is_complete = write_rows_so_far(files, summary, limit);
    summary.motion.is_complete = is_complete;
    files.finish();
    summary.motion.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return is_complete;
  }

  const PrescribedMotion& motion() const { return motion_; }
  const ActuatorChoice& choice() const { return choice_; }
  const dynamics::ForceOutputs& forces() const { return forces_; }
  /// Whether nothing moves where the motion is.
  bool is_at_rest() const {
    return std::ranges::all_of(bodies_, [](const coordinates::BodyMotion& body) {
      return body.v_WB_W.isZero(0.0) && body.w_WB_W.isZero(0.0) && body.a_WB_W.isZero(0.0) &&
             body.alpha_WB_W.isZero(0.0);
    });
  }
  /// What the report shows of forces.
  const ForceArrows& arrows() const { return arrows_; }

 private:
  /// Those of the user: what holds idle spins is not drawn.
  static std::vector<ForceArrows::Actuator> actuators_of(const ActuatorChoice& choice) {
    constexpr std::string_view kEffort = ".effort";
    std::vector<ForceArrows::Actuator> actuators;
    for (std::size_t k = 0; k < choice.columns.size(); ++k) {
      const std::string& column = choice.columns[k].name;
      actuators.push_back({column.substr(0, column.size() - kEffort.size()),
                           std::get<model::Variable>(choice.actuators[k].what)});
    }
    return actuators;
  }

  /// Bodies where the motion is, and the angles that forces see there.
  void see_bodies() {
    motion_.evaluate_bodies(bodies_);
    model_.forces().follow_angles(bodies_, memory_.angles);
    t_seen_ = motion_.t();
  }
  /// The efforts where the motion is.
  void solve() {
    if (motion_.t() != t_seen_) see_bodies();  // between two steps
    inverse_.solve(motion_.t(), bodies_, memory_);
  }

  bool write_rows_so_far(InverseFiles files, InverseSummary& summary, RunLimit& limit) {
    ProgressBar bar;
    motion_.observe([this] {
      see_bodies();
      recorder_.count_turns(motion_.t(), bodies_);
    });
    for (std::int64_t k = 0; k < grid_.rows(); ++k) {
      const double t = grid_[k];
      while (motion_.t() < t) {
        if (limit.is_reached(motion_.motion().statistics().steps)) return false;
        if (!take_panel(t, t - grid_[k - 1], files)) return false;
      }
      write_row(t, files, summary);
      bar.update(t / grid_.until());
    }
    return true;
  }

  /// Goes on towards t, by a panel of quadrature in which no body turns far, and adds it to the account since the last row. `step`:
  /// from row to row.
  bool take_panel(double t, double step, InverseFiles& files) {
    constexpr double kPartOfSmallTurn = 0.2;
    const double start = motion_.t(), T_start = dynamics::kinetic_energy(mechanism_, bodies_);
    // A row that needs more panels has errors that are no matter of their length.
    const double by_error = ++panels_of_row_ <= kMostPanels ? panel_length_.longest() : HUGE_VAL;
    const double longest = std::min(kPartOfSmallTurn * time_of_small_turn(bodies_), by_error);
    const double end = motion_.next_instant(t, std::max(longest, 1e-6 * step)), length = end - start;
    keeping_rows_of(files, [&] { model_.check_drivers(start, end); });
    double gained = 0.0, passed = 0.0;
    for (const dynamics::QuadratureNode& node : dynamics::gauss_nodes()) {
      if (!advance_to(start + node.place * length, files)) return false;
      const dynamics::Powers& powers = inverse_.powers();
      since_row_.add(powers, node.weight * length);
      gained += node.weight * length * powers.kinetic;
      passed += node.weight * length * (std::abs(powers.actuators) + std::abs(powers.weights));
    }
    if (!advance_to(end, files)) return false;
    // Powers must have made the kinetic energy what it is.
    const double T_end = dynamics::kinetic_energy(mechanism_, bodies_);
    panel_length_.adapt(length, std::abs(gained - (T_end - T_start)), std::max(T_start, T_end) + passed,
                        std::max(std::abs(gained), std::abs(T_end - T_start)) / std::min(T_start, T_end));
    return true;
  }

  bool advance_to(double t, InverseFiles& files) {
    if (!motion_.advance_to(t, [&] { files.finish(); })) return false;
    keeping_rows_of(files, [&] { solve(); });
    return true;
  }

  void write_row(double t, InverseFiles& files, InverseSummary& summary) {
    const double constraint_error = motion_.constraint_error();
    const std::span<const double> recorded = recorder_.record(t, bodies_, constraint_error);
    keeping_rows_of(files, [&] {
      const auto broken = laws_.broken({t, bodies_, constraint_error, recorder_.stopped(), recorder_.driven(),
                                        motion_.motion().prescribed()});
      if (broken) throw core::ModelError(*broken);
    });
    forces_.record(t, inverse_.joints(), bodies_, inverse_.memory(), recorder_.outputs());
    const std::size_t outputs = recorded.size() - 2, actuators = choice_.columns.size();
    row_.assign(recorded.begin(), recorded.begin() + static_cast<std::ptrdiff_t>(outputs));
    row_.insert(row_.end(), inverse_.efforts().begin(),
                inverse_.efforts().begin() + static_cast<std::ptrdiff_t>(actuators));
    const dynamics::Powers& powers = inverse_.powers();
    row_.insert(row_.end(), {powers.actuators, recorded[outputs], powers.balance(), recorded[outputs + 1]});
    files.results.write_row(t, row_);
    if (files.reactions != nullptr)
      files.reactions->write_row(
          t, inverse_.joints(),
          {inverse_.efforts().begin(), inverse_.efforts().begin() + static_cast<std::ptrdiff_t>(actuators)},
          inverse_.are_efforts_unique(), inverse_.residual());
    if (files.report != nullptr) {
      const ForceArrows::Solution solution{inverse_.joints(), inverse_.efforts(),
                                           inverse_.are_efforts_unique()};
      files.report->add_row(t, row_);
      files.report->add_frame(bodies_, arrows_.evaluate(t, bodies_, inverse_.memory(), &solution));
    }
    summarise_row(summary);
  }

  void summarise_row(InverseSummary& summary) {
    for (std::size_t c = 0; c < row_.size(); ++c) summary.motion.ranges[c].add(row_[c]);
    ++summary.motion.rows;
    summary.energy.add(std::exchange(since_row_, {}));
    panels_of_row_ = 0;
    summary.of_rows = recorder_.energy();
    summary.most_freedoms = std::max(summary.most_freedoms, inverse_.num_freedoms());
    for (std::size_t k = 0; k < inverse_.efforts().size(); ++k) {
      const double effort = inverse_.efforts()[k];
      if (k >= summary.uses.size()) {
        summary.largest_holding = std::max(summary.largest_holding, std::abs(effort));
        continue;
      }
      ActuatorUse& use = summary.uses[k];
      use.effort.add(effort);
      use.square += effort * effort;
      const double power = effort * inverse_.rates()[k];
      if (std::abs(power) > std::abs(use.peak_power)) use.peak_power = power;
      use.was_unique = use.was_unique && inverse_.is_effort_unique(k);
    }
    const dynamics::Powers& powers = inverse_.powers();
    summary.largest_balance = std::max(summary.largest_balance, std::abs(powers.balance()));
    for (const double power : {powers.actuators, powers.weights, powers.springs, powers.loads, powers.dampers,
                               powers.friction, powers.kinetic})
      summary.largest_power = std::max(summary.largest_power, std::abs(power));
  }

  /// Does the work; what cannot be done on the way leaves the rows so far.
  template <class Work>
  void keeping_rows_of(InverseFiles& files, Work work) {
    try {
      work();
    } catch (const core::ModelError& error) {
      files.finish();
      core::ErrorText text = error.text();
      if (inverse_.num_freedoms() > freedoms_)
        text.next = fmt::format(
            "At the start there {} {}: here branches meet, and forces are not decided. Take another --step, "
            "so "
            "that no row falls on this place.",
            freedoms_ == 1 ? "is" : "are", freedoms_);
      throw core::ModelError(keeping_rows(options_.motion.model, text));
    }
  }

  const InverseOptions& options_;
  const model::Mechanism& mechanism_;
  const TimeGrid& grid_;
  PrescribedMotion motion_;
  ActuatorChoice choice_;
  dynamics::DynamicModel model_;
  dynamics::InverseDynamics inverse_;
  integration::Recorder recorder_;
  integration::RowLaws laws_;
  dynamics::ForceOutputs forces_;
  ForceArrows arrows_;
  coordinates::MechanismMotion bodies_;
  double t_seen_ = -1.0;  ///< of bodies_ [s]
  dynamics::ForceMemory memory_;
  int freedoms_ = 0;                        ///< at the start
  dynamics::EnergyAccount since_row_ = {};  ///< what has passed since the last row: counts with the next
  PanelLength panel_length_;
  int panels_of_row_ = 0;  ///< since the last row
  std::vector<double> row_;
};

/// The outputs of a run beside its efforts, which have columns of their own.
struct InverseModel {
  LoadedModel loaded;
  std::vector<std::string> efforts = {};  ///< efforts of drivers that were among the outputs
};

InverseModel select_inverse_outputs(const MotionOptions& options) {
  const model::Mechanism mechanism = load_model(options.model, options.set);
  if (mechanism.drivers().empty())
    throw core::ModelError({.what = "inverse dynamics needs a motion that is prescribed",
                            .where = options.model,
                            .expected = "a driver for every degree of freedom",
                            .actual = "a mechanism without drivers",
                            .next = "Add them under 'drivers:'; 'eslabon simulate' does forward dynamics."});
  InverseModel model{select_outputs(mechanism, options.outputs, true)};
  std::vector<std::string> others;
  for (const model::Variable& output : model.loaded.mechanism.outputs())
    (output.kind == model::VariableKind::kDriverEffort ? model.efforts : others)
        .push_back(model::name(mechanism, output));
  model.loaded.mechanism = model::with_outputs(model.loaded.mechanism, others);
  return model;
}

/// Efforts of drivers that are no actuators: an error where the user asked for them, otherwise a line.
void report_idle_drivers(const InverseOptions& options, const std::vector<std::string>& efforts,
                         const std::vector<io::ResultColumn>& columns) {
  std::vector<std::string> idle;
  for (const std::string& effort : efforts)
    if (std::ranges::find(columns, effort, &io::ResultColumn::name) == columns.end()) idle.push_back(effort);
  if (idle.empty()) return;
  if (options.motion.outputs)
    throw CommandLineError({.what = "a driver that is not an actuator has no effort",
                            .where = "--outputs",
                            .expected = "efforts of --actuators",
                            .actual = "'" + idle.front() + "'",
                            .next = "Leave it out, or add the driver to --actuators."});
  fmt::print(stderr, "eslabon: left out: {}: no actuator here.\n", listed(idle, 6));
}

std::vector<io::ResultColumn> inverse_columns(const model::Mechanism& mechanism,
                                              const std::vector<io::ResultColumn>& efforts) {
  std::vector<io::ResultColumn> columns = integration::recorded_columns(mechanism);
  const std::vector<io::ResultColumn> last(columns.end() - 2, columns.end());  // energy, constraint_error
  columns.resize(columns.size() - 2);
  columns.insert(columns.end(), efforts.begin(), efforts.end());
  columns.push_back({"power", "W"});
  columns.push_back(last[0]);
  columns.push_back({"power_balance", "W"});
  columns.push_back(last[1]);
  return columns;
}

/// The page of a run, also of one that ended early.
void write_page(const InverseRun& run, const model::Mechanism& mechanism, const InverseSummary& summary,
                ReportRecorder& recorder, const std::optional<std::string>& failure) {
  const PrescribedMotion& motion = run.motion();
  for (report::Mark& mark : event_marks(mechanism, motion.motion().events()))
    recorder.add_mark(std::move(mark));
  RunStory story{.subtitle = fmt::format("inverse dynamics; {:.6g} s", motion.t()),
                 .facts = inverse_facts(summary),
                 .notes = {},
                 .failure = failure};
  if (const auto note = not_unique_note(run.arrows().not_unique())) story.notes.push_back(*note);
  write_motion_report(*summary.motion.report, mechanism, motion.structure(), recorder, std::move(story));
}

void run_inverse(const InverseOptions& options, const Presentation& presentation) {
  const MotionOptions& given = options.motion;
  check_method(given);
  static_cast<void>(read_header(given.header));
  check_limits(given.limits);
  const TimeGrid grid = read_grid(given);
  check_out(given.out);
  check_report_option(given.report);
  if (options.reactions) check_also_out("--reactions", "the reactions", *options.reactions);
  const InverseModel model = select_inverse_outputs(given);
  const model::Mechanism& mechanism = model.loaded.mechanism;
  const auto run =
      naming(given.model, [&] { return std::make_unique<InverseRun>(options, mechanism, grid); });
  report_idle_drivers(options, model.efforts, run->choice().columns);
  const std::vector<io::ResultColumn> columns = inverse_columns(mechanism, run->choice().columns);
  const PrescribedMotion& motion = run->motion();
  InverseSummary summary{.motion = {.driven = motion.driven(),
                                    .motion = motion.motion(),
                                    .reason = motion.choice().reason,
                                    .columns = columns,
                                    .ranges = std::vector<ColumnRange>(columns.size()),
                                    .until = grid.until(),
                                    .has_default_outputs = model.loaded.has_default_outputs,
                                    .file = given.out == kStdout ? "to the standard output" : given.out,
                                    .report = given.report},
                         .efforts = run->choice().columns,
                         .uses = std::vector<ActuatorUse>(run->choice().columns.size()),
                         .reactions = options.reactions.value_or("")};
  RunLimit limit(given.limits);
  io::ResultWriter writer = open_results(given.out, columns, read_header(given.header));
  std::optional<ReactionsOutput> reactions;
  if (options.reactions)
    reactions.emplace(*options.reactions, mechanism, run->choice().columns, read_header(given.header));
  std::optional<ReportRecorder> report;
  if (given.report) report.emplace("motion", report::Recording::Role::kMotion, columns);
  const auto write = [&](const std::optional<std::string>& failure) {
    if (report) write_page(*run, mechanism, summary, *report, failure);
  };
  const InverseFiles files{writer, reactions ? &*reactions : nullptr, report ? &*report : nullptr};
  const bool is_complete = run_with_page([&] { return run->write_rows(files, summary, limit); }, write);
  std::optional<core::ErrorText> failure;
  if (!is_complete)
    failure = limit.was_reached() ? limit.error_text(given.model, seconds_of_motion(grid.until()),
                                                     seconds_of_motion(motion.t()))
                                  : motion.motion().events().back().error_text(mechanism);
  const std::exception_ptr unwritten =
      written_page([&] { write(failure ? std::optional(core::to_sentence(*failure)) : std::nullopt); });
  if (unwritten) summary.motion.report.reset();

  presentation.show(
      given.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) { return inverse_summary(summary, style); },
      [&] { return inverse_json(summary); });
  if (summary.open_energy() > kOpenEnergy * summary.energy_measure())
    fmt::print(stderr,
               "eslabon: note: of the {:.4g} J exchanged, {:.2g} J are not accounted for: forces change "
               "faster than they are sampled, an acceleration jumps, or a singular position is near. A "
               "shorter --step samples more often.\n",
               summary.passed_energy(), summary.open_energy());
  if (grid.until() == 0.0 && !run->is_at_rest())
    fmt::print(stderr,
               "eslabon: note: at t = 0 s the drivers move the mechanism, and the efforts are those of this "
               "motion, inertia included; 'eslabon equilibrium' holds the drivers and gives the efforts at "
               "rest.\n");
  if (reactions)
    reactions->print_notes();  // about all joints and actuators
  else
    print_not_unique(run->forces().not_unique());
  print_passed(mechanism, motion.motion().events());
  tell_unwritten(unwritten, failure.has_value());
  if (limit.was_reached()) throw CutRun(*failure, limit.status());
  if (failure) naming(given.model, [&] { throw core::ModelError(*failure); });
}

}  // namespace

void add_inverse_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<InverseOptions>();
  CLI::App* command = app.add_subcommand(
      "inverse",
      "Inverse dynamics: efforts of the drivers, or of other actuators, for the prescribed motion, as CSV");
  add_motion_options(*command, options->motion);
  command
      ->add_option("--actuators", options->actuators,
                   "Actuators: drivers, or position variables such as A.q; without it the drivers")
      ->type_name("NAMES")
      ->group(kModelOptions);
  command
      ->add_option("--reactions", options->reactions,
                   "CSV file for the reactions of all joints, in world axes and in the joint's own")
      ->type_name("FILE")
      ->group(kFileOptions);
  show_examples(
      *command,
      {{"The torque that the motor of a four-bar needs:",
        "eslabon inverse models/fourbar-testbed.yaml --until 3.5 --step '10 ms' --out efforts.csv"},
       {"The same motion, actuated at the rocker, with all joint reactions:",
        "eslabon inverse models/fourbar-testbed.yaml --until 0.2 --step '10 ms' --actuators B.q --reactions "
        "reactions.csv --out rocker.csv"}});
  command->callback([options, &presentation] { run_inverse(*options, presentation); });
}

}  // namespace eslabon::cli
