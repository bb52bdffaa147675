#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/runs/estimation/filter_case.hpp"
#include "eslabon/runs/estimation/truth_comparison.hpp"

namespace eslabon::runs {

/// How long drivers are asked for where the end of a run is not known [s].
inline constexpr double kLongestDrive = 3600.0;

/// Who follows a filter step by step; each may be empty.
struct FilterFollowers {
  std::function<void(std::span<const double> row)> row = {};  ///< as FilterCase::fill_row gives it
  std::function<void()> step = {};                            ///< after each step, before its row
};

/// Leads a filter through readings, in the order of their arrival, to the end that the request says. False when the observer stopped it.
bool lead_through(FilterCase& filter, std::span<const sensing::Reading> readings,
                  const EstimateRequest& request, const FilterFollowers& followers, RunObserver& observer);

struct EstimateResult {
  core::ResultTable table;                         ///< NAME, NAME.sigma, …, observed, constraint_error
  std::vector<TruthComparison::Line> errors = {};  ///< of outputs that the truth has
  std::optional<double> nees = {};                 ///< mean over all rows, where the truth tells the motion
  std::vector<std::string> notes = {};             ///< what a user should know of the model and of the filter
  std::optional<core::ErrorText> lost = {};        ///< why it is no estimate at all
  bool is_complete = true;                         ///< false: the observer stopped it
};

/// Estimates the motion of a mechanism. `readings`: sensors are numbered as the mechanism has them. Throws RequestError, core::DataError for
/// a truth that cannot be compared with, and core::ModelError.
EstimateResult estimate(const model::Mechanism& mechanism, std::span<const sensing::Reading> readings,
                        const EstimateRequest& request, RunObserver& observer,
                        const std::optional<core::ResultTable>& truth = std::nullopt);
EstimateResult estimate(const model::Mechanism& mechanism, std::span<const sensing::Reading> readings,
                        const EstimateRequest& request = {});

}  // namespace eslabon::runs
