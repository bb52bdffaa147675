#include <algorithm>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include "estimate.hpp"
#include "estimate_live.hpp"
#include "estimate_page.hpp"
#include "fact_lines.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "path_check.hpp"
#include "presentation.hpp"
#include "provenance.hpp"
#include "report_output.hpp"
#include "terminal_observer.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/io/measurement_file.hpp"
#include "eslabon/io/result_reader.hpp"
#include "eslabon/recording/estimate_report.hpp"
#include "eslabon/recording/filter_tables.hpp"
#include "eslabon/runs/estimate.hpp"
#include "eslabon/runs/filter_notes.hpp"
#include "eslabon/runs/lost_filter.hpp"

namespace eslabon::cli {

namespace {

/// What all filters of a command have in common.
struct EstimateInput {
  const EstimateOptions& options;
  model::Mechanism mechanism;  ///< with its drivers
  std::vector<std::string>
      doubts;                     ///< settings that look as if their unit had been forgotten, a sentence each
  runs::EstimateRequest request;  ///< of the first filter
  std::optional<core::ResultTable> truth;
};

EstimateInput read_input(const EstimateOptions& options) {
  io::DescribedMechanism loaded =
      naming(options.model, [&] { return io::load_described_model(options.model, options.set); });
  runs::EstimateRequest request = read_request(options, loaded.mechanism);
  EstimateInput input{options, std::move(loaded.mechanism), {}, std::move(request), std::nullopt};
  for (const io::ParameterFact& parameter : loaded.parameters)
    if (!parameter.doubt.empty()) input.doubts.push_back(parameter.doubt);
  if (options.truth) input.truth = io::read_results(*options.truth);
  return input;
}

/// All readings of a file, in the order of arrival.
std::vector<sensing::Reading> read_all(const std::string& path, const runs::FilterCase& filter,
                                       std::vector<std::string>& unused) {
  io::MeasurementReader reader(path, filter.all_facts());
  std::vector<sensing::Reading> all, row;
  while (reader.read(row))
    for (sensing::Reading& reading : row)
      if (filter.translate(reading)) all.push_back(reading);
  for (std::size_t s = 0; s < filter.all_facts().size(); ++s) {
    sensing::Reading one{.t = {}, .sensor = static_cast<int>(s)};
    if (filter.translate(one) && !reader.has_sensor(static_cast<int>(s)))
      unused.push_back(filter.all_facts()[s].name);
  }
  if (all.empty())
    throw io::FileError({.what = "there are no readings",
                         .where = path,
                         .expected = "rows with readings of the sensors in use",
                         .actual = "none",
                         .next = "Check the file and --sensors."});
  return all;
}

/// One filter that is led through a file of readings.
class BatchRun {
 public:
  /// `out`: file of its rows. `cloud_bytes`: what its particles may take of the report.
  BatchRun(const EstimateInput& input, const std::string& filter, std::string out,
           double cloud_bytes = report::SizeLimits{}.cloud_bytes)
      : input_(input), request_(input.request), out_(std::move(out)) {
    request_.filter = filter;
    const EstimateOptions& options = input.options;
    filter_ = naming(options.model, [&] {
      const double until = request_.until ? request_.until->seconds() : runs::kLongestDrive;
      return std::make_unique<runs::FilterCase>(request_, until, input.mechanism, observer_);
    });
    std::vector<std::string> unused;
    readings_ = io::reading_file([&] { return read_all(*options.measurements, *filter_, unused); });
    if (!unused.empty()) print_note(*options.measurements + " has no readings of " + listed(unused, 6) + ".");
    filter_->begin_near(readings_.front().t);
    if (input.truth) truth_.emplace(*input.truth, *filter_);
    if (options.report) record_.emplace(*filter_, read_report_particles(options), cloud_bytes);
  }

  /// Throws when it cannot go on, and is false when it is cut.
  bool run(RunLimit& limit) {
    io::ResultWriter writer = open_results(out_, filter_->columns(), read_header(input_.options.header));
    const runs::FilterFollowers followers{.row =
                                              [&](std::span<const double> row) {
                                                writer.write_row(filter_->run().now().seconds(), row);
                                                if (truth_) truth_->add(row);
                                                if (record_) record_->add_row(row);
                                              },
                                          .step =
                                              [&] {
                                                if (record_) record_->follow_step();
                                              }};
    observer_.set_limit(limit);
    is_complete_ = runs::lead_through(*filter_, readings_, request_, followers, observer_);
    observer_.clear();
    writer.finish();
    if (record_) record_->finish();
    if (truth_) truth_->finish();
    return is_complete_;
  }

