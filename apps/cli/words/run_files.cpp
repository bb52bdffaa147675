#include "apps/cli/words/run_files.hpp"

#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/report_output.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

namespace eslabon::cli {

void add_out_option(CLI::App& command, std::optional<std::string>& out) {
  begin_group(command, kFileOptions);
  command.add_option("--out", out, "CSV file for the results; - is the standard output")
      ->required()
      ->type_name("FILE");
}

void add_reactions_option(CLI::App& command, std::optional<std::string>& reactions) {
  command
      .add_option("--reactions", reactions,
                  "CSV file for the reactions of all joints, in world axes and in the joint's own")
      ->type_name("FILE")
      ->group(kFileOptions);
}

void add_coefficients_option(CLI::App& command, std::optional<std::string>& coefficients) {
  command
      .add_option("--coefficients", coefficients,
                  "CSV file for the velocity coefficients K and L of all bodies, at the same times")
      ->type_name("FILE")
      ->group(kFileOptions);
}

void check_run_files(const RunFileWords& words) {
  static_cast<void>(read_header(words.header));
  if (words.out) check_out(*words.out);
  if (words.reactions) check_also_out("--reactions", "the reactions", *words.reactions);
  if (words.coefficients) check_also_out("--coefficients", "the coefficients", *words.coefficients);
  check_report_option(words.report);
  if (!words.events) return;
  check_also_out("--events", "the events", *words.events);
  check_file(*words.events, "the events");
}

RunFiles::RunFiles(const RunFileWords& words, const std::vector<core::Column>& columns,
                   std::optional<runs::ReactionRows> reactions,
                   std::unique_ptr<recording::RunRecorder> recorder)
    : is_on_standard_output_(words.out == kStdout),
      recorder_(std::move(recorder)),
      written_{.results = is_on_standard_output_ ? "to the standard output" : words.out.value_or(""),
               .report = words.report,
               .reactions = words.reactions,
               .coefficients = words.coefficients,
               .events = words.events},
      start_(Clock::now()) {
  if (is_on_standard_output_)
    results_.emplace(standard_output(), "the standard output", columns, read_header(words.header));
  else if (words.out)
    results_.emplace(*words.out, columns, read_header(words.header));
  if (words.reactions)
    reactions_.emplace(*words.reactions, std::move(reactions).value(), read_header(words.header));
}

void RunFiles::write_coefficients(const RunFileWords& words, runs::CoefficientRows rows) {
  coefficients_.emplace(words.coefficients.value(), std::move(rows), read_header(words.header));
}

void RunFiles::add(const runs::Row& row) {
  if (results_) results_->write_row(row.t, row.values);
  if (reactions_) reactions_->add(row);
  if (coefficients_) coefficients_->add(row);
  if (!recorder_) return;
  const Clock::time_point start = Clock::now();
  recorder_->add(row);
  of_page_ += Clock::now() - start;
}

void RunFiles::finish() {
  if (results_) results_->finish();
  if (reactions_) reactions_->writer.finish();
  if (coefficients_) coefficients_->writer.finish();
  written_.seconds = std::chrono::duration<double>(Clock::now() - start_ - of_page_).count();
}

bool RunFiles::tell_reactions() const {
  if (!reactions_) return false;
  for (const std::string& note : reactions_->rows.notes()) print_note(note);
  return true;
}

}  // namespace eslabon::cli
