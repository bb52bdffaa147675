#pragma once

#include <functional>
#include <optional>
#include <string>

#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/run_files.hpp"
#include "apps/cli/words/run_limit.hpp"
#include "apps/cli/words/terminal_observer.hpp"

#include "eslabon/recording/pages/motion_report.hpp"
#include "eslabon/runs/motion/row_summary.hpp"

namespace eslabon::cli {

/// A run that writes rows, as its command knows it.
struct RowRun {
  const std::string& model;  ///< the word MODEL
  const model::Mechanism& mechanism;
  const structure::Structure& structure;
  std::function<void()> run;                   ///< gives the rows to their files
  std::function<runs::RowSummary()> rows;      ///< what they told so far
  std::function<recording::RunStory()> story;  ///< what its page says so far
  std::function<std::string(const PageStyle&)> page = {};
  std::function<std::string()> json = {};
  std::function<void(bool has_failed)> tell_notes = {};  ///< on stderr, below the page
};

/// What all such runs have in common: the command adds what its own tells. All must outlive it.
template <class Run>
RowRun row_run(const std::string& model, Run& run, RunFiles& files, TerminalObserver& observer) {
  return {
      .model = model,
      .mechanism = run.mechanism(),
      .structure = run.structure(),
      .run =
          [&] {
            run.run(files);
            observer.clear();
          },
      .rows = [&]() -> runs::RowSummary {
        if constexpr (requires { run.summary().motion; })
          return run.summary().motion.rows;
        else
          return run.summary().rows;
      },
      .story = [&] { return story_of(run.summary(), files.written().seconds, files.recorder()->report()); }};
}

/// Runs it, writes its page, also that of a run which ends early, shows what it did, and throws why it is not what was asked for:
/// CutRun, or core::ModelError.
void follow(const RowRun& of, RunFiles& files, const RunLimit& limit, const Presentation& presentation);

}  // namespace eslabon::cli
