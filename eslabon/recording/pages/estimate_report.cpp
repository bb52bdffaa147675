#include "eslabon/recording/pages/estimate_report.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/recording/facts/output_table.hpp"
#include "eslabon/recording/filters/filter_tables.hpp"
#include "eslabon/recording/pages/report_structure.hpp"
#include "eslabon/recording/pages/truth_recording.hpp"
#include "eslabon/runs/start/placement.hpp"

namespace eslabon::recording {

namespace {

std::string name_of(const ReportedFilter& one) { return std::string(one.filter.estimator().name()); }

/// "0.705°" for the errors of each output, as facts of one filter.
void add_errors(const runs::TruthComparison& truth, std::vector<report::Fact>& facts) {
  for (const runs::TruthComparison::Line& line : truth.lines())
    facts.push_back({"RMSE of " + line.name, rmse_text(line)});
  if (const auto nees = truth.nees())
    facts.push_back(
        {"NEES", fmt::format("{:.3g}; {} for a consistent filter", *nees, truth.num_nees_states())});
}

std::string refused_text(runs::FilterCase& filter) {
  const sensing::StreamCounts total = filter.front_end().log().total();
  return fmt::format(
      "{} of {}",
      total.dropped() + total.of(sensing::Outcome::kOutlier) + total.of(sensing::Outcome::kFailed),
      core::counted(static_cast<std::size_t>(total.received), "reading"));
}

std::vector<report::Fact> facts_of(const ReportedFilter& one) {
  runs::FilterCase& filter = one.filter;
  std::vector<report::Fact> facts{{"Filter", fmt::format("{}, steps of {:g} ms", name_of(one),
                                                         filter.run().step_size().seconds() * 1e3)}};
  if (one.truth != nullptr) add_errors(*one.truth, facts);
  facts.push_back({"Refused", refused_text(filter)});
  facts.push_back({"Not observed", fmt::format("{:.3g} s", filter.unobserved().length())});
  const auto add_count = [&](const char* label, long count) {
    if (count > 0) facts.push_back({label, core::counted(static_cast<std::size_t>(count), "time")});
  };
  add_count("Restarted", filter.run().num_restarts());
  add_count("Reopened", filter.run().num_reopenings());
  add_count("Resampled", filter.num_resamplings());
  add_count("Spread", filter.num_recoveries());
  facts.push_back({"Step times", filter.step_times().brief()});
  return facts;
}

report::Table comparison_of(std::vector<ReportedFilter>& filters) {
  report::Table table{.title = "Filters compared", .columns = {{"filter", ""}}, .rows = {}};
  if (filters.front().truth != nullptr)
    for (const runs::TruthComparison::Line& line : filters.front().truth->lines())
      table.columns.push_back({"RMSE of " + line.name, ""});
  for (const char* label : {"NEES", "refused", "not observed", "step p50", "p99", "p99.9", "max"})
    table.columns.push_back({label, ""});
  for (const ReportedFilter& one : filters) {
    std::vector<std::string> cells{name_of(one)};
    if (one.truth != nullptr)
      for (const runs::TruthComparison::Line& line : one.truth->lines()) cells.push_back(rmse_text(line));
    const auto nees = one.truth != nullptr ? one.truth->nees() : std::nullopt;
    cells.push_back(nees ? fmt::format("{:.3g}", *nees) : "–");
    cells.push_back(refused_text(one.filter));
    cells.push_back(fmt::format("{:.3g} s", one.filter.unobserved().length()));
    for (const double p : {0.5, 0.99, 0.999, 1.0})
      cells.push_back(fmt::format("{:.1f} µs", 1e6 * one.filter.step_times().quantile(p).seconds()));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::Table readings_of(const ReportedFilter& one) {
  report::Table table{
      .title = "Readings by " + name_of(one), .columns = {}, .rows = reading_rows(one.filter)};
  for (const std::string& heading : reading_headings()) table.columns.push_back({heading, ""});
  return table;
}

/// How long steps took.
report::Chart step_times(const std::vector<ReportedFilter>& filters) {
  constexpr double kMicro = 1e6, kLeast = 1e-3;  // [µs] what is shown of 0 in logarithms
  report::Chart chart{.title = "Step times",
                      .kind = report::Chart::Kind::kBars,
                      .x = {.label = "time of a step", .unit = "µs", .is_log = true},
                      .y = {.label = "steps", .unit = "", .is_log = false},
                      .series = {}};
  for (const ReportedFilter& one : filters) {
    const estimation::LatencyHistogram::Bars bars = one.filter.step_times().bars();
    if (bars.counts.empty()) continue;
    report::Series& series = chart.series.emplace_back();
    series.name = name_of(one);
    for (const double edge : bars.edges) series.x.push_back(std::max(kMicro * edge, kLeast));
    for (const std::uint64_t count : bars.counts) series.y.push_back(static_cast<double>(count));
  }
  return chart;
}

void add_recordings(std::vector<ReportedFilter>& filters, std::span<const sensing::Reading> readings,
                    report::Report& report) {
  runs::FilterCase& first = filters.front().filter;
  const double begin = first.begin().seconds();
  double end = begin;
  for (const ReportedFilter& one : filters) end = std::max(end, one.filter.run().now().seconds());
  if (filters.front().truth != nullptr)
    if (auto truth = truth_recording(*filters.front().truth, first, begin, end, report.notes))
      report.recordings.push_back(std::move(*truth));
  for (ReportedFilter& one : filters) {
    report.recordings.push_back(one.record.take_recording());
    if (auto cloud = one.record.take_cloud()) report.clouds.push_back(std::move(*cloud));
  }
  std::size_t left_out = 0;
  report::Recording read = readings_recording(first, readings, begin, end, left_out);
  if (left_out > 0)
    report.notes.push_back(
        fmt::format("{} not drawn: not finite, or not of the time of the run.",
                    left_out == 1 ? "1 reading is" : fmt::format("{} readings are", left_out)));
  if (!read.channels.empty()) report.recordings.push_back(std::move(read));
}

}  // namespace

report::Report estimate_report(std::vector<ReportedFilter>& filters,
                               std::span<const sensing::Reading> readings, const std::string& measurements,
                               const std::optional<std::string>& failure) {
  runs::FilterCase& first = filters.front().filter;
  report::Report report =
      report_of(first.mechanism(), first.structure(),
                runs::placement_at(first.mechanism(), first.structure(), first.start_bodies()));
  std::vector<std::string> names;
  for (const ReportedFilter& one : filters) names.push_back(name_of(one));
  report.subtitle = fmt::format("estimated by {} from {}", core::listed(names, names.size()),
                                std::filesystem::path(measurements).filename().string());
  if (filters.size() == 1) {
    const std::vector<report::Fact> facts = facts_of(filters.front());
    report.facts.insert(report.facts.end(), facts.begin(), facts.end());
  } else {
    report.tables.push_back(comparison_of(filters));
  }
  for (const ReportedFilter& one : filters) {
    report.tables.push_back(readings_of(one));
    for (const std::string& note : one.notes)
      if (std::ranges::find(report.notes, note) == report.notes.end()) report.notes.push_back(note);
    for (const std::string& note : one.record.notes()) report.notes.push_back(note);
  }
  report.charts.push_back(step_times(filters));
  add_recordings(filters, readings, report);
  add_output_tables(report);
  if (failure) report.notes.insert(report.notes.begin(), "The run ended early: " + *failure);
  return report;
}

}  // namespace eslabon::recording
