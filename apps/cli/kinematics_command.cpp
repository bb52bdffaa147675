#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "kinematics.hpp"
#include "placement.hpp"
#include "progress_bar.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/dynamics/energy.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/kinematics/branch.hpp"
#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

using kinematics::MotionEvent;
using model::Variable;

constexpr std::int64_t kMostRows = 100'000'000;
constexpr std::size_t kMostNotes = 20;
constexpr const char* kStdout = "-";
constexpr const char* kAuto = "auto";

struct KinematicsOptions {
  std::string model;
  std::vector<std::string> set;
  std::string until;
  std::string step;
  std::string method = "auto";
  std::optional<std::string> coordinates;
  std::optional<std::string> outputs;
  std::optional<std::string> branch;
  std::string out;
};

/// The instants of the rows: 0, h, 2 h, … and the end.
class TimeGrid {
 public:
  TimeGrid(core::Duration until, core::Duration step)
      : until_(until), step_(step), count_(core::number_of_steps(until, step)) {
    if (rows() <= kMostRows) return;
    throw CommandLineError({.what = "too many rows",
                            .where = "--step",
                            .expected = fmt::format("at most {} steps up to --until", kMostRows),
                            .actual = fmt::format("{} steps of {} s", rows() - 1, step.seconds()),
                            .next = "Take a longer step or an earlier end."});
  }
  std::int64_t rows() const { return 1 + count_.whole + (count_.rest > core::Duration() ? 1 : 0); }
  /// Time of row k [s].
  double operator[](std::int64_t k) const { return (k > count_.whole ? until_ : step_ * k).seconds(); }
  double until() const { return until_.seconds(); }

 private:
  core::Duration until_, step_;
  core::StepCount count_;
};

/// The mechanism with the outputs that are written.
struct LoadedModel {
  model::Mechanism mechanism;
  std::vector<std::string> left_out = {};  ///< outputs of the file that a motion does not tell
  bool has_default_outputs = false;        ///< neither the file nor the command line names any
};

/// The coordinates of all joints: what is written when nobody asks for anything.
std::vector<std::string> joint_coordinates(const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
      names.push_back(model::name(
          mechanism, {model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c}));
  return names;
}

LoadedModel load(const KinematicsOptions& options) {
  LoadedModel model{io::load_model(options.model, options.set)};
  if (options.outputs) {
    const std::vector<std::string> names = read_names("--outputs", *options.outputs);
    model.mechanism = naming("--outputs", [&] { return model::with_outputs(model.mechanism, names); });
  }
  std::vector<std::string> told;
  for (const Variable& output : model.mechanism.outputs())
    (kinematics::needs_forces(output) ? model.left_out : told)
        .push_back(model::name(model.mechanism, output));
  if (options.outputs && !model.left_out.empty())
    throw core::ModelError({.what = "kinematics computes no forces",
                            .where = "--outputs",
                            .expected = "positions, velocities and accelerations",
                            .actual = "'" + model.left_out.front() + "'",
                            .next = "Leave it out."});
  model.has_default_outputs = told.empty();
  if (told.empty()) told = joint_coordinates(model.mechanism);
  model.mechanism = model::with_outputs(model.mechanism, told);
  return model;
}

/// Values of outputs and energy at one instant after the other.
class RowRecorder {
 public:
  RowRecorder(const model::Mechanism& mechanism, const kinematics::AssemblyReport& assembly)
      : mechanism_(mechanism),
        outputs_(mechanism, mechanism.outputs()),
        springs_(mechanism, spring_lengths(mechanism)),
        values_(outputs_.variables().size() + 2),
        lengths_(mechanism.springs().size()) {
    give_hints(assembly, outputs_);
    give_hints(assembly, springs_);
  }

  /// The row at time t; the motion is of that instant.
  std::span<const double> record(double t, const coordinates::MechanismMotion& bodies,
                                 double constraint_error) {
    const std::size_t n = values_.size() - 2;
    outputs_.record(t, bodies, std::span(values_).first(n));
    springs_.record(t, bodies, lengths_);
    values_[n] = dynamics::mechanical_energy(mechanism_, bodies, lengths_);
    values_[n + 1] = constraint_error;
    return values_;
  }

 private:
  static std::vector<Variable> spring_lengths(const model::Mechanism& mechanism) {
    std::vector<Variable> variables;
    for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
      variables.push_back({model::VariableKind::kElementLength, model::SpringIndex(static_cast<int>(s)), 0});
    return variables;
  }

