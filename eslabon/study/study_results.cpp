#include "eslabon/study/study_results.hpp"

#include <array>

#include "eslabon/io/files/partial_file.hpp"

namespace eslabon::study {

namespace {

using Outcome = TryResult::Outcome;

/// A table with names, then units, then rows; cells may be texts or empty.
class CsvFile {
 public:
  CsvFile(const std::string& path, const std::vector<core::Column>& columns) : file_(path, "the results") {
    for (const core::Column& column : columns) text(column.name);
    end_row();
    for (const core::Column& column : columns) text(column.unit);
    end_row();
  }
  void text(const std::string& cell) {
    separate();
    file_.append(std::string_view(cell));
  }
  void number(double cell) {
    separate();
    file_.append(cell);
  }
  void whole(std::uint64_t cell) {
    separate();
    file_.append(static_cast<std::int64_t>(cell));
  }
  void empty() { separate(); }
  void end_row() {
    file_.append('\n');
    is_first_ = true;
  }
  void finish() { file_.finish(); }

 private:
  void separate() {
    if (!is_first_) file_.append(',');
    is_first_ = false;
  }
  io::PartialFile file_;
  bool is_first_ = true;
};

/// The columns of the sweeps, which all tables have.
class PointColumns {
 public:
  explicit PointColumns(const StudyPlan& plan) : plan_(plan) {
    for (const StudyAxis& axis : plan.study().axes) columns_.push_back(axis_column(axis));
  }
  std::vector<core::Column> headings() const {
    std::vector<core::Column> out{{"point", "1"}};
    for (std::size_t k = 0; k < columns_.size(); ++k)
      out.push_back({plan_.study().axes[k].name, columns_[k].unit});
    return out;
  }
  void write(CsvFile& file, std::size_t point) const {
    file.whole(point + 1);
    const std::vector<std::size_t> values = plan_.values_of(point);
    for (std::size_t k = 0; k < columns_.size(); ++k) file.text(columns_[k].cells[values[k]]);
  }

 private:
  const StudyPlan& plan_;
  std::vector<AxisColumn> columns_;
};

void write_results(const std::string& path, const StudyPlan& plan, const std::vector<core::Column>& outputs,
                   const std::vector<TryResult>& results) {
  const PointColumns points(plan);
  std::vector<core::Column> headings = points.headings();
  for (const char* name : {"try", "seed", "converged", "failed"}) headings.push_back({name, "1"});
  for (const core::Column& output : outputs)
    for (const char* what : {"start", "end", "estimate", "sigma", "error", "rmse"})
      headings.push_back({output.name + "." + what, output.unit});
  CsvFile file(path, headings);
  for (const TryResult& result : results) {
    points.write(file, result.index.point);
    file.whole(result.index.attempt + 1);
    file.whole(plan.seed_of(result.index.attempt));
    file.whole(result.outcome == Outcome::kConverged ? 1 : 0);
    file.whole(result.outcome == Outcome::kFailed ? 1 : 0);
    for (const OutputResult& output : result.outputs)
      for (const double value :
           {output.start, output.end, output.estimate, output.sigma, output.error, output.rmse})
        file.number(value);
    if (result.outcome == Outcome::kFailed)
      for (std::size_t k = 0; k < 6 * outputs.size(); ++k) file.empty();
    file.end_row();
  }
  file.finish();
}

void write_timing(const std::string& path, const StudyPlan& plan, const std::vector<TryResult>& results) {
  const PointColumns points(plan);
  std::vector<core::Column> headings = points.headings();
  for (const core::Column& column : {core::Column{"try", "1"},
                                     {"steps", "1"},
                                     {"simulated", "s"},
                                     {"wall", "s"},
                                     {"wall_per_step", "s"},
                                     {"real_time_factor", "1"}})
    headings.push_back(column);
  CsvFile file(path, headings);
  for (const TryResult& result : results) {
    if (result.outcome == Outcome::kFailed) continue;
    points.write(file, result.index.point);
    file.whole(result.index.attempt + 1);
    file.whole(static_cast<std::uint64_t>(result.steps));
    file.number(result.simulated);
    file.number(result.wall);
    file.number(result.wall / static_cast<double>(result.steps));
    file.number(result.simulated / result.wall);
    file.end_row();
  }
  file.finish();
}

void write_summary(const std::string& path, const StudyPlan& plan, const std::vector<core::Column>& outputs,
                   const std::vector<PointSummary>& summaries) {
  const PointColumns points(plan);
  std::vector<core::Column> headings = points.headings();
  for (const char* name : {"tries", "converged", "failed", "rate", "rate_low", "rate_high"})
    headings.push_back({name, "1"});
  for (const core::Column& output : outputs) {
    headings.push_back({output.name + ".rmse", output.unit});
    headings.push_back({output.name + ".rmse_of_all", output.unit});
  }
  for (const core::Column& column :
       {core::Column{"wall_per_simulated_second", "1"}, {"real_time_factor", "1"}, {"wall_per_step", "s"}})
    headings.push_back(column);
  CsvFile file(path, headings);
  for (std::size_t point = 0; point < summaries.size(); ++point) {
    const PointSummary& summary = summaries[point];
    points.write(file, point);
    for (const std::size_t count : {summary.tries, summary.converged, summary.failed}) file.whole(count);
    for (const double value : {summary.rate(), summary.interval.low, summary.interval.high})
      file.number(value);
    const bool has_times = summary.failed < summary.tries;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      summary.converged > 0 ? file.number(summary.rmse_converged[k]) : file.empty();
      has_times ? file.number(summary.rmse_all[k]) : file.empty();
    }
    has_times ? file.number(summary.per_simulated_second) : file.empty();
    has_times ? file.number(1.0 / summary.per_simulated_second) : file.empty();
    has_times ? file.number(summary.per_step) : file.empty();
    file.end_row();
  }
  file.finish();
}

}  // namespace

