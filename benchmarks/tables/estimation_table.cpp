#include "benchmarks/tables/estimation_table.hpp"

namespace eslabon::benchmarks {

namespace {

struct KnownFilter {
  FilterWay way;
  std::optional<double> published_rmse = {};
};
const std::vector<KnownFilter> kFilters{
    {{"dekf, simple Jacobian, euler", "dekf", false, "euler"}, 1.15 * kDegree},
    {{"dekf, euler", "dekf", true, "euler"}},
    {{"dekf", "dekf"}},
    {{"ukf, euler", "ukf", true, "euler"}, 1.16 * kDegree},
    {{"ukf", "ukf"}},
    {{"cekf", "cekf"}},
    {{"error-ekf, simple Jacobian", "error-ekf", false, "heun"}},
    {{"error-ekf", "error-ekf"}},
    {{"error-ekf, force estimation", "error-ekf", true, "heun", true}},
};

}  // namespace

EstimationTable measure_estimation(const EstimationRequest& request, const Progress& progress) {
  const DynamicExperiment experiment;
  EstimationTable table{request.seeds, run_kinematic_experiment(1), experiment.stops_at(), {}};
  for (const KnownFilter& filter : kFilters) {
    table.filters.push_back({filter.way, filter.published_rmse, experiment.run(filter.way, request.seeds)});
    progress(static_cast<double>(table.filters.size()) / static_cast<double>(kFilters.size()));
  }
  return table;
}

}  // namespace eslabon::benchmarks