  EstimateSummary summary(bool has_report) const {
    return {.filter = *filter_,
            .truth = truth(),
            .readings = fmt::format("{} of {}", readings_.size(), *input_.options.measurements),
            .file = out_ == kStdout ? "to the standard output" : out_,
            .report = has_report ? input_.options.report : std::nullopt,
            .is_complete = is_complete_};
  }
  void print_events() const {
    const sensing::StreamLog& log = filter_->front_end().log();
    for (std::size_t k = 0; k < std::min(log.num_events(), kMostEvents); ++k)
      print_note(log.text(log.event(k)) + ".");
    if (log.num_events() > kMostEvents)
      print_note(fmt::format("… and {} more events.", log.num_events() - kMostEvents));
  }
  const runs::TruthComparison* truth() const { return truth_ ? &*truth_ : nullptr; }
  std::vector<std::string> notes_before_run() {
    std::vector<std::string> notes = input_.doubts;
    for (std::string& note : notes_before(request_, *filter_)) notes.push_back(std::move(note));
    return notes;
  }
  std::vector<std::string> notes_of_run() {
    std::vector<std::string> notes = notes_after(*filter_);
    if (truth_)
      for (std::string& note : truth_->notes()) notes.push_back(std::move(note));
    return notes;
  }
  runs::FilterCase& filter() { return *filter_; }
  const std::string& name() const { return request_.filter; }
  /// For the report, where one was asked for.
  recording::ReportedFilter reported() {
    std::vector<std::string> notes = notes_before_run();
    for (const std::string& note : notes_of_run()) notes.push_back(name() + ": " + note);
    return {*filter_, *record_, truth(), std::move(notes)};
  }
  const std::vector<sensing::Reading>& readings() const { return readings_; }

 private:
  static constexpr std::size_t kMostEvents = 10;