PointSummary summarise(const std::vector<TryResult>& results, std::size_t num_outputs) {
  PointSummary summary;
  summary.tries = results.size();
  summary.rmse_converged.assign(num_outputs, 0.0);
  summary.rmse_all.assign(num_outputs, 0.0);
  std::size_t told = 0;
  for (const TryResult& result : results) {
    if (result.outcome != Outcome::kConverged) summary.lost.push_back(result.index.attempt);
    if (result.outcome == Outcome::kFailed) {
      ++summary.failed;
      if (!summary.complaint) summary.complaint = result.message;
      continue;
    }
    ++told;
    const bool has_converged = result.outcome == Outcome::kConverged;
    if (has_converged) ++summary.converged;
    for (std::size_t k = 0; k < num_outputs; ++k) {
      summary.rmse_all[k] += result.outputs[k].rmse;
      if (has_converged) summary.rmse_converged[k] += result.outputs[k].rmse;
    }
    summary.per_simulated_second += result.wall / result.simulated;
    summary.per_step += result.wall / static_cast<double>(result.steps);
  }
  const auto divide = [](double& sum, std::size_t count) {
    if (count > 0) sum /= static_cast<double>(count);
  };
  for (double& sum : summary.rmse_all) divide(sum, told);
  for (double& sum : summary.rmse_converged) divide(sum, summary.converged);
  divide(summary.per_simulated_second, told);
  divide(summary.per_step, told);
  summary.interval = wilson_interval(summary.converged, summary.tries);
  return summary;
}

std::vector<PointSummary> summarise_points(const StudyPlan& plan, std::size_t num_outputs,
                                           const std::vector<TryResult>& results) {
  std::vector<std::vector<TryResult>> of_points(plan.num_points());
  for (const TryResult& result : results) of_points[result.index.point].push_back(result);
  std::vector<PointSummary> summaries;
  for (const std::vector<TryResult>& tries : of_points) summaries.push_back(summarise(tries, num_outputs));
  return summaries;
}

void write_study_results(const std::string& folder, const StudyPlan& plan,
                         const std::vector<core::Column>& outputs, const std::vector<TryResult>& results,
                         const std::vector<PointSummary>& summaries) {
  write_results(folder + "/results.csv", plan, outputs, results);
  write_timing(folder + "/timing.csv", plan, results);
  write_summary(folder + "/summary.csv", plan, outputs, summaries);
}

}  // namespace eslabon::study
