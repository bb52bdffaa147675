#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "kinematics.hpp"
#include "motion_output.hpp"
#include "progress_bar.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/kinematics/method_choice.hpp"

namespace eslabon::cli {

namespace {

using kinematics::MotionEvent;

constexpr std::size_t kMostNotes = 20;
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

/// Everything from a mechanism to the rows of its motion.
class KinematicsRun {
 public:
  KinematicsRun(const KinematicsOptions& options, const model::Mechanism& mechanism, const TimeGrid& grid)
      : options_(options),
        mechanism_(mechanism),
        grid_(grid),
        structure_(structure::analyse_structure(mechanism)),
        assembly_(assembled_on_branch(mechanism, structure_, options.branch)),
        driven_(mechanism, structure_, assembly_, grid.until()),
        choice_(chosen_method(options, driven_)),
        motion_(choice_.method, options.coordinates.value_or("natural"), driven_) {}

  /// Writes the rows; false when the motion ends before its time.
  bool write_rows(integration::Recorder& recorder, io::ResultWriter& writer, MotionSummary& summary) {
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

  bool write_rows_so_far(integration::Recorder& recorder, io::ResultWriter& writer, MotionSummary& summary) {
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
        if (next < t) recorder.count_turns(next, bodies);
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
  print_left_out(left_out);
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
  const TimeGrid grid(until, read_time("--step", "time from row to row", options.step), "--step");
  check_out(options.model, options.out);
  const LoadedModel model =
      select_outputs(io::load_model(options.model, options.set), options.outputs, false);
  const model::Mechanism& mechanism = model.mechanism;
  const auto run =
      naming(options.model, [&] { return std::make_unique<KinematicsRun>(options, mechanism, grid); });
  integration::Recorder recorder(mechanism, run->assembly());
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
