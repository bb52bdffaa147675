#include <memory>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "kinematics.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "motion_words.hpp"
#include "row_run.hpp"
#include "terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/runs/motion_run.hpp"

namespace eslabon::cli {

namespace {

void run_kinematics(const MotionWords& words, const Presentation& presentation) {
  const runs::MotionRequest request = read_motion_request(words);
  const model::Mechanism mechanism = load_model(words.model, words.set);
  TerminalObserver observer;
  runs::MotionRun run = naming(words.model, [&] { return runs::MotionRun(mechanism, request, observer); });
  RunLimit limit(words.limits);
  observer.set_limit(limit);
  std::unique_ptr<recording::RunRecorder> recorder;
  if (words.files.report) recorder = std::make_unique<recording::RunRecorder>(run.columns());
  RunFiles files(words.files, run.columns(), std::nullopt, std::move(recorder));
  const auto story = [&] {
    const runs::MotionSummary summary = run.summary();
    mark_singular_positions(summary, files.recorder()->report());
    return recording::RunStory{
        .subtitle = fmt::format("kinematics by {}; {:.6g} s", summary.method, summary.rows.end),
        .facts = motion_facts(summary, files.written()),
        .notes = {},
        .failure = {}};
  };
  const auto tell_notes = [&](bool /*has_failed*/) {
    const runs::MotionSummary summary = run.summary();
    print_left_out(summary.rows.left_out);
    tell_passed(summary);
  };
  follow(
      {.model = words.model,
       .mechanism = run.mechanism(),
       .structure = run.structure(),
       .run =
           [&] {
             run.run(files);
             observer.clear();
           },
       .rows = [&] { return run.summary().rows; },
       .story = story,
       .page = [&](const PageStyle& style) { return motion_summary(run.summary(), files.written(), style); },
       .json = [&] { return motion_json(run.summary(), files.written()); },
       .tell_notes = tell_notes},
      files, limit, presentation);
}

}  // namespace

void add_kinematics_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<MotionWords>();
  CLI::App* command = app.add_subcommand(
      "kinematics",
      "Moves a mechanism by its drivers: positions, velocities, accelerations over time, as CSV");
  add_motion_options(*command, *words);
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
  command->callback([words, &presentation] { run_kinematics(*words, presentation); });
}

}  // namespace eslabon::cli