  /// The position variable that this one follows: a spring in a joint has the joint's angle.
  Variable followed(const Variable& variable) const {
    const model::Connection* connection = nullptr;
    if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
      connection = &mechanism_.springs()[spring->slot()].connection;
    if (const auto* damper = std::get_if<model::DamperIndex>(&variable.element))
      connection = &mechanism_.dampers()[damper->slot()].connection;
    const auto* coordinate = connection ? std::get_if<model::JointCoordinate>(connection) : nullptr;
    if (coordinate == nullptr) return variable;
    return {model::VariableKind::kJointPosition, coordinate->joint, coordinate->component};
  }

  /// Angles start where the user said, which may be beyond half a turn.
  void give_hints(const kinematics::AssemblyReport& assembly, kinematics::VariableRecorder& recorder) const {
    for (std::size_t k = 0; k < recorder.variables().size(); ++k) {
      const Variable variable = followed(recorder.variables()[k]);
      for (const model::StartValue& start : mechanism_.start_values())
        if (start.variable == variable) recorder.set_hint(static_cast<int>(k), start.value);
      for (std::size_t i = 0; i < mechanism_.drivers().size(); ++i)
        if (mechanism_.drivers()[i].target == variable)
          recorder.set_hint(static_cast<int>(k), assembly.driver_starts[i]);
    }
  }

  const model::Mechanism& mechanism_;
  kinematics::VariableRecorder outputs_;
  kinematics::VariableRecorder springs_;
  std::vector<double> values_;   ///< (outputs + 2)
  std::vector<double> lengths_;  ///< (springs) [m or rad]
};

io::ResultWriter open_results(const std::string& path, const std::vector<io::ResultColumn>& columns) {
  if (path != kStdout) return io::ResultWriter(path, columns);
  return io::ResultWriter(fdopen(dup(STDOUT_FILENO), "wb"), "the standard output", columns);
}

/// A time in which no body turns by more than about half a radian, so that no angle between two bodies can make a turn
/// unseen: |ω| h ≤ ½ and ½ |α| h² ≤ ½ [s].
double time_of_small_turn(const coordinates::MechanismMotion& bodies) {
  double w = 0.0, alpha = 0.0;
  for (const coordinates::BodyMotion& body : bodies) {
    w = std::max(w, body.w_WB_W.squaredNorm());
    alpha = std::max(alpha, body.alpha_WB_W.squaredNorm());
  }
  return std::min(0.5 / std::sqrt(w), 1.0 / std::sqrt(std::sqrt(alpha)));  // infinite at rest
}

/// Everything from a mechanism to the rows of its motion.
class KinematicsRun {
 public:
  KinematicsRun(const KinematicsOptions& options, const model::Mechanism& mechanism, const TimeGrid& grid)
      : options_(options),
        mechanism_(mechanism),
        grid_(grid),
        structure_(structure::analyse_structure(mechanism)),
        assembly_(on_branch(mechanism, structure_, assembled(mechanism, structure_), options.branch)),
        driven_(mechanism, structure_, assembly_, grid.until()),
        choice_(chosen_method(options, driven_)),
        motion_(choice_.method, options.coordinates.value_or("natural"), driven_) {}

  /// Writes the rows; false when the motion ends before its time.
  bool write_rows(RowRecorder& recorder, io::ResultWriter& writer, MotionSummary& summary) {
    const auto start = std::chrono::steady_clock::now();
    const bool is_complete = write_rows_so_far(recorder, writer, summary);
    writer.finish();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return is_complete;
  }

  const kinematics::AssemblyReport& assembly() const { return assembly_; }
  const kinematics::DrivenMechanism& driven() const { return driven_; }
  const kinematics::MethodChoice& choice() const { return choice_; }
  const kinematics::Motion& motion() const { return motion_; }

 private:
  static kinematics::MethodChoice chosen_method(const KinematicsOptions& options,
                                                const kinematics::DrivenMechanism& driven) {
    if (options.method != kAuto) return {options.method, ""};
    if (options.coordinates) return {"sparse", "--coordinates asks for coordinates"};
    return kinematics::choose_method(driven);
  }

