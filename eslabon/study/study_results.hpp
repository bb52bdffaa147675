#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/study/study_journal.hpp"
#include "eslabon/study/wilson_interval.hpp"

namespace eslabon::study {

/// What the tries of one point say together.
struct PointSummary {
  std::size_t tries = 0, converged = 0, failed = 0;
  Interval interval;  ///< 95 % for the probability of converging
  /// (outputs) mean over the tries that converged, and over all that did not fail; 0 where there are none.
  std::vector<double> rmse_converged, rmse_all;
  double per_simulated_second = 0.0;     ///< time of the filter, mean [s/s]
  double per_step = 0.0;                 ///< the same [s]
  std::vector<std::size_t> lost;         ///< tries that did not converge, failed ones included, from 0
  std::optional<std::string> complaint;  ///< of the first that failed

  double rate() const {
    return tries == 0 ? 0.0 : static_cast<double>(converged) / static_cast<double>(tries);
  }
};

/// `results`: of this point, in the order of the tries.
PointSummary summarise(const std::vector<TryResult>& results, std::size_t num_outputs);

/// What the tries of each point say; of a study that was stopped, those there are.
std::vector<PointSummary> summarise_points(const StudyPlan& plan, std::size_t num_outputs,
                                           const std::vector<TryResult>& results);

/// Writes results.csv, timing.csv and summary.csv into the folder. `results`: (plan.size()) in the order of StudyPlan::place_of.
/// The first is the same, bit for bit, whenever and however the tries ran; the others tell times.
void write_study_results(const std::string& folder, const StudyPlan& plan,
                         const std::vector<core::Column>& outputs, const std::vector<TryResult>& results,
                         const std::vector<PointSummary>& summaries);

}  // namespace eslabon::study
