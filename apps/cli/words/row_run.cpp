#include "apps/cli/words/row_run.hpp"

#include <cstdio>

#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/report_output.hpp"

namespace eslabon::cli {

namespace {

void write_page(const RowRun& of, RunFiles& files, std::optional<std::string> failure) {
  if (files.recorder() == nullptr) return;
  recording::RunStory story = of.story();
  story.failure = std::move(failure);
  for (std::string& note : files.recorder()->notes()) story.notes.push_back(std::move(note));
  write_report(
      files.written().report.value(),
      recording::motion_report(of.mechanism, of.structure, files.recorder()->report(), std::move(story)));
}

/// Why the run is not what was asked for.
std::optional<core::ErrorText> failure_of(const RowRun& of, const RunLimit& limit) {
  const runs::RowSummary rows = of.rows();
  if (rows.failure || !rows.was_stopped) return rows.failure;
  if (rows.is_complete)
    return limit.error_text("--verify", "a second run to its end", "a first one that is complete");
  return limit.error_text(of.model, seconds_of_motion(rows.until), seconds_of_motion(rows.end));
}

}  // namespace

void follow(const RowRun& of, RunFiles& files, const RunLimit& limit, const Presentation& presentation) {
  run_with_page(
      [&] {
        naming(of.model, of.run);
        return true;
      },
      [&](const std::string& why) { write_page(of, files, why); });
  const std::optional<core::ErrorText> failure = failure_of(of, limit);
  const std::exception_ptr unwritten = written_page(
      [&] { write_page(of, files, failure ? std::optional(in_option_words(*failure)) : std::nullopt); });
  if (unwritten) files.forget_report();
  presentation.show(files.is_on_standard_output() ? stderr : stdout, of.page, of.json);
  of.tell_notes(failure.has_value());
  tell_unwritten(unwritten, failure.has_value());
  if (limit.was_reached()) throw CutRun(*failure, limit.status());
  if (failure) naming(of.model, [&] { throw core::ModelError(*failure); });
}

}  // namespace eslabon::cli