  static kinematics::AssemblyReport assembled(const model::Mechanism& mechanism,
                                              const structure::Structure& structure) {
    kinematics::AssemblyReport report = kinematics::assemble(mechanism, structure);
    if (report.usable()) return report;
    if (report.status == kinematics::AssemblyReport::Status::kUnreachableDriver) {
      // Out of reach may be the start, or all that the driver asks for; the second says its own reason.
      const kinematics::AssemblyReport free = assemble_without_drivers(mechanism, structure);
      if (free.usable()) const kinematics::DrivenMechanism check(mechanism, structure, free, 0.0);
    }
    throw core::ModelError(report.error_text());
  }

  /// The assembly on the branch that was asked for; without a wish, as it is.
  static kinematics::AssemblyReport on_branch(const model::Mechanism& mechanism,
                                              const structure::Structure& structure,
                                              kinematics::AssemblyReport assembly,
                                              const std::optional<std::string>& name) {
    if (!name) return assembly;
    const auto branches = kinematics::find_branches(mechanism, structure, assembly);
    std::vector<std::string> names;
    for (const kinematics::Branch& branch : branches) {
      names.push_back(branch.name);
      if (branch.name != *name) continue;
      assembly.bodies = branch.bodies;
      return assembly;
    }
    throw CommandLineError(
        {.what = "no such branch",
         .where = "--branch",
         .expected = "one of those found, " + core::quoted_list(names),
         .actual = "'" + *name + "'",
         .next = "The first is that of the start values; 'eslabon info --branches' lists them."});
  }

  bool write_rows_so_far(RowRecorder& recorder, io::ResultWriter& writer, MotionSummary& summary) {
    ProgressBar bar;
    coordinates::MechanismMotion bodies(mechanism_.bodies().size());
    motion_.evaluate_bodies(bodies);
    for (std::int64_t k = 0; k < grid_.rows(); ++k) {
      const double t = grid_[k];
      while (motion_.state().t < t) {
        const double h = std::max(time_of_small_turn(bodies), 1e-6 * (t - grid_[k - 1]));
        const double next = std::min(t, motion_.state().t + h);
        if (!advance_to(next, writer)) return false;
        motion_.evaluate_bodies(bodies);
        if (next < t) recorder.record(next, bodies, 0.0);  // counts turns between rows
      }
      const std::span<const double> row = recorder.record(t, bodies, motion_.constraint_error());
      writer.write_row(t, row);
      for (std::size_t c = 0; c < row.size(); ++c) summary.ranges[c].add(row[c]);
      ++summary.rows;
      bar.update(t / grid_.until());
    }
    return true;
  }

  /// As Motion::advance_to; when a driver has no value there the rows so far are kept.
  bool advance_to(double t, io::ResultWriter& writer) {
    try {
      return motion_.advance_to(t);
    } catch (const core::ModelError& error) {
      writer.finish();
      core::ErrorText text = error.text();
      text.where = options_.model + ", " + text.where;
      text.next += " Results up to there are kept.";
      throw core::ModelError(text);
    } catch (const core::ContractError& error) {
      writer.finish();
      core::ErrorText text = error.text();
      text.where = fmt::format("{}, t = {:.9g} s, {}", options_.model, motion_.state().t, text.where);
      text.next =
          "The numbers of this run are too large or too small to be solved; results up to there are kept.";
      throw core::ModelError(text);
    }
  }

  const KinematicsOptions& options_;
  const model::Mechanism& mechanism_;
  const TimeGrid& grid_;
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  kinematics::DrivenMechanism driven_;
  kinematics::MethodChoice choice_;
  kinematics::Motion motion_;
};

void print_notes(const model::Mechanism& mechanism, const std::vector<std::string>& left_out,
                 const std::vector<MotionEvent>& events) {
  if (!left_out.empty()) {
    std::string names;
    for (const std::string& name : left_out) names += (names.empty() ? "" : ", ") + name;
    fmt::print(stderr, "eslabon: left out: {}: kinematics computes no forces.\n", names);
  }
  std::size_t passed = 0;
  for (const MotionEvent& event : events)
    if (event.kind == MotionEvent::Kind::kPassed && ++passed <= kMostNotes)
      fmt::print(stderr, "eslabon: note: {}.\n", event.brief(mechanism));
  if (passed > kMostNotes)
    fmt::print(stderr, "eslabon: note: … and {} more such positions.\n", passed - kMostNotes);
}

