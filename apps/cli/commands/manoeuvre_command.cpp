#include <memory>

#include "apps/cli/commands/manoeuvre.hpp"
#include "apps/cli/text/manoeuvre_page.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/manoeuvre_words.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/row_run.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/recording/facts/run_facts.hpp"
#include "eslabon/vehicle/manoeuvre_facts.hpp"
#include "eslabon/vehicle/manoeuvre_run.hpp"

namespace eslabon::cli {

namespace {

/// What the page keeps of the run; nothing without --report.
std::unique_ptr<recording::RunRecorder> recorder_of(const vehicle::ManoeuvreRun& run,
                                                    const RunFileWords& words) {
  if (!words.report) return nullptr;
  return std::make_unique<recording::RunRecorder>(run.columns(), run.model(),
                                                  recording::ForceArrows::drivers_of(run.mechanism()),
                                                  recording::ForceArrows::rows_per_solution(run.num_rows()));
}

void tell_notes(const runs::SimulationSummary& summary, bool has_failed) {
  for (const std::string& note : summary.load_notes) print_note(note);
  if (const auto note = drift_note(summary.energy_verdict); note && !has_failed) print_note(*note);
  for (const std::string& note : summary.force_notes) print_note(note);
  print_notes(recording::log_notes(summary.log));
}

void run_manoeuvre(const ManoeuvreWords& words, const Presentation& presentation) {
  const vehicle::ManoeuvreRequest request = read_manoeuvre_request(words);
  const model::Mechanism mechanism = cli::load_model(words.model, words.set);
  TerminalObserver observer;
  RunLimit limit(words.limits);
  observer.set_limit(limit);
  vehicle::ManoeuvreRun run =
      naming(words.model, [&] { return vehicle::ManoeuvreRun(mechanism, request, observer); });
  RunFiles files(words.files, run.columns(), std::nullopt, recorder_of(run, words.files));
  RowRun told{
      .model = words.model,
      .mechanism = run.mechanism(),
      .structure = run.structure(),
      .run =
          [&] {
            run.run(files);
            observer.clear();
          },
      .rows = [&] { return run.summary().simulation.rows; },
      .story =
          [&] {
            return vehicle::story_of(run.summary(), files.written().seconds, files.recorder()->report());
          },
      .page = [&](const PageStyle& style) { return manoeuvre_page(run.summary(), files.written(), style); },
      .json = [&] { return vehicle::manoeuvre_json(run.summary(), files.written(), provenance_of_run()); },
      .tell_notes = [&](bool has_failed) { tell_notes(run.summary().simulation, has_failed); }};
  follow(told, files, limit, presentation);
}

}  // namespace

void add_manoeuvre_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<ManoeuvreWords>();
  CLI::App* command = app.add_subcommand(
      "manoeuvre",
      "Standard drives of a vehicle: step steer, lane change, braking and others, with their figures");
  add_manoeuvre_options(*command, *words);
  command->callback([words, &presentation] { run_manoeuvre(*words, presentation); });
}

}  // namespace eslabon::cli
