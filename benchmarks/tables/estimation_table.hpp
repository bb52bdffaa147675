#pragma once

#include <optional>
#include <vector>

#include "benchmarks/tables/progress.hpp"
#include "benchmarks/tables/testbed_experiments.hpp"

/// Errors and times of filters in the experiments of [Seed003, §5], beside the published ones.
namespace eslabon::benchmarks {

inline constexpr int kMostSeeds = 1000;

struct EstimationRequest {
  int seeds = 100;  ///< runs of each filter, 1 … kMostSeeds
};

/// A filter in the second experiment.
struct FilterRow {
  FilterWay way;
  std::optional<double> published_rmse;  ///< of the crank's angle, for a filter of the source [rad]
  DynamicErrors errors;
};

struct EstimationTable {
  int seeds = 0;
  std::vector<KinematicError> kinematics;  ///< of the first experiment
  double stops_at = 0.0;                   ///< the linkage of the second [s]
  std::vector<FilterRow> filters;
};
EstimationTable measure_estimation(const EstimationRequest& request, const Progress& progress);

}  // namespace eslabon::benchmarks