  const EstimateInput& input_;
  runs::EstimateRequest request_;
  std::string out_;
  TerminalObserver observer_;
  std::unique_ptr<runs::FilterCase> filter_;
  std::vector<sensing::Reading> readings_;
  std::optional<runs::TruthComparison> truth_;
  std::optional<recording::FilterRecord> record_;  ///< for the report
  bool is_complete_ = true;
};

/// What a filter that has run is not, though it wrote its rows.
void check_result(BatchRun& run) {
  if (run.truth() != nullptr) run.truth()->check_rows();
  check_not_lost(run.filter());
}

/// "dir/estimate-ukf.csv" for "dir/estimate.csv".
std::string with_name(const std::string& path, const std::string& filter) {
  const std::size_t slash = path.find_last_of('/'), dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return has_ending ? path.substr(0, dot) + "-" + filter + path.substr(dot) : path + "-" + filter;
}

/// What the particles of each of these filters may take of one report.
double cloud_share(const std::vector<std::string>& filters) {
  const auto has_particles = [](const std::string& name) {
    return estimation::estimator_capabilities(name).unknown_start;
  };
  const auto number = std::max<std::ptrdiff_t>(1, std::ranges::count_if(filters, has_particles));
  return report::SizeLimits{}.cloud_bytes / static_cast<double>(number);
}

/// The page of filters that ran, where one was asked for; `failure`: why the last of them ended before its time.
void write_page(const EstimateOptions& options, const std::vector<std::unique_ptr<BatchRun>>& runs,
                const std::optional<std::string>& failure = std::nullopt) {
  if (!options.report) return;
  std::vector<recording::ReportedFilter> reported;
  for (const auto& run : runs)
    if (run->filter().num_rows() > 0) reported.push_back(run->reported());
  if (reported.empty()) return;
  write_report(*options.report, recording::estimate_report(reported, runs.front()->readings(),
                                                           *options.measurements, failure));
}

/// What was cut, of the filter that ran then.
core::ErrorText cut_error(const EstimateOptions& options, const RunLimit& limit, BatchRun& run) {
  return limit.error_text(
      options.model, fmt::format("all {} readings", run.readings().size()),
      fmt::format("{} up to t = {:.9g} s", run.name(), run.filter().run().now().seconds()));
}

std::optional<std::string> cut_text(const EstimateOptions& options, const RunLimit& limit, BatchRun& run) {
  if (!limit.was_reached()) return std::nullopt;
  return core::to_sentence(cut_error(options, limit, run));
}

void throw_if_cut(const EstimateOptions& options, const RunLimit& limit, BatchRun& run) {
  if (limit.was_reached()) throw CutRun(cut_error(options, limit, run), limit.status());
}

/// What several filters did, beside each other.
std::string comparison_table(const std::vector<std::string>& filters,
                             const std::vector<std::unique_ptr<BatchRun>>& runs, const PageStyle& style) {
  std::vector<std::string> headings{"filter"};
  if (const runs::TruthComparison* truth = runs.front()->truth())
    for (const runs::TruthComparison::Line& line : truth->lines()) headings.push_back(">RMSE " + line.name);
  for (const char* heading : {">NEES", ">not observed", ">step p50", ">p99", ">p99.9", ">max"})
    headings.emplace_back(heading);
  TextTable table(headings);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    std::vector<std::string> cells{filters[k]};
    if (runs[k]->truth() != nullptr)
      for (const runs::TruthComparison::Line& line : runs[k]->truth()->lines())
        cells.push_back(recording::rmse_text(line));
    const auto nees = runs[k]->truth() != nullptr ? runs[k]->truth()->nees() : std::nullopt;
    cells.push_back(nees ? fmt::format("{:.3g}", *nees) : "–");
    cells.push_back(fmt::format("{:.3g} s", runs[k]->filter().unobserved().length()));
    for (const double p : {0.5, 0.99, 0.999, 1.0})
      cells.push_back(fmt::format("{:.1f} µs", 1e6 * runs[k]->filter().step_times().quantile(p).seconds()));
    table.add_row(std::move(cells));
  }
  return table.text(0, "", style.table_width);
}

/// Several filters on the same readings, in one table.
void compare(const EstimateInput& input, const std::vector<std::string>& filters,
             const Presentation& presentation) {
  const EstimateOptions& options = input.options;
  std::vector<NamedPath> written;
  for (const std::string& name : filters) written.push_back({"--out", with_name(options.out, name)});
  check_request_again({}, written);
  add_written(written);
  std::vector<std::unique_ptr<BatchRun>> runs;
  std::vector<std::string> told;
  RunLimit limit(options.limits);
  for (const std::string& name : filters) {
    runs.push_back(
        std::make_unique<BatchRun>(input, name, with_name(options.out, name), cloud_share(filters)));
    std::vector<std::string> notes = runs.back()->notes_before_run();
    std::erase_if(notes,
                  [&](const std::string& note) { return std::ranges::find(told, note) != told.end(); });
    print_notes(notes);
    told.insert(told.end(), notes.begin(), notes.end());
    if (!run_with_page([&] { return runs.back()->run(limit); },
                       [&](const std::string& failure) { write_page(options, runs, failure); }))
      break;
    for (const std::string& note : runs.back()->notes_of_run()) print_notes({name + ": " + note});
    if (runs.size() == 1) runs.back()->print_events();  // of the stream, the same for all
  }
  const std::exception_ptr unwritten =
      written_page([&] { write_page(options, runs, cut_text(options, limit, *runs.back())); });
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(runs.front()->filter().mechanism().name(), "estimates compared");
    page.append(
        "\n" +
        comparison_table({filters.begin(), filters.begin() + static_cast<std::ptrdiff_t>(runs.size())}, runs,
                         style) +
        "\n");
    const runs::TruthComparison* const truth = runs.front()->truth();
    if (truth != nullptr) add_facts(page, recording::not_compared_facts(*truth));
    page.fact("Written",
              with_name(options.out, filters.front()) + fmt::format(" and {} more", runs.size() - 1));
    if (options.report && !unwritten) page.fact("Report", *options.report);
    return page.text();
  };
  presentation.show(stdout, page_text, [&] {
    std::vector<EstimateSummary> summaries;
    for (const auto& run : runs) summaries.push_back(run->summary(unwritten == nullptr));
    return recording::estimate_json(summaries, provenance_of_run());
  });
  tell_unwritten(unwritten, limit.was_reached());
  throw_if_cut(options, limit, *runs.back());
  for (const auto& run : runs) check_result(*run);
}

void run_batch(const EstimateOptions& options, const Presentation& presentation) {
  const std::vector<std::string> filters = read_filters(options);
  if (filters.size() > 1 && options.out == kStdout)
    throw CommandLineError({.what = "several filters do not fit into one stream",
                            .where = "--out",
                            .expected = "a file; the name of each filter is added to it",
                            .actual = "the standard output",
                            .next = "Write, for example, --out estimate.csv."});
  check_out(options.out);
  check_report_option(options.report);
  const EstimateInput input = read_input(options);
  if (filters.size() > 1) {
    compare(input, filters, presentation);
    return;
  }
  std::vector<std::unique_ptr<BatchRun>> runs;
  BatchRun& run = *runs.emplace_back(std::make_unique<BatchRun>(input, filters.front(), options.out));
  print_notes(run.notes_before_run());
  RunLimit limit(options.limits);
  run_with_page([&] { return run.run(limit); },
                [&](const std::string& failure) { write_page(options, runs, failure); });
  const std::exception_ptr unwritten =
      written_page([&] { write_page(options, runs, cut_text(options, limit, run)); });
  const EstimateSummary summary = run.summary(unwritten == nullptr);
  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) { return estimate_page(summary, style); },
      [&] { return recording::estimate_json({summary}, provenance_of_run()); });
  print_notes(run.notes_of_run());
  run.print_events();
  tell_unwritten(unwritten, limit.was_reached());
  throw_if_cut(options, limit, run);
  check_result(run);
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
