#include <algorithm>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include "estimate.hpp"
#include "estimate_live.hpp"
#include "estimate_report.hpp"
#include "estimate_summary.hpp"
#include "filter_notes.hpp"
#include "lost_filter.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "path_check.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "provenance.hpp"
#include "report_output.hpp"
#include "row_clock.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/io/measurement_file.hpp"

namespace eslabon::cli {

namespace {

/// All readings of a file, in the order of arrival.
std::vector<sensing::Reading> read_all(const std::string& path, const FilterCase& filter,
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
  /// `cloud_bytes`: what its hypotheses may take of the report.
  explicit BatchRun(const EstimateOptions& options, double cloud_bytes = report::SizeLimits{}.cloud_bytes)
      : options_(checked(options)), filter_(naming(options.model, [&] {
          return std::make_unique<FilterCase>(options, last_time(options));
        })) {
    std::vector<std::string> unused;
    readings_ = io::reading_file([&] { return read_all(*options.measurements, *filter_, unused); });
    if (!unused.empty())
      fmt::print(stderr, "eslabon: note: {} has no readings of {}.\n", *options.measurements,
                 listed(unused, 6));
    filter_->begin_near(readings_.front().t);
    if (options.truth) truth_.emplace(*options.truth, *filter_);
    if (options.report) record_.emplace(*filter_, read_report_particles(options), cloud_bytes);
  }

  /// Throws when it cannot go on, and is false when it is cut.
  bool run(RunLimit& limit) {
    io::ResultWriter writer = open_results(options_.out, filter_->columns(), read_header(options_.header));
    std::vector<double> row(filter_->columns().size());
    estimation::EstimationRun& run = filter_->run();
    RowClock clock(run.now(), options_.every ? read_time("--every", "time from row to row", *options_.every)
                                             : run.step_size());
    const auto write_row = [&] {
      if (!clock.is_due(run.now())) return;
      filter_->fill_row(row);
      writer.write_row(run.now().seconds(), row);
      if (truth_) truth_->add(row);
      if (record_) record_->add_row(row);
    };
    write_row();
    ProgressBar bar;
    std::size_t next = 0;
    std::int64_t steps = 0;
    while (!is_over(next) && !limit.is_reached(steps++)) {
      filter_->step_through(readings_, next);
      if (record_) record_->follow_step();
      write_row();
      bar.update(static_cast<double>(next) / static_cast<double>(std::max<std::size_t>(readings_.size(), 1)));
    }
    writer.finish();
    if (record_) record_->finish();
    if (truth_) truth_->finish();
    return is_complete_ = !limit.was_reached();
  }

  EstimateSummary summary(bool has_report) const {
    return {.filter = *filter_,
            .truth = truth(),
            .readings = fmt::format("{} of {}", readings_.size(), *options_.measurements),
            .file = options_.out == kStdout ? "to the standard output" : options_.out,
            .report = has_report ? options_.report : std::nullopt,
            .is_complete = is_complete_};
  }
  void print_events() const {
    const sensing::StreamLog& log = filter_->front_end().log();
    for (std::size_t k = 0; k < std::min(log.num_events(), kMostEvents); ++k)
      fmt::print(stderr, "eslabon: note: {}.\n", log.text(log.event(k)));
    if (log.num_events() > kMostEvents)
      fmt::print(stderr, "eslabon: note: … and {} more events.\n", log.num_events() - kMostEvents);
  }
  const TruthComparison* truth() const { return truth_ ? &*truth_ : nullptr; }
  std::vector<std::string> notes_of_run() {
    std::vector<std::string> notes = notes_after(*filter_);
    if (truth_)
      for (std::string& note : truth_->notes()) notes.push_back(std::move(note));
    return notes;
  }
  FilterCase& filter() { return *filter_; }
  /// For the report, where one was asked for.
  ReportedFilter reported() {
    std::vector<std::string> notes = notes_before(options_, *filter_);
    for (const std::string& note : notes_of_run()) notes.push_back(options_.filter + ": " + note);
    return {*filter_, *record_, truth(), std::move(notes)};
  }
  const std::vector<sensing::Reading>& readings() const { return readings_; }
  const EstimateOptions& options() const { return options_; }

 private:
  static constexpr std::size_t kMostEvents = 10;
  static constexpr double kLongest = 3600.0;  ///< [s] of drivers

  static const EstimateOptions& checked(const EstimateOptions& options) {
    check_out(options.out);
    check_report_option(options.report);
    return options;
  }
  static double last_time(const EstimateOptions& options) {
    return options.until ? read_time("--until", "end", *options.until).seconds() : kLongest;
  }
  /// `next`: how many readings were given to the front end.
  bool is_over(std::size_t next) const {
    if (options_.until) return (filter_->run().now() - filter_->begin()).seconds() >= last_time(options_);
    return next == readings_.size() && filter_->front_end().num_waiting() == 0;
  }

  EstimateOptions options_;
  std::unique_ptr<FilterCase> filter_;
  std::vector<sensing::Reading> readings_;
  std::optional<TruthComparison> truth_;
  std::optional<FilterRecord> record_;  ///< for the report
  bool is_complete_ = true;
};

/// "dir/estimate-ukf.csv" for "dir/estimate.csv".
std::string with_name(const std::string& path, const std::string& filter) {
  const std::size_t slash = path.find_last_of('/'), dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return has_ending ? path.substr(0, dot) + "-" + filter + path.substr(dot) : path + "-" + filter;
}

/// What the hypotheses of each of these filters may take of one report.
double cloud_share(const std::vector<std::string>& filters) {
  const auto has_hypotheses = [](const std::string& name) {
    return estimation::estimator_capabilities(name).unknown_start;
  };
  const auto number = std::max<std::ptrdiff_t>(1, std::ranges::count_if(filters, has_hypotheses));
  return report::SizeLimits{}.cloud_bytes / static_cast<double>(number);
}

/// The page of filters that ran, where one was asked for; `failure`: why the last of them ended before its time.
void write_page(const EstimateOptions& options, const std::vector<std::unique_ptr<BatchRun>>& runs,
                const std::optional<std::string>& failure = std::nullopt) {
  if (!options.report) return;
  std::vector<ReportedFilter> reported;
  for (const auto& run : runs)
    if (run->filter().num_rows() > 0) reported.push_back(run->reported());
  if (reported.empty()) return;
  write_estimate_report(*options.report, reported, runs.front()->readings(), *options.measurements, failure);
}

/// What was cut, of the filter that ran then.
core::ErrorText cut_error(const RunLimit& limit, BatchRun& run) {
  return limit.error_text(
      run.options().model, fmt::format("all {} readings", run.readings().size()),
      fmt::format("{} up to t = {:.9g} s", run.options().filter, run.filter().run().now().seconds()));
}

std::optional<std::string> cut_text(const RunLimit& limit, BatchRun& run) {
  if (!limit.was_reached()) return std::nullopt;
  return core::to_sentence(cut_error(limit, run));
}

void throw_if_cut(const RunLimit& limit, BatchRun& run) {
  if (limit.was_reached()) throw CutRun(cut_error(limit, run), limit.status());
}

/// What several filters did, beside each other.
std::string comparison_table(const std::vector<std::string>& filters,
                             const std::vector<std::unique_ptr<BatchRun>>& runs, const PageStyle& style) {
  std::vector<std::string> headings{"filter"};
  if (const TruthComparison* truth = runs.front()->truth())
    for (const TruthComparison::Line& line : truth->lines()) headings.push_back(">RMSE " + line.name);
  for (const char* heading : {">NEES", ">not observed", ">step p50", ">p99", ">p99.9", ">max"})
    headings.emplace_back(heading);
  TextTable table(headings);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    std::vector<std::string> cells{filters[k]};
    if (runs[k]->truth() != nullptr)
      for (const TruthComparison::Line& line : runs[k]->truth()->lines()) cells.push_back(rmse_text(line));
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
void compare(const EstimateOptions& options, const std::vector<std::string>& filters,
             const Presentation& presentation) {
  std::vector<NamedPath> written;
  for (const std::string& name : filters) written.push_back({"--out", with_name(options.out, name)});
  check_request_again({}, written);
  for (const NamedPath& file : written) Provenance::of_run().add_written(file);
  std::vector<std::unique_ptr<BatchRun>> runs;
  std::vector<std::string> told;
  RunLimit limit(options.limits);
  for (const std::string& name : filters) {
    EstimateOptions one = options;
    one.filter = name;
    one.out = with_name(options.out, name);
    runs.push_back(std::make_unique<BatchRun>(one, cloud_share(filters)));
    std::vector<std::string> notes = notes_before(one, runs.back()->filter());
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
      written_page([&] { write_page(options, runs, cut_text(limit, *runs.back())); });
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(runs.front()->filter().mechanism().name(), "estimates compared");
    page.append(
        "\n" +
        comparison_table({filters.begin(), filters.begin() + static_cast<std::ptrdiff_t>(runs.size())}, runs,
                         style) +
        "\n");
    const TruthComparison* const truth = runs.front()->truth();
    if (truth != nullptr && !truth->missing().empty())
      page.fact("Not compared", listed(truth->missing(), 6) + ": not in the truth");
    page.fact("Written",
              with_name(options.out, filters.front()) + fmt::format(" and {} more", runs.size() - 1));
    if (options.report && !unwritten) page.fact("Report", *options.report);
    return page.text();
  };
  presentation.show(stdout, page_text, [&] {
    std::vector<EstimateSummary> summaries;
    for (const auto& run : runs) summaries.push_back(run->summary(unwritten == nullptr));
    return estimate_json(summaries);
  });
  tell_unwritten(unwritten, limit.was_reached());
  throw_if_cut(limit, *runs.back());
  for (const auto& run : runs) {
    if (run->truth() != nullptr) run->truth()->check_rows();
    check_not_lost(run->filter());
  }
}

void run_batch(const EstimateOptions& options, const Presentation& presentation) {
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  if (filters.size() > 1) {
    if (options.out == kStdout)
      throw CommandLineError({.what = "several filters do not fit into one stream",
                              .where = "--out",
                              .expected = "a file; the name of each filter is added to it",
                              .actual = "the standard output",
                              .next = "Write, for example, --out estimate.csv."});
    compare(options, filters, presentation);
    return;
  }
  std::vector<std::unique_ptr<BatchRun>> runs;
  BatchRun& run = *runs.emplace_back(std::make_unique<BatchRun>(options));
  print_notes(notes_before(options, run.filter()));
  RunLimit limit(options.limits);
  run_with_page([&] { return run.run(limit); },
                [&](const std::string& failure) { write_page(options, runs, failure); });
  const std::exception_ptr unwritten = written_page([&] { write_page(options, runs, cut_text(limit, run)); });
  const EstimateSummary summary = run.summary(unwritten == nullptr);
  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) { return estimate_summary(summary, style); },
      [&] { return estimate_json({summary}); });
  print_notes(run.notes_of_run());
  run.print_events();
  tell_unwritten(unwritten, limit.was_reached());
  throw_if_cut(limit, run);
  if (run.truth() != nullptr) run.truth()->check_rows();
  check_not_lost(run.filter());
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
