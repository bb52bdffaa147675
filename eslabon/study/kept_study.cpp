#include "eslabon/study/kept_study.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/runs/estimation/filter_notes.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/study/study_report.hpp"

namespace eslabon::study {

namespace {

JournalOwner owner_of(const StudyFile& study, const std::string& build) {
  const std::string model =
      study.model.starts_with("family:") ? study.model : io::read_file_text(study.model);
  return {.study = study_hash(study), .model = core::fnv1a(model), .build = build};
}

[[noreturn]] void fail_folder(const std::string& expected, const std::string& actual,
                              const std::string& next) {
  throw runs::RequestError({.what = "the results have no destination",
                            .where = runs::field("folder"),
                            .expected = expected,
                            .actual = actual,
                            .next = next});
}

}  // namespace

std::string make_study_folder(const std::string& folder) {
  if (folder.empty())
    fail_folder("a folder", "none", "Write, for example, " + runs::field("folder") + " results.");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder, error))
    fail_folder("a folder that can be made",
                "'" + folder + "'" + (error ? ", " + error.message() : ", a file"), "Give another one.");
  return folder;
}

std::vector<std::string> study_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name : {"journal", "results.csv", "timing.csv", "summary.csv"})
    files.push_back(folder + "/" + name);
  return files;
}

std::string try_file(const std::string& folder, const TryIndex& index) {
  return fmt::format("{}/point-{}-try-{}.csv", folder, index.point + 1, index.attempt + 1);
}

void check_cases(const StudyPlan& plan, StudyCases& cases, runs::RunObserver& observer) {
  std::vector<std::string> told;
  for (const std::size_t point : plan.points_with_each_value()) {
    const std::unique_ptr<runs::FilterCase> filter = cases.at(point).make_filter(0);
    const std::vector<std::string> before = told;
    for (const std::string& note : notes_before(cases.at(point).request(), *filter)) {
      if (std::ranges::find(before, note) != before.end()) continue;
      observer.marked_note(note);
      told.push_back(note);
    }
  }
}

StudyOutcome run_kept_study(const StudyPlan& plan, StudyCases& cases, const StudyRequest& request,
                            runs::RunObserver& observer) {
  const std::string path = request.folder + "/journal";
  StudyJournal journal(path, owner_of(plan.study(), request.build), request.is_fresh);
  if (journal.num_torn() > 0)
    observer.note(core::counted(journal.num_torn(), "line") + " of " + path +
                  " that a crash left unfinished: those tries are made again.");
  std::vector<bool> is_done(plan.size(), false);
  StudyOutcome outcome;
  outcome.results = journal.found_of(plan, is_done);
  outcome.found = outcome.results.size();
  const auto begin = std::chrono::steady_clock::now();
  const auto report = [&](const StudyProgress& progress) {
    observer.progress(static_cast<double>(progress.done) / static_cast<double>(progress.of));
    return observer.must_stop(static_cast<std::int64_t>(progress.done));
  };
  outcome.is_complete = run_study(plan, cases, journal, is_done, request.threads, report, outcome.results);
  outcome.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  outcome.outputs = cases.at(0).outputs();
  if (outcome.is_complete)
    std::ranges::sort(outcome.results, {},
                      [&](const TryResult& result) { return plan.place_of(result.index); });
  outcome.summaries = summarise_points(plan, outcome.outputs.size(), outcome.results);
  if (outcome.is_complete)
    write_study_results(request.folder, plan, outcome.outputs, outcome.results, outcome.summaries);
  return outcome;
}

std::optional<std::string> StudyOutcome::failure_note() const {
  std::size_t failed = 0;
  std::string complaint;
  for (std::size_t point = 0; point < summaries.size(); ++point) {
    failed += summaries[point].failed;
    if (complaint.empty() && summaries[point].complaint)
      complaint = fmt::format("point {}: {}", point + 1, *summaries[point].complaint);
  }
  if (failed == 0) return std::nullopt;
  return fmt::format("{} of {} tries could not be run and count as not converged; the first, {}", failed,
                     results.size(), complaint);
}

report::Report study_report(const StudyPlan& plan, const StudyOutcome& outcome) {
  return study_report(plan, outcome.outputs, outcome.summaries,
                      outcome.is_complete ? ""
                                          : fmt::format("The study was stopped: {} of {} tries were made.",
                                                        outcome.results.size(), plan.size()));
}

}  // namespace eslabon::study
