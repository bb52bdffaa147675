#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "apps/cli/commands/study.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/study_pages.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/native_code.hpp"
#include "apps/cli/words/path_check.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/report_output.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/study/kept_study.hpp"

namespace eslabon::cli {

namespace {

using Compiler = std::shared_ptr<codegen::NativeCompiler>;  ///< none: it was not asked for

struct StudyOptions {
  std::string file;
  std::optional<std::string> out, threads, only, report;
  bool fresh = false, plan = false, compiled = false;
  LimitOptions limits;
};

int read_threads(const std::optional<std::string>& text) {
  if (!text) return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (const std::optional<int> threads = number_in(*text, 1, 1024)) return *threads;
  throw CommandLineError({"not a number of threads", "--threads", "a whole number from 1 to 1024",
                          "'" + *text + "'", "Leave it out to use all cores."});
}

/// "3:17": both counted from 1.
study::TryIndex read_only(const std::string& text, const study::StudyPlan& plan) {
  const std::size_t colon = std::min(text.find(':'), text.size() - 1);
  const auto point = number_in<std::size_t>(text.substr(0, colon), 1, plan.num_points());
  const auto attempt = number_in<std::size_t>(text.substr(colon + 1), 1, plan.num_tries());
  if (point && attempt) return {*point - 1, *attempt - 1};
  throw CommandLineError({"the study has no such try", "--only",
                          fmt::format("POINT:TRY, from 1:1 to {}:{}", plan.num_points(), plan.num_tries()),
                          "'" + text + "'", "The summary of the study numbers points and tries."});
}

/// What is read is not among the files of the folder, by whatever links.
void check_study_files(const StudyOptions& options, const study::StudyFile& study) {
  std::vector<NamedPath> written;
  if (options.out)
    for (const std::string& file : study::study_files(*options.out)) written.push_back({"--out", file});
  check_request_again({{"the study's model", study.model}}, written);
  add_written(written);
}

/// The program, and the compiler of its filters where there is one: other results are the same to roundoff alone.
std::string build_text(const Compiler& compiler) {
  const std::string version = compiler ? compiler->version() : "";
  return recording::exact_build_text() + (version.empty() ? "" : ", filters compiled by " + version);
}

void run_one(const study::StudyPlan& plan, study::StudyCases& cases, const study::TryIndex& index,
             const std::string& folder, const Compiler& compiler, const Presentation& presentation) {
  const std::string file = study::try_file(folder, index);
  const study::StudyCase& one = cases.at(index.point);
  RunLimit limit;
  const std::optional<study::TryResult> done = one.run(index.attempt, StopSignals::flag(), file);
  static_cast<void>(limit.is_reached());  // says why
  if (!done)
    throw CutRun(
        limit.error_text(file, "a whole try", "a part of it", "Nothing is written: give the command again."),
        limit.status());
  const auto compiled = told_report(compiler);
  const study::TryResult& result = *done;
  if (result.outcome == study::TryResult::Outcome::kFailed) throw std::runtime_error(result.message);
  presentation.show(
      stdout,
      [&](const PageStyle& style) { return try_page(plan, one.outputs(), result, file, compiled, style); },
      [&] { return study::try_json(plan, one.outputs(), result, file, compiled, provenance_of_run()); });
}

void run_all(const StudyOptions& options, const study::StudyPlan& plan, study::StudyCases& cases,
             const std::string& folder, const Compiler& compiler, const Presentation& presentation) {
  const study::StudyRequest request{.folder = folder,
                                    .build = build_text(compiler),
                                    .threads = read_threads(options.threads),
                                    .is_fresh = options.fresh};
  RunLimit limit(options.limits);
  TerminalObserver observer(&limit);
  const study::StudyOutcome outcome = study::run_kept_study(plan, cases, request, observer);
  observer.clear();
  const auto compiled = told_report(compiler);
  const auto write_page = [&] {
    if (options.report) write_report(*options.report, study::study_report(plan, outcome));
  };
  if (!outcome.is_complete) {
    tell_unwritten(written_page(write_page), true);
    throw CutRun(limit.error_text(folder, core::counted(plan.size(), "result"),
                                  fmt::format("{}, which are kept", outcome.results.size()),
                                  "Give the same command again: it goes on from there."),
                 limit.status());
  }
  write_page();
  const study::ToldStudy page{plan,
                              outcome.outputs,
                              outcome.summaries,
                              outcome.found,
                              outcome.elapsed,
                              request.threads,
                              folder,
                              options.report.value_or(""),
                              compiled};
  presentation.show(
      stdout, [&](const PageStyle& style) { return study_page(page, style); },
      [&] { return study::study_json(page, provenance_of_run()); });
  if (const std::optional<std::string> note = outcome.failure_note()) print_note(*note);
}

void run_study_command(const StudyOptions& options, const Presentation& presentation) {
  const study::StudyFile study =
      io::reading_file([&] { return study::read_study(io::read_file_text(options.file), options.file); });
  const study::StudyPlan plan(study);
  refuse_if(options.plan && options.only,
            {"two things to do", "--plan", "--plan or --only", "both", "Leave one of them out."});
  refuse_if(options.report && (options.plan || options.only),
            {"a report needs a whole study", "--report", "neither --plan nor --only",
             options.plan ? "--plan" : "--only", "Leave one of them out."});
  check_report_option(options.report);
  TerminalObserver observer;
  const Compiler compiler = options.compiled && !options.plan ? make_native_compiler() : nullptr;
  study::StudyCases cases(plan, observer, compiler);
  static_cast<void>(read_threads(options.threads));
  check_limits(options.limits);
  refuse_if(options.only && (options.limits.seconds || options.limits.steps),
            {"a single try has no such limit", options.limits.seconds ? "--most-seconds" : "--most-steps",
             "a whole study", "--only", "Leave one of them out."});
  check_study_files(options, study);
  if (options.only) {
    const study::TryIndex index = read_only(*options.only, plan);
    run_one(plan, cases, index, study::make_study_folder(options.out.value_or("")), compiler, presentation);
    return;
  }
  study::check_cases(plan, cases, observer);
  if (options.plan)
    presentation.show(
        stdout, [&](const PageStyle& style) { return plan_page(plan, style); },
        [&] { return study::plan_json(plan, provenance_of_run()); });
  else
    run_all(options, plan, cases, study::make_study_folder(options.out.value_or("")), compiler, presentation);
}

}  // namespace

void add_study_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "study", "Runs filters many times, each on newly drawn motions and readings: how often they converge");
  command->add_option("STUDY", options->file, "Study file (docs/study-file.md)")->required();
  begin_group(*command, kFileOptions);
  add_text(*command, "--out", "DIR", options->out,
           "Folder for the results; an interrupted study found there is resumed");
  add_report_option(*command, options->report);
  begin_group(*command, "What is done");
  add_text(*command, "--threads", "N", options->threads, "Number of tries run in parallel [all cores]");
  command->add_flag("--compiled", options->compiled,
                    "Machine code for the filters, made by the C compiler of the system and kept for the "
                    "next run; the result is the same to roundoff, of particle to the last bit");
  add_limit_options(*command, options->limits, "tries", "What is done");
  command->add_flag("--fresh", options->fresh, "Discard the results in the folder and start over");
  add_text(
      *command, "--only", "POINT:TRY", options->only,
      "Run this try alone, as numbered in the summary, and write every step of it to a CSV file in --out");
  command->add_flag("--plan", options->plan, "Check the file and show its points; run nothing");
  show_examples(*command, {{"Check a study and list its points:", "eslabon study studies/step.yaml --plan"},
                           {"Run it, or resume it, and make a report:",
                            "eslabon study studies/step.yaml --out results --report results.html"}});
  command->callback([options, &presentation] { run_study_command(*options, presentation); });
}

}  // namespace eslabon::cli
