#include <memory>

#include "apps/cli/commands/kinematics.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/text/run_pages.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/motion_words.hpp"
#include "apps/cli/words/native_code.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/row_run.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/runs/motion/motion_run.hpp"

namespace eslabon::cli {

namespace {

void run_kinematics(const MotionWords& words, const Presentation& presentation) {
  runs::MotionRequest request = read_motion_request(words);
  const auto compiler = words.compiled ? make_native_compiler() : nullptr;
  request.compiler = compiler;
  const model::Mechanism mechanism = cli::load_model(words.model, words.set);
  TerminalObserver observer;
  runs::MotionRun run = naming(words.model, [&] { return runs::MotionRun(mechanism, request, observer); });
  RunLimit limit(words.limits);
  observer.set_limit(limit);
  std::unique_ptr<recording::RunRecorder> recorder;
  if (words.files.report) recorder = std::make_unique<recording::RunRecorder>(run.columns());
  RunFiles files(words.files, run.columns(), std::nullopt, std::move(recorder));
  if (words.files.coefficients)
    naming(words.model, [&] { files.write_coefficients(words.files, runs::CoefficientRows(run.driven())); });
  RowRun told = row_run(words.model, run, files, observer);
  if (compiler && compiler->report().programs == 0 && compiler->report().notes.empty())
    compiler->add_note(run.summary().method == "groups"
                           ? "The motion is interpreted: a structural group has no closed form."
                           : "The motion is interpreted: only the method 'groups' can be compiled.");
  const std::string compiled = compiler ? codegen::summary(*told_report(compiler)) : "";
  const auto summary = [&] {
    runs::MotionSummary all = run.summary();
    all.compiled = compiled;
    return all;
  };
  told.page = [&](const PageStyle& style) { return motion_page(summary(), files.written(), style); };
  told.json = [&] { return recording::motion_json(summary(), files.written(), provenance_of_run()); };
  told.tell_notes = [&](bool /*has_failed*/) {
    print_left_out(run.summary().rows.left_out);
    print_notes(recording::passed_notes(run.summary()));
  };
  follow(told, files, limit, presentation);
}

}  // namespace

void add_kinematics_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<MotionWords>();
  CLI::App* command = app.add_subcommand(
      "kinematics",
      "Moves a mechanism by its drivers: positions, velocities, accelerations over time, as CSV");
  add_motion_options(*command, *words);
  add_coefficients_option(*command, words->files.coefficients);
  begin_group(*command, kMethodOptions);
  command->add_flag(
      "--compiled", words->compiled,
      "For groups: machine code, made by the C compiler of the system and kept for the next run; "
      "the result is the same to roundoff");
  show_examples(
      *command,
      {{"One turn of a four-bar, a row every 10 ms, with a report page:",
        "eslabon kinematics models/fourbar-testbed.yaml --until 3.5 --step '10 ms' --out motion.csv --report "
        "motion.html"},
       {"Chosen outputs, on the standard output:",
        "eslabon kinematics models/rssr.yaml --until 1 --step 0.1 --outputs O.q,G.q,G.v --out -"},
       {"Velocity coefficients of every body at each row, beside the results:",
        "eslabon kinematics models/five-bar.yaml --until 1 --step 0.1 --coefficients coefficients.csv --out "
        "motion.csv"},
       {"Solved every 1 ms, written every 20 ms:",
        "eslabon kinematics models/slider-crank.yaml --until 1 --step '1 ms' --every '20 ms' --out "
        "slider.csv"}});
  command->callback([words, &presentation] { run_kinematics(*words, presentation); });
}

}  // namespace eslabon::cli
