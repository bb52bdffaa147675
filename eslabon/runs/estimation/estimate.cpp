#include "eslabon/runs/estimation/estimate.hpp"

#include <algorithm>

#include "eslabon/runs/estimation/filter_notes.hpp"
#include "eslabon/runs/estimation/lost_filter.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/sensing/row_clock.hpp"

namespace eslabon::runs {

namespace {

/// Those of the sensors in use, numbered as the filter has them.
std::vector<sensing::Reading> readings_in_use(const FilterCase& filter,
                                              std::span<const sensing::Reading> readings) {
  std::vector<sensing::Reading> used;
  for (sensing::Reading reading : readings)
    if (filter.translate(reading)) used.push_back(reading);
  if (used.empty())
    throw core::DataError({.what = "there are no readings",
                           .where = "mechanism '" + filter.mechanism().name() + "'",
                           .expected = "readings of the sensors in use",
                           .actual = "none",
                           .next = "Check the readings and " + field("sensors") + "."});
  return used;
}

void add_row(core::ResultTable& table, double t, std::span<const double> row) {
  table.t.push_back(t);
  for (std::size_t k = 0; k < row.size(); ++k) table.values[k].push_back(row[k]);
}

}  // namespace

bool lead_through(FilterCase& filter, std::span<const sensing::Reading> readings,
                  const EstimateRequest& request, const FilterFollowers& followers, RunObserver& observer) {
  const estimation::EstimationRun& run = filter.run();
  std::vector<double> row(filter.columns().size());
  RowClock clock(run.now(), request.every.value_or(run.step_size()));
  const auto tell_row = [&] {
    if (!clock.is_due(run.now())) return;
    filter.fill_row(row);
    if (followers.row) followers.row(row);
  };
  std::size_t next = 0;
  const auto is_over = [&] {
    if (request.until) return (run.now() - filter.begin()).seconds() >= request.until->seconds();
    return next == readings.size() && filter.front_end().num_waiting() == 0;
  };
  tell_row();
  for (std::int64_t steps = 0; !is_over(); ++steps) {
    if (observer.must_stop(steps)) return false;
    filter.step_through(readings, next);
    if (followers.step) followers.step();
    tell_row();
    observer.progress(static_cast<double>(next) /
                      static_cast<double>(std::max<std::size_t>(readings.size(), 1)));
  }
  return true;
}

EstimateResult estimate(const model::Mechanism& mechanism, std::span<const sensing::Reading> readings,
                        const EstimateRequest& request, RunObserver& observer,
                        const std::optional<core::ResultTable>& truth) {
  check_request(request, {request.filter});
  FilterCase filter(request, request.until ? request.until->seconds() : kLongestDrive, mechanism, observer);
  const std::vector<sensing::Reading> used = readings_in_use(filter, readings);
  filter.begin_near(used.front().t);
  std::optional<TruthComparison> comparison;
  if (truth) comparison.emplace(*truth, filter);
  EstimateResult result;
  result.table.path = request.filter;
  result.table.columns = filter.columns();
  result.table.values.resize(filter.columns().size());
  const auto tell = [&](const std::vector<std::string>& marked) {
    std::ranges::transform(marked, std::back_inserter(result.notes), core::without_marks);
  };
  tell(notes_before(request, filter));
  const auto take_row = [&](std::span<const double> row) {
    add_row(result.table, filter.run().now().seconds(), row);
    if (comparison) comparison->add(row);
  };
  result.is_complete = lead_through(filter, used, request, {.row = take_row}, observer);
  tell(notes_after(filter));
  result.lost = lost_text(filter);
  if (!comparison) return result;
  comparison->finish();
  tell(comparison->notes());
  result.errors = comparison->lines();
  result.nees = comparison->nees();
  return result;
}

EstimateResult estimate(const model::Mechanism& mechanism, std::span<const sensing::Reading> readings,
                        const EstimateRequest& request) {
  RunObserver nobody;
  return estimate(mechanism, readings, request, nobody);
}

}  // namespace eslabon::runs
