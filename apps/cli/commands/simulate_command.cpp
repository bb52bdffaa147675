#include <memory>
#include <optional>

#include "apps/cli/commands/simulate.hpp"
#include "apps/cli/text/run_pages.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/row_run.hpp"
#include "apps/cli/words/simulate_words.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/recording/facts/event_table.hpp"
#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/runs/motion/actuator_choice.hpp"
#include "eslabon/runs/motion/simulation_run.hpp"

namespace eslabon::cli {

namespace {

/// What the page keeps of the run; nothing without --report.
std::unique_ptr<recording::RunRecorder> recorder_of(const runs::SimulationRun& run,
                                                    const RunFileWords& words) {
  if (!words.report) return nullptr;
  return std::make_unique<recording::RunRecorder>(
      run.columns(), run.model(), recording::ForceArrows::drivers_of(run.mechanism()),
      words.reactions ? 1 : recording::ForceArrows::rows_per_solution(run.num_rows()));
}

std::optional<runs::ReactionRows> reactions_of(const runs::SimulationRun& run, const RunFileWords& words) {
  if (!words.reactions) return std::nullopt;
  return runs::ReactionRows(run.mechanism(), runs::effort_columns(run.mechanism()));
}

void tell_notes(const runs::SimulationSummary& summary, const RunFiles& files, bool has_failed) {
  for (const std::string& note : summary.load_notes) print_note(note);
  if (const auto note = drift_note(summary.energy_verdict); note && !has_failed) print_note(*note);
  if (files.written().events)
    write_text_file(*files.written().events, "the events", recording::event_table(summary.log));
  if (!files.tell_reactions())  // which are of all joints and drivers
    for (const std::string& note : summary.force_notes) print_note(note);
  print_notes(recording::log_notes(summary.log));
}

void run_simulate(const SimulateWords& words, const Presentation& presentation) {
  const runs::SimulationRequest request = read_simulation_request(words);
  const model::Mechanism mechanism = cli::load_model(words.model, words.set);
  TerminalObserver observer;
  runs::SimulationRun run =
      naming(words.model, [&] { return runs::SimulationRun(mechanism, request, observer); });
  RunLimit limit(words.limits);
  observer.set_limit(limit);
  RunFiles files(words.files, run.columns(), reactions_of(run, words.files), recorder_of(run, words.files));
  RowRun told = row_run(words.model, run, files, observer);
  told.page = [&](const PageStyle& style) { return simulation_page(run.summary(), files.written(), style); };
  told.json = [&] { return recording::simulation_json(run.summary(), files.written(), provenance_of_run()); };
  told.tell_notes = [&](bool has_failed) { tell_notes(run.summary(), files, has_failed); };
  follow(told, files, limit, presentation);
}

}  // namespace

void add_simulate_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<SimulateWords>();
  CLI::App* command = app.add_subcommand(
      "simulate", "Forward dynamics: the motion over time from masses, forces and drivers, as CSV");
  add_simulate_options(*command, *words);
  command->callback([words, &presentation] { run_simulate(*words, presentation); });
}

}  // namespace eslabon::cli
