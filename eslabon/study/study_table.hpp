#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/study/study_results.hpp"

namespace eslabon::study {

/// What a study found at its points, as summary.csv has it.
struct StudyTable {
  struct Point {
    std::vector<std::string> values;  ///< (axes) numbers in SI units, or texts
    std::size_t tries = 0, converged = 0, failed = 0;
    double rate = 0.0;
    Interval interval;                                     ///< 95 % for the probability of converging
    std::vector<std::optional<double>> rmse;               ///< (outputs) none where no try converged
    std::optional<double> per_simulated_second, per_step;  ///< [1], [s]; none where all tries failed
  };
  std::vector<core::Column> axes;  ///< unit "" for texts, "1" for numbers without a unit
  std::vector<core::Column> outputs;
  std::vector<Point> points;
};

StudyTable study_table(const StudyPlan& plan, const std::vector<core::Column>& outputs,
                       const std::vector<PointSummary>& summaries);
/// Reads summary.csv. Throws core::ModelError that names the line for what is no such file.
StudyTable read_study_table(const std::string& path);

}  // namespace eslabon::study
