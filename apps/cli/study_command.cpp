#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "path_check.hpp"
#include "presentation.hpp"
#include "provenance.hpp"
#include "report_output.hpp"
#include "study.hpp"
#include "study_pages.hpp"
#include "terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/runs/filter_notes.hpp"
#include "eslabon/study/study_report.hpp"
#include "eslabon/study/study_run.hpp"

namespace eslabon::cli {

namespace {

struct StudyOptions {
  std::string file;
  std::optional<std::string> out, threads, only, report;
  bool fresh = false, plan = false;
  LimitOptions limits;
};

int read_threads(const std::optional<std::string>& text) {
  if (!text) return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int threads = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), threads);
  if (error == std::errc() && end == text->data() + text->size() && threads >= 1 && threads <= 1024)
    return threads;
  throw CommandLineError({.what = "not a number of threads",
                          .where = "--threads",
                          .expected = "a whole number from 1 to 1024",
                          .actual = "'" + *text + "'",
                          .next = "Leave it out to use all cores."});
}

/// "3:17": both counted from 1.
study::TryIndex read_only(const std::string& text, const study::StudyPlan& plan) {
  study::TryIndex index;
  const char* const last = text.data() + text.size();
  const auto [colon, first_error] = std::from_chars(text.data(), last, index.point);
  if (first_error == std::errc() && colon != last && *colon == ':') {
    const auto [end, error] = std::from_chars(colon + 1, last, index.attempt);
    if (error == std::errc() && end == last && index.point >= 1 && index.point <= plan.num_points() &&
        index.attempt >= 1 && index.attempt <= plan.num_tries())
      return {index.point - 1, index.attempt - 1};
  }
  throw CommandLineError(
      {.what = "the study has no such try",
       .where = "--only",
       .expected = fmt::format("POINT:TRY, from 1:1 to {}:{}", plan.num_points(), plan.num_tries()),
       .actual = "'" + text + "'",
       .next = "The summary of the study numbers points and tries."});
}

std::string make_folder(const std::optional<std::string>& out) {
  if (!out || out->empty())
    throw CommandLineError({.what = "the results have no destination",
                            .where = "--out",
                            .expected = "a folder",
                            .actual = "none",
                            .next = "Write, for example, --out results."});
  std::error_code error;
  std::filesystem::create_directories(*out, error);
  if (error || !std::filesystem::is_directory(*out, error))
    throw CommandLineError({.what = "the results have no destination",
                            .where = "--out",
                            .expected = "a folder that can be made",
                            .actual = "'" + *out + "'" + (error ? ", " + error.message() : ", a file"),
                            .next = "Give another one."});
  return *out;
}

/// What is read is not among the files of the folder, by whatever links.
void check_study_files(const StudyOptions& options, const study::StudyFile& study) {
  std::vector<NamedPath> written;
  if (options.out)
    for (const char* name : {"journal", "results.csv", "timing.csv", "summary.csv"})
      written.push_back({"--out", *options.out + "/" + name});
  check_request_again({{"the study's model", study.model}}, written);
  add_written(written);
}

study::JournalOwner owner_of(const study::StudyFile& study) {
  const std::string model =
      study.model.starts_with("family:") ? study.model : io::read_file_text(study.model);
  return {
      .study = study::study_hash(study), .model = core::fnv1a(model), .build = recording::exact_build_text()};
}

void check(const study::StudyPlan& plan, study::StudyCases& cases) {
  std::vector<std::string> told;
  for (const std::size_t point : plan.points_with_each_value()) {
    const std::unique_ptr<runs::FilterCase> filter = cases.at(point).make_filter(0);
    std::vector<std::string> notes = notes_before(cases.at(point).request(), *filter);
    std::erase_if(notes,
                  [&](const std::string& note) { return std::ranges::find(told, note) != told.end(); });
    print_notes(notes);
    told.insert(told.end(), notes.begin(), notes.end());
  }
}

void run_one(const study::StudyPlan& plan, study::StudyCases& cases, const study::TryIndex& index,
             const std::string& folder, const Presentation& presentation) {
  const std::string file = fmt::format("{}/point-{}-try-{}.csv", folder, index.point + 1, index.attempt + 1);
  const study::StudyCase& one = cases.at(index.point);
  RunLimit limit;
  const std::optional<study::TryResult> done = one.run(index.attempt, StopSignals::flag(), file);
  static_cast<void>(limit.is_reached());  // says why
  if (!done)
    throw CutRun(
        limit.error_text(file, "a whole try", "a part of it", "Nothing is written: give the command again."),
        limit.status());
  const study::TryResult& result = *done;
  if (result.outcome == study::TryResult::Outcome::kFailed) throw std::runtime_error(result.message);
  presentation.show(
      stdout, [&](const PageStyle& style) { return try_page(plan, one.outputs(), result, file, style); },
      [&] { return study::try_json(plan, one.outputs(), result, file, provenance_of_run()); });
}

void finish(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
            std::vector<study::TryResult>& results, study::StudyOutcome& page,
            const std::optional<std::string>& report, const Presentation& presentation) {
  std::ranges::sort(results, {}, [&](const study::TryResult& result) { return plan.place_of(result.index); });
  const std::vector<study::PointSummary> summaries = study::summarise_points(plan, outputs.size(), results);
  std::size_t failed = 0;
  std::string complaint;
  for (std::size_t point = 0; point < plan.num_points(); ++point) {
    failed += summaries[point].failed;
    if (complaint.empty() && summaries[point].complaint)
      complaint = fmt::format("point {}: {}", point + 1, *summaries[point].complaint);
  }
  write_study_results(page.folder, plan, outputs, results, summaries);
  if (report) write_report(*report, study::study_report(plan, outputs, summaries, ""));
  const study::StudyOutcome whole{plan,         outputs,      summaries,   page.found,
                                  page.elapsed, page.threads, page.folder, report.value_or("")};
  presentation.show(
      stdout, [&](const PageStyle& style) { return study_page(whole, style); },
      [&] { return study::study_json(whole, provenance_of_run()); });
  if (failed > 0)
    print_notes({fmt::format("{} of {} tries could not be run and count as not converged; the first, {}",
                             failed, plan.size(), complaint)});
}

