#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter_case.hpp"
#include "truth_comparison.hpp"

namespace eslabon::cli {

/// What a run of a filter was like.
struct EstimateSummary {
  FilterCase& filter;
  const TruthComparison* truth = nullptr;
  std::string readings;  ///< where they came from
  std::string file;      ///< where the rows went
  std::optional<std::string> report = {};
};

/// "0.705°", "1.2 °/s", "0.003 m".
std::string size_text(double value, const std::string& unit);

/// What became of the readings of each sensor, as headings and cells: counts, what they were refused or noted for, NIS.
std::vector<std::string> reading_headings();
std::vector<std::vector<std::string>> reading_rows(FilterCase& filter);

std::string estimate_summary(const EstimateSummary& summary, bool has_colour);

}  // namespace eslabon::cli
