#pragma once

#include <string>

#include "filter_case.hpp"
#include "truth_comparison.hpp"

namespace eslabon::cli {

/// What a run of a filter was like.
struct EstimateSummary {
  FilterCase& filter;
  const TruthComparison* truth = nullptr;
  std::string readings;  ///< where they came from
  std::string file;      ///< where the rows went
};

/// "0.705°", "1.2 °/s", "0.003 m".
std::string size_text(double value, const std::string& unit);

std::string estimate_summary(const EstimateSummary& summary, bool has_colour);

}  // namespace eslabon::cli
