#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include "estimate.hpp"
#include "estimate_live.hpp"
#include "estimate_summary.hpp"
#include "motion_output.hpp"
#include "progress_bar.hpp"
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
    throw core::ModelError({.what = "there are no readings",
                            .where = path,
                            .expected = "rows with readings of the sensors in use",
                            .actual = "none",
                            .next = "Check the file and --sensors."});
  return all;
}

/// Says it where most readings of a sensor were refused: the filter has lost the motion, or the sensor is broken.
void print_lost_sensors(FilterCase& filter) {
  for (std::size_t s = 0; s < filter.facts().size(); ++s) {
    const sensing::StreamCounts& counts = filter.front_end().log().counts(static_cast<int>(s));
    const std::int64_t refused = counts.of(sensing::Outcome::kOutlier) + counts.of(sensing::Outcome::kFailed);
    if (refused <= counts.of(sensing::Outcome::kAccepted)) continue;
    fmt::print(stderr,
               "eslabon: note: {} of {} readings of '{}' did not fit the estimate and were refused: the "
               "filter has lost "
               "the motion, or the sensor is not what the file says. Try a larger --start-deviation, "
               "--start-rate-deviation or --velocity-noise.\n",
               refused, counts.handed_out, filter.facts()[s].name);
  }
  if (filter.run().num_restarts() > 0)
    fmt::print(stderr,
               "eslabon: note: {} steps led to no state, and the filter began anew at rest: what it tells "
               "there is not "
               "to be trusted.\n",
               filter.run().num_restarts());
}

/// One filter that is led through a file of readings.
class BatchRun {
 public:
  explicit BatchRun(const EstimateOptions& options)
      : options_(options), filter_(naming(options.model, [&] {
          return std::make_unique<FilterCase>(options, last_time(options));
        })) {
    std::vector<std::string> unused;
    readings_ = read_all(*options.measurements, *filter_, unused);
    if (!unused.empty())
      fmt::print(stderr, "eslabon: note: {} has no readings of {}.\n", *options.measurements,
                 listed(unused, 6));
    if (!readings_.empty()) filter_->begin_near(readings_.front().t);
    if (options.truth) truth_.emplace(*options.truth, *filter_);
    if (options.filter == "cekf") print_slow_sensors();
  }

  void run() {
    io::ResultWriter writer = open_results(options_.out, filter_->columns());
    std::vector<double> row(filter_->columns().size());
    estimation::EstimationRun& run = filter_->run();
    RowClock clock(run.now(), options_.every ? read_time("--every", "time from row to row", *options_.every)
                                             : run.step_size());
    const auto write_row = [&] {
      if (!clock.is_due(run.now())) return;
      filter_->fill_row(row);
      writer.write_row(run.now().seconds(), row);
      unobserved_.add(run.now().seconds(), row[row.size() - 2] != 0.0);
      if (truth_) truth_->add(row);
      ++rows_;
    };
    write_row();
    ProgressBar bar;
    std::size_t next = 0;
    while (!is_over(next)) {
      // Fed until the front end has settled all that the step needs, by the times that it believes.
      const core::Instant target = run.now() + run.step_size();
      const sensing::FrontEnd& front_end = filter_->front_end();
      while (next < readings_.size() && front_end.has_room() &&
             !(front_end.settled() && *front_end.settled() >= target))
        filter_->front_end().receive(readings_[next++]);
      if (next == readings_.size()) filter_->front_end().flush();
      const auto before = std::chrono::steady_clock::now();
      run.step();
      step_times_.add(core::Duration::from_nanoseconds(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - before)
              .count()));
      write_row();
      bar.update(static_cast<double>(next) / static_cast<double>(std::max<std::size_t>(readings_.size(), 1)));
    }
    writer.finish();
  }

  std::string page(bool has_colour) const {
    return estimate_summary({.filter = *filter_,
                             .truth = truth_ ? &*truth_ : nullptr,
                             .step_times = step_times_,
                             .unobserved = unobserved_.list(),
                             .readings = fmt::format("{} of {}", readings_.size(), *options_.measurements),
                             .rows = rows_,
                             .file = options_.out == kStdout ? "to the standard output" : options_.out},
                            has_colour);
  }
  void print_events() const {
    print_lost_sensors(*filter_);
    const sensing::StreamLog& log = filter_->front_end().log();
    for (std::size_t k = 0; k < std::min(log.num_events(), kMostEvents); ++k)
      fmt::print(stderr, "eslabon: note: {}.\n", log.text(log.event(k)));
    if (log.num_events() > kMostEvents)
      fmt::print(stderr, "eslabon: note: … and {} more events.\n", log.num_events() - kMostEvents);
  }
  const TruthComparison* truth() const { return truth_ ? &*truth_ : nullptr; }
  const estimation::LatencyHistogram& step_times() const { return step_times_; }
  const std::vector<UnobservedSpan>& unobserved() const { return unobserved_.list(); }
  const FilterCase& filter() const { return *filter_; }

 private:
  /// cekf takes readings for signals that are always there.
  void print_slow_sensors() const {
    for (const sensing::SensorFacts& facts : filter_->facts())
      if (facts.period > filter_->run().step_size() * 2)
        fmt::print(stderr,
                   "eslabon: note: cekf takes the readings of '{}' for a signal that is always there; so "
                   "much slower than "
                   "the steps they make it surer than it should be. dekf takes them one by one.\n",
                   facts.name);
  }

  static constexpr std::size_t kMostEvents = 10;
  static constexpr double kLongest = 3600.0;  ///< [s] of drivers

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
  estimation::LatencyHistogram step_times_;
  UnobservedSpans unobserved_;
  std::int64_t rows_ = 0;
};