void run_all(const StudyOptions& options, const study::StudyPlan& plan, study::StudyCases& cases,
             const std::string& folder, const Presentation& presentation) {
  const int threads = read_threads(options.threads);
  study::StudyJournal journal(folder + "/journal", owner_of(plan.study()), options.fresh);
  if (journal.num_torn() > 0)
    print_notes({counted(journal.num_torn(), "line") + " of " + folder +
                 "/journal that a crash left unfinished: those tries are made again."});
  std::vector<bool> is_done(plan.size(), false);
  std::vector<study::TryResult> results = journal.found_of(plan, is_done);
  const std::size_t found = results.size();
  const auto begin = std::chrono::steady_clock::now();
  RunLimit limit(options.limits);
  ProgressBar bar;
  const bool is_complete = study::run_study(
      plan, cases, journal, is_done, threads,
      [&](const study::StudyProgress& progress) {
        bar.update(static_cast<double>(progress.done) / static_cast<double>(progress.of));
        return limit.is_reached(static_cast<std::int64_t>(progress.done));
      },
      results);
  bar.clear();
  if (!is_complete) {
    const auto write_rest = [&] {
      if (!options.report) return;
      const std::vector<core::Column> outputs = cases.at(0).outputs();
      write_report(*options.report,
                   study::study_report(plan, outputs, study::summarise_points(plan, outputs.size(), results),
                                       fmt::format("The study was stopped: {} of {} tries were made.",
                                                   results.size(), plan.size())));
    };
    tell_unwritten(written_page(write_rest), true);
    throw CutRun(limit.error_text(folder, counted(plan.size(), "result"),
                                  fmt::format("{}, which are kept", results.size()),
                                  "Give the same command again: it goes on from there."),
                 limit.status());
  }
  const std::vector<core::Column> outputs = cases.at(0).outputs();
  study::StudyOutcome page{plan, outputs, {}, found, 0.0, threads, folder, ""};
  page.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  finish(plan, outputs, results, page, options.report, presentation);
}

void run_study_command(const StudyOptions& options, const Presentation& presentation) {
  const study::StudyFile study =
      io::reading_file([&] { return study::read_study(io::read_file_text(options.file), options.file); });
  const study::StudyPlan plan(study);
  if (options.plan && options.only)
    throw CommandLineError({.what = "two things to do",
                            .where = "--plan",
                            .expected = "--plan or --only",
                            .actual = "both",
                            .next = "Leave one of them out."});
  if (options.report && (options.plan || options.only))
    throw CommandLineError({.what = "a report needs a whole study",
                            .where = "--report",
                            .expected = "neither --plan nor --only",
                            .actual = options.plan ? "--plan" : "--only",
                            .next = "Leave one of them out."});
  check_report_option(options.report);
  TerminalObserver observer;
  study::StudyCases cases(plan, observer);
  static_cast<void>(read_threads(options.threads));
  check_limits(options.limits);
  if (options.only && (options.limits.seconds || options.limits.steps))
    throw CommandLineError({.what = "a single try has no such limit",
                            .where = options.limits.seconds ? "--most-seconds" : "--most-steps",
                            .expected = "a whole study",
                            .actual = "--only",
                            .next = "Leave one of them out."});
  check_study_files(options, study);
  if (options.only) {
    const study::TryIndex index = read_only(*options.only, plan);
    run_one(plan, cases, index, make_folder(options.out), presentation);
    return;
  }
  check(plan, cases);
  if (options.plan)
    presentation.show(
        stdout, [&](const PageStyle& style) { return plan_page(plan, style); },
        [&] { return study::plan_json(plan, provenance_of_run()); });
  else
    run_all(options, plan, cases, make_folder(options.out), presentation);
}

}  // namespace

void add_study_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "study", "Runs filters many times, each on newly drawn motions and readings: how often they converge");
  command->add_option("STUDY", options->file, "Study file (docs/study-file.md)")->required();
  begin_group(*command, kFileOptions);
  command
      ->add_option("--out", options->out,
                   "Folder for the results; an interrupted study found there is resumed")
      ->type_name("DIR");
  add_report_option(*command, options->report);
  begin_group(*command, "What is done");
  command->add_option("--threads", options->threads, "Number of tries run in parallel (all cores)")
      ->type_name("N");
  add_limit_options(*command, options->limits, "tries", "What is done");
  command->add_flag("--fresh", options->fresh, "Discard the results in the folder and start over");
  command
      ->add_option(
          "--only", options->only,
          "Run this try alone, as numbered in the summary, and write every step of it to a CSV file in --out")
      ->type_name("POINT:TRY");
  command->add_flag("--plan", options->plan, "Check the file and show its points; run nothing");
  show_examples(*command, {{"Check a study and list its points:", "eslabon study studies/step.yaml --plan"},
                           {"Run it, or resume it, and make a report:",
                            "eslabon study studies/step.yaml --out results --report results.html"}});
  command->callback([options, &presentation] { run_study_command(*options, presentation); });
}

}  // namespace eslabon::cli
