#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "kinematics.hpp"
#include "model_options.hpp"
#include "motion_report.hpp"
#include "prescribed_motion.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "report_output.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/row_laws.hpp"

namespace eslabon::cli {

namespace {

/// Everything from a mechanism to the rows of its motion.
class KinematicsRun {
 public:
  KinematicsRun(const MotionOptions& options, const model::Mechanism& mechanism, const TimeGrid& grid)
      : mechanism_(mechanism), grid_(grid), motion_(options, mechanism, grid), laws_(mechanism) {}

  /// Writes the rows, and keeps them where there is a report; false when the motion ends before its time.
  bool write_rows(integration::Recorder& recorder, io::ResultWriter& writer, ReportRecorder* report,
                  MotionSummary& summary, RunLimit& limit) {
    const auto start = std::chrono::steady_clock::now();
    summary.is_complete = write_rows_so_far(recorder, writer, report, summary, limit);
    motion_.observe({});
    writer.finish();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary.is_complete;
  }

  const PrescribedMotion& motion() const { return motion_; }
  /// Why a motion ended before its time.
  core::ErrorText failure() const {
    return broken_ ? *broken_ : motion_.motion().events().back().error_text(mechanism_);
  }

 private:
  bool write_rows_so_far(integration::Recorder& recorder, io::ResultWriter& writer, ReportRecorder* report,
                         MotionSummary& summary, RunLimit& limit) {
    ProgressBar bar;
    coordinates::MechanismMotion bodies(mechanism_.bodies().size());
    motion_.evaluate_bodies(bodies);
    double next = 0.0;
    motion_.observe([&] {
      if (motion_.t() == next) return;
      motion_.evaluate_bodies(bodies);
      recorder.count_turns(motion_.t(), bodies);
    });
    for (std::int64_t k = 0; k < grid_.rows(); ++k) {
      const double t = grid_[k];
      while (motion_.t() < t) {
        if (limit.is_reached(motion_.motion().statistics().steps)) return false;
        const double h = std::max(time_of_small_turn(bodies), 1e-6 * (t - grid_[k - 1]));
        next = motion_.next_instant(t, h);
        if (!motion_.advance_to(next, [&] { writer.finish(); })) return false;
        motion_.evaluate_bodies(bodies);
        if (next < t) recorder.count_turns(next, bodies);
      }
      const double constraint_error = motion_.constraint_error();
      const std::span<const double> row = recorder.record(t, bodies, constraint_error);
      broken_ = laws_.broken({t, bodies, constraint_error, recorder.stopped(), recorder.driven(),
                              motion_.motion().prescribed()});
      if (broken_) {
        broken_->next += " Results up to there are kept.";
        return false;
      }
      writer.write_row(t, row);
      if (report != nullptr) {
        report->add_row(t, row);
        report->add_frame(bodies);
      }
      for (std::size_t c = 0; c < row.size(); ++c) summary.ranges[c].add(row[c]);
      ++summary.rows;
      bar.update(t / grid_.until());
    }
    return true;
  }

  const model::Mechanism& mechanism_;
  const TimeGrid& grid_;
  PrescribedMotion motion_;
  integration::RowLaws laws_;
  std::optional<core::ErrorText> broken_;  ///< the law that a row breaks
};

/// The page of a run, also of one that ended early.
void write_page(const PrescribedMotion& motion, const model::Mechanism& mechanism,
                const MotionSummary& summary, ReportRecorder& recorder,
                const std::optional<std::string>& failure) {
  for (report::Mark& mark : event_marks(mechanism, motion.motion().events()))
    recorder.add_mark(std::move(mark));
  write_motion_report(
      *summary.report, mechanism, motion.structure(), recorder,
      {.subtitle = fmt::format("kinematics by {}; {:.6g} s", motion.motion().method().name(), motion.t()),
       .facts = motion_facts(summary),
       .notes = {},
       .failure = failure});
}

void run_kinematics(const MotionOptions& options, const Presentation& presentation) {
  check_method(options);
  static_cast<void>(read_header(options.header));
  check_limits(options.limits);
  const TimeGrid grid = read_grid(options);
  check_out(options.out);
  check_report_option(options.report);
  const LoadedModel model = select_outputs(load_model(options.model, options.set), options.outputs, false);
  const model::Mechanism& mechanism = model.mechanism;
  const auto run =
      naming(options.model, [&] { return std::make_unique<KinematicsRun>(options, mechanism, grid); });
  const PrescribedMotion& motion = run->motion();
  integration::Recorder recorder(mechanism, motion.assembly());
  const std::vector<io::ResultColumn> columns = integration::recorded_columns(mechanism);
  MotionSummary summary{.driven = motion.driven(),
                        .motion = motion.motion(),
                        .reason = motion.choice().reason,
                        .columns = columns,
                        .ranges = std::vector<ColumnRange>(columns.size()),
                        .until = grid.until(),
                        .has_default_outputs = model.has_default_outputs,
                        .file = options.out == kStdout ? "to the standard output" : options.out,
                        .report = options.report};
  RunLimit limit(options.limits);
  io::ResultWriter writer = open_results(options.out, columns, read_header(options.header));
  std::optional<ReportRecorder> report;
  if (options.report) report.emplace("motion", report::Recording::Role::kMotion, columns);
  const auto write = [&](const std::optional<std::string>& failure) {
    if (report) write_page(motion, mechanism, summary, *report, failure);
  };
  const bool is_complete = run_with_page(
      [&] { return run->write_rows(recorder, writer, report ? &*report : nullptr, summary, limit); }, write);
  std::optional<core::ErrorText> failure;
  if (!is_complete)
    failure = limit.was_reached() ? limit.error_text(options.model, seconds_of_motion(grid.until()),
                                                     seconds_of_motion(motion.t()))
                                  : run->failure();
  const std::exception_ptr unwritten =
      written_page([&] { write(failure ? std::optional(core::to_sentence(*failure)) : std::nullopt); });
  if (unwritten) summary.report.reset();

  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) { return motion_summary(summary, style); },
      [&] { return motion_json(summary); });
  print_left_out(model.left_out);
  print_passed(mechanism, motion.motion().events());
  tell_unwritten(unwritten, failure.has_value());
  if (limit.was_reached()) throw CutRun(*failure, limit.status());
  if (failure) naming(options.model, [&] { throw core::ModelError(*failure); });
}

}  // namespace

void add_kinematics_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<MotionOptions>();
  CLI::App* command = app.add_subcommand(
      "kinematics",
      "Moves a mechanism by its drivers: positions, velocities, accelerations over time, as CSV");
  add_motion_options(*command, *options);
  show_examples(
      *command,
      {{"One turn of a four-bar, a row every 10 ms, with a report page:",
        "eslabon kinematics models/fourbar-testbed.yaml --until 3.5 --step '10 ms' --out motion.csv --report "
        "motion.html"},
       {"Chosen outputs, on the standard output:",
        "eslabon kinematics models/rssr.yaml --until 1 --step 0.1 --outputs O.q,G.q,G.v --out -"},
       {"Solved every 1 ms, written every 20 ms:",
        "eslabon kinematics models/slider-crank.yaml --until 1 --step '1 ms' --every '20 ms' --out "
        "slider.csv"}});
  command->callback([options, &presentation] { run_kinematics(*options, presentation); });
}

}  // namespace eslabon::cli
