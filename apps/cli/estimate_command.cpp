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
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/measurement_file.hpp"

namespace eslabon::cli {

namespace {

/// All readings of a file, in the order of arrival.
std::vector<sensing::Reading> read_all(const std::string& path, const FilterCase& filter,
                                       std::vector<std::string>& unused) {
  io::MeasurementReader reader(path, filter.facts());
  std::vector<sensing::Reading> all, row;
  while (reader.read(row)) all.insert(all.end(), row.begin(), row.end());
  for (std::size_t s = 0; s < filter.facts().size(); ++s)
    if (!reader.has_sensor(static_cast<int>(s))) unused.push_back(filter.facts()[s].name);
  return all;
}

/// The rows: whether the filter's time is one of them.
class RowClock {
 public:
  RowClock(core::Instant begin, core::Duration every) : every_(every), next_(begin) {}
  bool is_due(core::Instant t) {
    if (t < next_) return false;
    while (next_ <= t) next_ = next_ + every_;
    return true;
  }

 private:
  core::Duration every_;
  core::Instant next_;
};

void run_batch(const EstimateOptions& options) {
  check_out(options.model, options.out);
  constexpr double kLongest = 3600.0;  // [s] of drivers
  const double until = options.until ? read_time("--until", "end", *options.until).seconds() : kLongest;
  const auto filter = naming(options.model, [&] { return std::make_unique<FilterCase>(options, until); });
  std::vector<std::string> unused;
  const std::vector<sensing::Reading> readings = read_all(*options.measurements, *filter, unused);
  if (!unused.empty())
    fmt::print(stderr, "eslabon: note: {} has no readings of {}.\n", *options.measurements,
               listed(unused, 6));
  core::Instant end = core::Instant::from_seconds(until);
  if (!options.until) {
    end = core::Instant();
    for (const sensing::Reading& reading : readings) end = std::max(end, reading.t);
  }
  if (!readings.empty()) filter->begin_near(readings.front().t);
  std::optional<TruthComparison> truth;
  if (options.truth) truth.emplace(*options.truth, *filter);
  io::ResultWriter writer = open_results(options.out, filter->columns());
  std::vector<double> row(filter->columns().size());
  estimation::LatencyHistogram step_times;
  UnobservedSpans unobserved;
  EstimateSummary summary{.filter = *filter, .step_times = step_times};
  RowClock rows(filter->run().now(), options.every
                                         ? read_time("--every", "time from row to row", *options.every)
                                         : filter->run().step_size());
  const std::size_t observed = row.size() - 2;
  const auto write_row = [&] {
    if (!rows.is_due(filter->run().now())) return;
    filter->fill_row(row);
    writer.write_row(filter->run().now().seconds(), row);
    unobserved.add(filter->run().now().seconds(), row[observed] != 0.0);
    if (truth) truth->add(row);
    ++summary.rows;
  };
  write_row();
  ProgressBar bar;
  const core::Instant begin = filter->run().now();
  std::size_t next = 0;
  core::Instant newest = begin;
  while (filter->run().now() < end) {
    const core::Instant target = filter->run().now() + filter->run().step_size();
    while (next < readings.size() && newest < target + filter->window() && filter->front_end().has_room()) {
      newest = std::max(newest, readings[next].t);
      filter->front_end().receive(readings[next++]);
    }
    if (next == readings.size()) filter->front_end().flush();
    const auto before = std::chrono::steady_clock::now();
    filter->run().step();
    const auto taken = std::chrono::steady_clock::now() - before;
    step_times.add(core::Duration::from_nanoseconds(
        std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count()));
    write_row();
    bar.update((filter->run().now() - begin).seconds() / (end - begin).seconds());
  }
  writer.finish();
  summary.truth = truth ? &*truth : nullptr;
  summary.unobserved = unobserved.list();
  summary.readings = fmt::format("{} of {}", readings.size(), *options.measurements);
  summary.file = options.out == kStdout ? "to the standard output" : options.out;
  std::FILE* const file = options.out == kStdout ? stderr : stdout;
  std::fputs(estimate_summary(summary, has_colour(fileno(file))).c_str(), file);
  const sensing::StreamLog& log = filter->front_end().log();
  constexpr std::size_t kMostEvents = 10;
  for (std::size_t k = 0; k < std::min(log.num_events(), kMostEvents); ++k)
    fmt::print(stderr, "eslabon: note: {}.\n", log.text(log.event(k)));
  if (log.num_events() > kMostEvents)
    fmt::print(stderr, "eslabon: note: … and {} more events.\n", log.num_events() - kMostEvents);
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