/// "dir/estimate-ukf.csv" for "dir/estimate.csv".
std::string with_name(const std::string& path, const std::string& filter) {
  const std::size_t slash = path.find_last_of('/'), dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return has_ending ? path.substr(0, dot) + "-" + filter + path.substr(dot) : path + "-" + filter;
}

/// Several filters on the same readings, in one table.
void compare(const EstimateOptions& options, const std::vector<std::string>& filters) {
  std::vector<std::unique_ptr<BatchRun>> runs;
  for (const std::string& name : filters) {
    EstimateOptions one = options;
    one.filter = name;
    one.out = with_name(options.out, name);
    runs.push_back(std::make_unique<BatchRun>(one));
    runs.back()->run();
    runs.back()->print_events();
  }
  const TruthComparison* truth = runs.front()->truth();
  std::vector<std::string> headings{"filter"};
  if (truth != nullptr)
    for (const TruthComparison::Line& line : truth->lines()) headings.push_back(">RMSE " + line.name);
  for (const char* heading : {">NEES", ">not observed", ">step p50", ">p99", ">p99.9", ">max"})
    headings.emplace_back(heading);
  TextTable table(headings);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    std::vector<std::string> cells{filters[k]};
    if (runs[k]->truth() != nullptr)
      for (const TruthComparison::Line& line : runs[k]->truth()->lines())
        cells.push_back(size_text(line.rmse(), line.unit));
    const auto nees = runs[k]->truth() != nullptr ? runs[k]->truth()->nees() : std::nullopt;
    cells.push_back(nees ? fmt::format("{:.3g}", *nees) : "–");
    double lost = 0.0;
    for (const UnobservedSpan& span : runs[k]->unobserved()) lost += span.until - span.from;
    cells.push_back(fmt::format("{:.3g} s", lost));
    for (const double p : {0.5, 0.99, 0.999, 1.0})
      cells.push_back(fmt::format("{:.1f} µs", 1e6 * runs[k]->step_times().quantile(p).seconds()));
    table.add_row(std::move(cells));
  }
  TextPage page(has_colour(STDOUT_FILENO));
  page.title(runs.front()->filter().mechanism().name(), "estimates compared");
  page.append("\n" + table.text() + "\n");
  page.fact("Written",
            with_name(options.out, filters.front()) + fmt::format(" and {} more", filters.size() - 1));
  std::fputs(page.text().c_str(), stdout);
}

void run_batch(const EstimateOptions& options) {
  check_out(options.model, options.out);
  check_not_replaced("--measurements", *options.measurements, options.out);
  if (options.truth) check_not_replaced("--truth", *options.truth, options.out);
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  if (filters.size() > 1) {
    if (options.out == kStdout)
      throw CommandLineError({.what = "several filters do not fit into one stream",
                              .where = "--out",
                              .expected = "a file; the name of each filter is added to it",
                              .actual = "the standard output",
                              .next = "Write for example --out estimate.csv."});
    compare(options, filters);
    return;
  }
  BatchRun run(options);
  run.run();
  std::FILE* const file = options.out == kStdout ? stderr : stdout;
  std::fputs(run.page(has_colour(fileno(file))).c_str(), file);
  run.print_events();
}

}  // namespace

void add_estimate_command(CLI::App& app) {
  auto options = std::make_shared<EstimateOptions>();
  CLI::App* command = app.add_subcommand(
      "estimate", "Finds the motion of a mechanism, and what no sensor measures, from noisy readings");
  add_estimate_options(*command, *options);
  command->callback([options] {
    check_estimate_options(*options);
    if (options->live)
      run_live_estimate(*options);
    else
      run_batch(*options);
  });
}

}  // namespace eslabon::cli