void check_method(const KinematicsOptions& options) {
  std::vector<std::string> methods{kAuto}, with_coordinates{kAuto};
  for (const std::string& name : kinematics::method_names()) {
    methods.push_back(name);
    if (kinematics::has_coordinates(name)) with_coordinates.push_back(name);
  }
  check_word("--method", "unknown method", options.method, methods);
  if (!options.coordinates) return;
  check_word("--coordinates", "unknown coordinates", *options.coordinates, coordinates::layout_names());
  if (std::ranges::find(with_coordinates, options.method) == with_coordinates.end())
    throw CommandLineError({.what = "the method '" + options.method + "' uses no coordinates",
                            .where = "--coordinates",
                            .expected = "a method that does, " + core::quoted_list(with_coordinates),
                            .actual = "'" + *options.coordinates + "' with --method " + options.method,
                            .next = "Leave --coordinates out, or take another method."});
}

void run_kinematics(const KinematicsOptions& options) {
  check_method(options);
  const core::Duration until = read_time("--until", "time at the end", options.until);
  const TimeGrid grid(until, read_time("--step", "time from row to row", options.step));

  if (options.out.empty())
    throw CommandLineError({.what = "the results have no place to go",
                            .where = "--out",
                            .expected = "the name of a file, or - for the standard output",
                            .actual = "''",
                            .next = "Write for example --out result.csv."});

  std::error_code ignored;
  if (std::filesystem::equivalent(options.model, options.out, ignored))
    throw CommandLineError({.what = "the results would replace the model",
                            .where = "--out",
                            .expected = "another file than MODEL",
                            .actual = "'" + options.out + "'",
                            .next = "Write for example --out result.csv."});
  const LoadedModel model = load(options);
  const model::Mechanism& mechanism = model.mechanism;
  const auto run =
      naming(options.model, [&] { return std::make_unique<KinematicsRun>(options, mechanism, grid); });
  RowRecorder recorder(mechanism, run->assembly());
  const std::vector<io::ResultColumn> columns = io::result_columns(mechanism);
  MotionSummary summary{.driven = run->driven(),
                        .motion = run->motion(),
                        .reason = run->choice().reason,
                        .columns = columns,
                        .ranges = std::vector<ColumnRange>(columns.size()),
                        .until = grid.until(),
                        .has_default_outputs = model.has_default_outputs,
                        .file = options.out == kStdout ? "to the standard output" : options.out};
  io::ResultWriter writer = open_results(options.out, columns);
  const bool is_complete = run->write_rows(recorder, writer, summary);

  std::FILE* const page = options.out == kStdout ? stderr : stdout;
  std::fputs(motion_summary(summary, has_colour(fileno(page))).c_str(), page);
  std::fflush(page);
  print_notes(mechanism, model.left_out, run->motion().events());
  if (!is_complete)
    naming(options.model,
           [&] { throw core::ModelError(run->motion().events().back().error_text(mechanism)); });
}

}  // namespace

void add_kinematics_command(CLI::App& app) {
  auto options = std::make_shared<KinematicsOptions>();
  CLI::App* command = app.add_subcommand(
      "kinematics",
      "Moves a mechanism by its drivers: positions, velocities, accelerations over time, as CSV");
  command->add_option("MODEL", options->model, "A mechanism file, or family:NAME,key=value…")->required();
  command->add_option("--until", options->until, "Time at the end, in s or with a unit")->required();
  command->add_option("--step", options->step, "Time from row to row, in s or with a unit")->required();
  command->add_option("--out", options->out, "FILE.csv for the results; - is the standard output")
      ->required();
  command
      ->add_option(
          "--method", options->method,
          "groups (one structural group after the other), groups-tensor (by velocity coefficients), sparse, "
          "global (dense); auto picks by structure and size")
      ->capture_default_str();
  command->add_option("--coordinates", options->coordinates,
                      "Of sparse and global: natural (the default), reference-point or relative");
  command->add_option(
      "--branch", options->branch,
      "Start on this branch instead of that of the start values, e.g. --branch=+- (see 'eslabon info "
      "--branches')");
  command->add_option("--outputs", options->outputs, "a,b,c: these outputs instead of those of the file");
  command
      ->add_option("--set", options->set,
                   "name=value: give a parameter of the file another value (repeatable)")
      ->allow_extra_args(false);
  command->callback([options] { run_kinematics(*options); });
}

}  // namespace eslabon::cli
