#include "eslabon/recording/filters/estimate_run.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/measurements/measurement_file.hpp"
#include "eslabon/recording/filters/filter_tables.hpp"
#include "eslabon/runs/estimation/filter_notes.hpp"
#include "eslabon/runs/estimation/lost_filter.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

/// All readings of a file, in the order of arrival; `unused`: sensors of which it has none.
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
                         .next = "Check the file and " + runs::field("sensors") + "."});
  return all;
}

}  // namespace

double cloud_share(const std::vector<std::string>& filters) {
  const auto has_particles = [](const std::string& name) {
    return estimation::estimator_capabilities(name).unknown_start;
  };
  const auto number = std::max<std::ptrdiff_t>(1, std::ranges::count_if(filters, has_particles));
  return report::SizeLimits{}.cloud_bytes / static_cast<double>(number);
}

EstimateRun::EstimateRun(const EstimateInput& input, runs::EstimateRequest request,
                         runs::RunObserver& observer)
    : input_(input), request_(std::move(request)) {
  filter_ = std::make_unique<runs::FilterCase>(
      request_, request_.until ? request_.until->seconds() : runs::kLongestDrive, input.mechanism, observer);
  std::vector<std::string> unused;
  readings_ = io::reading_file([&] { return read_all(input.measurements, *filter_, unused); });
  if (!unused.empty())
    observer.note(input.measurements + " has no readings of " + core::listed(unused) + ".");
  filter_->begin_near(readings_.front().t);
  if (input.truth) truth_.emplace(*input.truth, *filter_);
  if (input.particles) record_.emplace(*filter_, *input.particles, input.cloud_bytes);
}

bool EstimateRun::run(io::ResultWriter& rows, runs::RunObserver& observer) {
  const auto take_row = [&](std::span<const double> row) {
    rows.write_row(filter_->run().now().seconds(), row);
    if (truth_) truth_->add(row);
    if (record_) record_->add_row(row);
  };
  const auto take_step = [&] {
    if (record_) record_->follow_step();
  };
  is_complete_ =
      runs::lead_through(*filter_, readings_, request_, {.row = take_row, .step = take_step}, observer);
  rows.finish();
  if (record_) record_->finish();
  if (truth_) truth_->finish();
  return is_complete_;
}

std::vector<std::string> EstimateRun::notes_before() const {
  std::vector<std::string> notes = input_.notes;
  std::ranges::move(runs::notes_before(request_, *filter_), std::back_inserter(notes));
  return notes;
}

std::vector<std::string> EstimateRun::notes_after() const {
  std::vector<std::string> notes = runs::notes_after(*filter_);
  if (truth_) std::ranges::move(truth_->notes(), std::back_inserter(notes));
  return notes;
}

std::vector<std::string> EstimateRun::events(std::size_t most) const {
  const sensing::StreamLog& log = filter_->front_end().log();
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < std::min(log.num_events(), most); ++k)
    texts.push_back(log.text(log.event(k)) + ".");
  if (log.num_events() > most) texts.push_back(fmt::format("… and {} more events.", log.num_events() - most));
  return texts;
}

void EstimateRun::check_result() const {
  if (truth_) truth_->check_rows();
  runs::check_not_lost(*filter_);
}

std::optional<report::Report> estimate_report(const std::vector<std::unique_ptr<EstimateRun>>& runs,
                                              const std::optional<std::string>& failure) {
  std::vector<ReportedFilter> reported;
  for (const auto& run : runs) {
    if (!run->record_ || run->filter().num_rows() == 0) continue;
    std::vector<std::string> notes = run->notes_before();
    for (const std::string& note : run->notes_after()) notes.push_back(run->name() + ": " + note);
    reported.push_back({run->filter(), *run->record_, run->truth(), std::move(notes)});
  }
  if (reported.empty()) return std::nullopt;
  return estimate_report(reported, runs.front()->readings(), runs.front()->measurements(), failure);
}

report::Table comparison_table(const std::vector<std::unique_ptr<EstimateRun>>& runs) {
  report::Table table{.title = "Filters", .columns = {{"filter", ""}}, .rows = {}};
  if (const runs::TruthComparison* truth = runs.front()->truth())
    for (const runs::TruthComparison::Line& line : truth->lines())
      table.columns.push_back({"RMSE " + line.name, ""});
  for (const char* label : {"NEES", "not observed", "step p50", "p99", "p99.9", "max"})
    table.columns.push_back({label, ""});
  for (const auto& run : runs) {
    std::vector<std::string> cells{run->name()};
    if (run->truth() != nullptr)
      for (const runs::TruthComparison::Line& line : run->truth()->lines()) cells.push_back(rmse_text(line));
    const auto nees = run->truth() != nullptr ? run->truth()->nees() : std::nullopt;
    cells.push_back(nees ? fmt::format("{:.3g}", *nees) : "–");
    cells.push_back(fmt::format("{:.3g} s", run->filter().unobserved().length()));
    for (const double p : {0.5, 0.99, 0.999, 1.0})
      cells.push_back(fmt::format("{:.1f} µs", 1e6 * run->filter().step_times().quantile(p).seconds()));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace eslabon::recording
