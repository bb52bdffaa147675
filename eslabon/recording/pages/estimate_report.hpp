#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/recording/filters/filter_record.hpp"
#include "eslabon/runs/estimation/truth_comparison.hpp"

namespace eslabon::recording {

/// A filter that has run, for the report.
struct ReportedFilter {
  runs::FilterCase& filter;
  FilterRecord& record;
  const runs::TruthComparison* truth;  ///< nullptr: none
  std::vector<std::string> notes;      ///< what a user should know of it
};

/// The report of filters that ran on the same readings, those of `measurements`: the truth, each estimate, readings, particles, and what is
/// known of them. The records are empty afterwards. `failure`: why the last of them ended before its time, a sentence.
report::Report estimate_report(std::vector<ReportedFilter>& filters,
                               std::span<const sensing::Reading> readings, const std::string& measurements,
                               const std::optional<std::string>& failure = std::nullopt);

}  // namespace eslabon::recording
