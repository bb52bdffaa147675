#include <algorithm>
#include <cstdio>
#include <memory>

#include "apps/cli/commands/estimate.hpp"
#include "apps/cli/commands/estimate_live.hpp"
#include "apps/cli/text/estimate_page.hpp"
#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/text/text_table.hpp"
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

#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/recording/filters/estimate_run.hpp"
#include "eslabon/study/model_estimation.hpp"

namespace eslabon::cli {

namespace {

using recording::EstimateRun;
using EstimateRuns = std::vector<std::unique_ptr<EstimateRun>>;

constexpr std::size_t kMostEvents = 10;

/// "dir/estimate-ukf.csv" for "dir/estimate.csv" where several filters are compared.
std::string out_of(const EstimateOptions& options, const std::vector<std::string>& filters,
                   const std::string& filter) {
  const std::string& path = options.out;
  if (filters.size() == 1) return path;
  const std::size_t slash = path.find_last_of('/'), dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return has_ending ? path.substr(0, dot) + "-" + filter + path.substr(dot) : path + "-" + filter;
}

void check_files(const EstimateOptions& options, const std::vector<std::string>& filters) {
  if (filters.size() > 1 && options.out == kStdout)
    throw CommandLineError({.what = "several filters do not fit into one stream",
                            .where = "--out",
                            .expected = "a file; the name of each filter is added to it",
                            .actual = "the standard output",
                            .next = "Write, for example, --out estimate.csv."});
  check_out(options.out);
  check_report_option(options.report);
}

/// The files of several filters, which the command line does not name.
void add_written_files(const EstimateOptions& options, const std::vector<std::string>& filters) {
  if (filters.size() == 1) return;
  std::vector<NamedPath> written;
  for (const std::string& name : filters) written.push_back({"--out", out_of(options, filters, name)});
  check_request_again({}, written);
  add_written(written);
}

void write_page(const EstimateOptions& options, const EstimateRuns& runs,
                const std::optional<std::string>& failure) {
  if (const std::optional<report::Report> report = recording::estimate_report(runs, failure))
    write_report(options.report.value(), *report);
}

/// What was cut, of the filter that ran then.
core::ErrorText cut_error(const EstimateOptions& options, const RunLimit& limit, const EstimateRun& run) {
  return limit.error_text(
      options.model, fmt::format("all {} readings", run.readings().size()),
      fmt::format("{} up to t = {:.9g} s", run.name(), run.filter().run().now().seconds()));
}

std::string comparison_page(const EstimateRuns& runs, const std::string& first_file,
                            const std::optional<std::string>& report,
                            const std::optional<codegen::NativeCompiler::Report>& compiled,
                            const PageStyle& style) {
  const report::Table compared = recording::comparison_table(runs);
  std::vector<std::string> headings;
  for (const report::Table::Column& column : compared.columns)
    headings.push_back((headings.empty() ? "" : ">") + column.label);
  TextTable table(headings);
  for (const std::vector<std::string>& row : compared.rows) table.add_row(row);
  TextPage page(style);
  page.title(runs.front()->filter().mechanism().name(), "estimates compared");
  page.append("\n" + table.text(0, "", style.table_width) + "\n");
  const runs::TruthComparison* const truth = runs.front()->truth();
  if (truth != nullptr) add_facts(page, recording::not_compared_facts(*truth));
  if (compiled) page.fact("Compiled", codegen::summary(*compiled));
  page.fact("Written", first_file + fmt::format(" and {} more", runs.size() - 1));
  if (report) page.fact("Report", *report);
  return page.text();
}

EstimateSummary summary_of(const EstimateRun& run, const std::string& out,
                           const std::vector<std::string>& of_model,
                           const std::optional<std::string>& report) {
  return {.filter = run.filter(),
          .truth = run.truth(),
          .readings = fmt::format("{} of {}", run.readings().size(), run.measurements()),
          .file = out == kStdout ? "to the standard output" : out,
          .of_model = of_model,
          .report = report,
          .is_complete = run.is_complete()};
}

/// Leads the filters through the readings, one after the other, up to the limit.
EstimateRuns run_filters(const EstimateOptions& options, const std::vector<std::string>& filters,
                         const recording::EstimateInput& input, runs::EstimateRequest request,
                         std::optional<RunLimit>& limit) {
  EstimateRuns runs;
  std::vector<std::string> told;
  for (const std::string& name : filters) {
    TerminalObserver observer;
    request.filter = name;
    EstimateRun& run = *runs.emplace_back(
        naming(options.model, [&] { return std::make_unique<EstimateRun>(input, request, observer); }));
    print_new_notes(run.notes_before(), told);
    if (!limit) limit.emplace(options.limits);
    observer.set_limit(*limit);
    const auto work = [&] {
      io::ResultWriter rows =
          open_results(out_of(options, filters, name), run.filter().columns(), read_header(options.header));
      const bool is_complete = run.run(rows, observer);
      observer.clear();
      return is_complete;
    };
    if (!run_with_page(work, [&](const std::string& failure) { write_page(options, runs, failure); })) break;
    if (filters.size() == 1) break;
    for (const std::string& note : run.notes_after()) print_note(name + ": " + note);
    if (runs.size() == 1) print_notes(run.events(kMostEvents));  // of the stream, the same for all
  }
  return runs;
}

void run_batch(const EstimateOptions& options, const Presentation& presentation) {
  const std::vector<std::string> filters = read_filters(options);
  check_files(options, filters);
  io::DescribedMechanism loaded =
      naming(options.model, [&] { return cli::read_described_model(options.model, options.set); });
  const auto compiler = options.compiled ? make_native_compiler() : nullptr;
  const runs::EstimateRequest request = read_request(options, loaded, compiler);
  const std::vector<std::string> of_model = study::names_of_settings(loaded);
  recording::EstimateInput input{.mechanism = std::move(loaded.mechanism),
                                 .measurements = *options.measurements,
                                 .notes = loaded.doubts(),
                                 .cloud_bytes = recording::cloud_share(filters)};
  if (options.truth) input.truth = io::read_results(*options.truth);
  if (options.report) input.particles = read_report_particles(options);
  add_written_files(options, filters);

  std::optional<RunLimit> limit;
  const EstimateRuns runs = run_filters(options, filters, input, request, limit);
  std::optional<std::string> cut;
  if (limit->was_reached()) cut = in_option_words(cut_error(options, *limit, *runs.back()));
  const std::exception_ptr unwritten = written_page([&] { write_page(options, runs, cut); });
  const std::optional<std::string> report = unwritten ? std::nullopt : options.report;
  const auto compiled = told_report(compiler);
  std::vector<EstimateSummary> summaries;
  for (const auto& run : runs) {
    summaries.push_back(summary_of(*run, out_of(options, filters, run->name()), of_model, report));
    summaries.back().compiled = compiled;
  }
  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) {
        return filters.size() == 1 ? estimate_page(summaries.front(), style)
                                   : comparison_page(runs, out_of(options, filters, filters.front()), report,
                                                     compiled, style);
      },
      [&] { return recording::estimate_json(summaries, provenance_of_run()); });
  if (filters.size() == 1) {
    print_notes(runs.front()->notes_after());
    print_notes(runs.front()->events(kMostEvents));
  }
  tell_unwritten(unwritten, cut.has_value());
  if (cut) throw CutRun(cut_error(options, *limit, *runs.back()), limit->status());
  for (const auto& run : runs) run->check_result();
}

}  // namespace

void add_estimate_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<EstimateOptions>();
  CLI::App* command = app.add_subcommand(
      "estimate", "Estimates the motion of a mechanism, and what no sensor measures, from noisy readings");
  add_estimate_options(*command, *options);
  command->callback([options, &presentation] {
    check_estimate_options(*options);
    check_limits(options->limits);
    if (options->live)
      run_live_estimate(*options, presentation);
    else
      run_batch(*options, presentation);
  });
}

}  // namespace eslabon::cli
