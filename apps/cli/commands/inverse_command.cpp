#include <memory>
#include <optional>

#include "apps/cli/commands/inverse.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/run_pages.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/motion_words.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/row_run.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/runs/motion/inverse_run.hpp"

namespace eslabon::cli {

namespace {

struct InverseWords {
  MotionWords motion;
  std::optional<std::string> actuators;
};

runs::InverseRequest read_inverse_request(const InverseWords& words) {
  runs::InverseRequest request{.motion = read_motion_request(words.motion)};
  if (words.actuators) request.actuators = read_names("--actuators", *words.actuators, "motor,B.q");
  return request;
}

/// What the page keeps of the run; nothing without --report. What holds idle spins is not drawn.
std::unique_ptr<recording::RunRecorder> recorder_of(const runs::InverseRun& run, const RunFileWords& words) {
  if (!words.report) return nullptr;
  std::vector<recording::ForceArrows::Actuator> actuators;
  for (std::size_t k = 0; k < run.actuators().columns.size(); ++k)
    actuators.push_back(
        {run.actuators().actuators[k].name, std::get<model::Variable>(run.actuators().actuators[k].what)});
  return std::make_unique<recording::RunRecorder>(run.columns(), run.model(), std::move(actuators),
                                                  std::nullopt);
}

std::optional<runs::ReactionRows> reactions_of(const runs::InverseRun& run, const RunFileWords& words) {
  if (!words.reactions) return std::nullopt;
  return runs::ReactionRows(run.mechanism(), run.actuators().columns);
}

void tell_notes(const runs::InverseSummary& summary, const RunFiles& files) {
  for (const std::string& note : summary.notes) print_note(note);
  if (!files.tell_reactions())  // which are of all joints and actuators
    for (const std::string& note : summary.force_notes) print_note(note);
  print_notes(recording::passed_notes(summary.motion));
}

void run_inverse(const InverseWords& words, const Presentation& presentation) {
  const MotionWords& given = words.motion;
  const runs::InverseRequest request = read_inverse_request(words);
  const model::Mechanism mechanism = cli::load_model(given.model, given.set);
  TerminalObserver observer;
  runs::InverseRun run = naming(given.model, [&] { return runs::InverseRun(mechanism, request, observer); });
  RunLimit limit(given.limits);
  observer.set_limit(limit);
  RunFiles files(given.files, run.columns(), reactions_of(run, given.files), recorder_of(run, given.files));
  RowRun told = row_run(given.model, run, files, observer);
  told.page = [&](const PageStyle& style) { return inverse_page(run.summary(), files.written(), style); };
  told.json = [&] { return recording::inverse_json(run.summary(), files.written(), provenance_of_run()); };
  told.tell_notes = [&](bool /*has_failed*/) { tell_notes(run.summary(), files); };
  follow(told, files, limit, presentation);
}

}  // namespace

void add_inverse_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<InverseWords>();
  CLI::App* command = app.add_subcommand(
      "inverse",
      "Inverse dynamics: efforts of the drivers, or of other actuators, for the prescribed motion, as CSV");
  add_motion_options(*command, words->motion);
  command
      ->add_option("--actuators", words->actuators,
                   "Actuators: drivers, or position variables such as A.q; without it the drivers")
      ->type_name("NAMES")
      ->group(kModelOptions);
  add_reactions_option(*command, words->motion.files.reactions);
  show_examples(
      *command,
      {{"The torque that the motor of a four-bar needs:",
        "eslabon inverse models/fourbar-testbed.yaml --until 3.5 --step '10 ms' --out efforts.csv"},
       {"The same motion, actuated at the rocker, with all joint reactions:",
        "eslabon inverse models/fourbar-testbed.yaml --until 0.2 --step '10 ms' --actuators B.q --reactions "
        "reactions.csv --out rocker.csv"}});
  command->callback([words, &presentation] { run_inverse(*words, presentation); });
}

}  // namespace eslabon::cli
